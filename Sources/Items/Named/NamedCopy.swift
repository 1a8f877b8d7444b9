/// A file of collections/, tags/ or smart/ as it was read.
public struct NamedCopy: Sendable {
    public let file: NamedFile
    let bytes: [UInt8]
}
