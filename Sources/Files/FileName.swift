/// The name of a directory entry: any bytes but `/` and NUL, which need not be valid UTF-8.
package struct FileName: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
    package init(_ string: String) { bytes = Array(string.utf8) }

    /// The name as text, or `nil` where it is not valid UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The name as system calls take it.
    var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

    /// The name with invalid bytes replaced by U+FFFD; for messages only.
    package var repaired: String { String(decoding: bytes, as: UTF8.self) }
}

/// One entry of a folder.
package struct DirectoryEntry: Sendable {
    package let name: FileName
    package let kind: FileKind
}
