/// A file of collections/, tags/ or smart/ as it was read.
public struct NamedCopy: Sendable {
    /// What the file says.
    public let file: NamedFile
    let bytes: [UInt8]
}
