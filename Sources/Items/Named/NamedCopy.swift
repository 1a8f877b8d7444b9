/// A file of collections/, tags/ or smart/ as read from the disk.
public struct NamedCopy: Sendable {
    /// The file's contents.
    public let file: NamedFile
    let bytes: [UInt8]
}
