import Glibc
import StuffBucket

extension LeftOut.Reason {
    /// The reason, as a clause that follows the path.
    var wording: String {
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
        case .notFile(let special): "it is \(special.wording)"
        case .notUTF8: "its name is not UTF-8"
        case .replaced: "the file has it again; the later one counts"
        case .taken: "another entry of the file has its name"
        case .refusedName(let number): "its name cannot be used: \(String(cString: strerror(number)))"
        case .other: "the library has another one, which stays"
        case .secondFolder: "the file has the item's folder in two shards"
        case .noItemFile: "a folder without item.json is no item"
        case .noItem(let error): "it makes no item: \(error)"
        case .largeItemFile(let limit): "it makes no item: item.json is larger than \(ByteCount.text(limit))"
        case .cutOff: "the file cannot be read beyond its beginning"
        case .itemLives: "its item is not purged here"
        case .notWritable: "its folder in the library cannot be written"
        case .value(let fault): "\(fault.key): \(fault.mismatch)"
        case .unusable(let error): "it cannot be used: \(error)"
        }
    }
}

extension LeftOut.Special {
    /// The kind of entry with its article, and advice.
    fileprivate var wording: String {
        switch self {
        case .hardLink: "a hard link"
        case .symbolicLink: "a symbolic link"
        case .device: "a device"
        case .fifo: "a FIFO"
        case .encrypted: "packed with a password; unpack it first"
        case .unknown: "neither a file nor a folder"
        }
    }
}
