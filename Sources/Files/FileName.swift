/// The name of a directory entry: any bytes but `/` and NUL, not necessarily valid UTF-8.
package struct FileName: Hashable, Sendable {
    /// The bytes in the file system, without a NUL at the end.
    package let bytes: [UInt8]

    /// Makes a name from bytes, unchecked.
    package init(bytes: [UInt8]) { self.bytes = bytes }
    /// Makes a name from a string's UTF-8.
    package init(_ string: String) { bytes = Array(string.utf8) }

    /// The name as text; `nil` if it is not valid UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for system calls.
    var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

    /// The name with invalid bytes replaced by U+FFFD; for messages only.
    package var repaired: String { String(decoding: bytes, as: UTF8.self) }
}

/// One entry of a folder.
package struct DirectoryEntry: Sendable {
    /// The entry's name, without the folder's path.
    package let name: FileName
    /// The kind from the listing; `unknown` if the file system does not list it.
    package let kind: FileKind

    package init(name: FileName, kind: FileKind) {
        self.name = name
        self.kind = kind
    }
}
