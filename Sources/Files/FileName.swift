/// The name of a directory entry: any bytes but `/` and NUL, which need not be valid UTF-8.
public struct FileName: Hashable, Sendable {
    /// The bytes as the file system has them, without a NUL at the end.
    public let bytes: [UInt8]

    /// Makes a name of bytes, which are not checked.
    public init(bytes: [UInt8]) { self.bytes = bytes }
    /// Makes a name of a string's UTF-8.
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
    /// The entry's own name, without the folder's path.
    public let name: FileName
    /// What the listing says it is; `unknown` where the file system does not tell.
    public let kind: FileKind
}
