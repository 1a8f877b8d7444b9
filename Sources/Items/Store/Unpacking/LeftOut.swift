/// An entry of a full export that is not imported, and the reason.
public struct LeftOut: Sendable {
    /// The path as the file spells it, cut after 400 bytes.
    public let path: String
    /// Why the entry is left out.
    public let reason: Reason

    /// Makes a report about one entry.
    package init(_ path: String, _ reason: Reason) {
        self.path = path.utf8.count > Self.pathLimit ? Self.cut(path) : path
        self.reason = reason
    }

    private static let pathLimit = 400

    private static func cut(_ path: String) -> String {
        let start = String(decoding: path.utf8.prefix(pathLimit), as: UTF8.self)
        // The last character may be cut within its bytes.
        return start.unicodeScalars.last == "\u{FFFD}" ? String(start.unicodeScalars.dropLast()) + "…" : start + "…"
    }

    /// Why the entry is left out.
    public enum Reason: Sendable {
        /// `..`, an absolute path, an empty component or a NUL.
        case unsafePath
        /// `.sbfs`.
        case device
        /// A name that begins with a dot, at the top or below an item.
        case hidden
        /// A name that FORMAT.md § 2 does not list.
        case noPlace
        /// A file where the library has a folder, or a folder where it has a file.
        case wrongKind
        /// A name by which git finds a repository.
        case control
        /// `HEAD` beside `objects` and `refs`.
        case repository
        case tooDeep(limit: Int)
        case tooLarge(limit: Int)
        /// Neither a file nor a folder.
        case notFile(Special)
        case notUTF8
        /// A later entry has the same name and replaces this one.
        case replaced
        /// An earlier entry of another kind has the name.
        case taken
        /// The file system refuses the name; the kernel's error number.
        case refusedName(Int32)
        /// The library has a different one, which stays.
        case other
        /// The same item stands in two shards; this is the second.
        case secondFolder
        /// An item's folder without item.json.
        case noItemFile
        /// An item whose item.json does not parse, or has another id.
        case noItem(ItemError)
        /// An item whose item.json is larger than what is read, in bytes.
        case largeItemFile(limit: Int)
        /// The file ends within the item.
        case cutOff
        /// A tombstone of an item that is in the library, or comes with the same file.
        case itemLives
        /// The folder in which it belongs cannot be written here.
        case notWritable
        /// A value in library.json, which reads as absent. The file is imported.
        case value(FieldFault)
        /// library.json, or a file that would replace one of the library's, cannot be used.
        case unusable(ItemError)
    }

    /// Kinds of entries of a full export besides files and folders.
    public enum Special: Sendable {
        case hardLink, symbolicLink, device, fifo
        /// Packed with a password.
        case encrypted
        /// Of a type that this program does not know.
        case unknown
    }
}
