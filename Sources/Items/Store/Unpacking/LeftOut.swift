internal import Glibc

/// An entry of a full export that is not imported, and the reason.
public struct LeftOut: Sendable, Equatable {
    /// The path as the file spells it.
    public let path: String
    /// Why the entry is left out.
    public let reason: Reason

    /// Makes a report about one entry.
    public init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Why the entry is left out.
    public enum Reason: Sendable, Hashable {
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
        /// A symbolic link, a device or the like, named for a person.
        case notFile(String)
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
        /// The item.json does not parse, is too large, or has another id; the reason.
        case noItem(String)
        /// The file ends within the item.
        case cutOff
        /// The file cannot be used: it is library.json, or would replace a file of the library; the reason.
        case unusable(String)
    }
}

extension LeftOut.Reason: CustomStringConvertible {
    /// The reason as a clause for a person, which follows the path.
    public var description: String {
        switch self {
        case .unsafePath: "its path leaves the library"
        case .device: "it belongs to another device"
        case .hidden: "names that begin with a dot are not taken"
        case .noPlace: "a library has no place for it"
        case .wrongKind: "it is a file where a library has a folder, or the other way round"
        case .control: "git finds a repository by files of this name"
        case .repository: "with objects and refs beside it, git would take the folder for a repository"
        case .tooDeep(let limit): "its folders are nested deeper than \(limit)"
        case .tooLarge(let limit): "it is larger than \(ByteCount.text(limit))"
        case .notFile(let kind): "it is \(kind)"
        case .notUTF8: "its name is not UTF-8"
        case .replaced: "the archive has it again; the later one counts"
        case .taken: "another entry of the archive has its name"
        case .refusedName(let number): "its name cannot be used: \(String(cString: strerror(number)))"
        case .other: "the library has another one, which stays"
        case .secondFolder: "the archive has the item's folder in two shards"
        case .noItemFile: "a folder without item.json is no item"
        case .noItem(let why): "it makes no item: \(why)"
        case .cutOff: "the archive ends within it"
        case .unusable(let why): "it cannot be used: \(why)"
        }
    }
}
