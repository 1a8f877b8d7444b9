internal import Glibc

/// An entry of an archive that is not taken into the library, and why.
public struct LeftOut: Sendable, Equatable {
    /// The path as the archive spells it.
    public let path: String
    /// Why it was left out.
    public let reason: Reason

    /// Makes a report of one entry by its path in the archive.
    public init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Why it was left out.
    public enum Reason: Sendable, Hashable {
        /// `..`, an absolute path, an empty component or a NUL.
        case unsafePath
        /// `.sbfs`.
        case device
        /// A name that begins with a dot, at the top or below an item.
        case hidden
        /// No name of FORMAT.md § 2.
        case noPlace
        /// A file where the library has a folder, or the other way round.
        case wrongKind
        /// A name by which git finds a repository.
        case control
        /// `HEAD` beside `objects` and `refs`.
        case repository
        case tooDeep(limit: Int)
        case tooLarge(limit: Int)
        /// A symbolic link, a device and the like, as a person calls it.
        case notFile(String)
        case notUTF8
        /// The archive has the name again; the later entry counts.
        case replaced
        /// Another entry has the name already and is of another kind.
        case taken
        /// The file system refuses the name: the kernel's error number.
        case refusedName(Int32)
        /// The library has another one, which stays.
        case other
        /// Of an item that the archive has in two shards.
        case secondFolder
        /// An item's folder without item.json.
        case noItemFile
        /// An item whose item.json does not parse, is too large, or has another id: why.
        case noItem(String)
        /// The archive ends within the item.
        case cutOff
        /// library.json, or a file that would replace one of the library's, cannot be used: why.
        case unusable(String)
    }
}

extension LeftOut.Reason: CustomStringConvertible {
    /// Why it was left out, as a clause for a person that follows the path.
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
