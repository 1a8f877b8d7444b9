/// The name of a directory entry: any bytes but `/` and NUL, which need not be valid UTF-8.
public struct FileName: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
    public init(_ string: String) { bytes = Array(string.utf8) }

    /// The name as text, or `nil` where it is not valid UTF-8.
    public var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The name as system calls take it.
    var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

    /// The name with invalid bytes replaced by U+FFFD; for messages only.
    public var repaired: String { String(decoding: bytes, as: UTF8.self) }
}

/// One entry of a folder.
public struct DirectoryEntry: Sendable {
    public let name: FileName
    public let kind: FileKind
}
