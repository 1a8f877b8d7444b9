internal import Files

/// An open folder that several threads use.
final class SharedFolder: Sendable {
    let directory: Directory
    init(_ directory: consuming Directory) { self.directory = directory }
}
