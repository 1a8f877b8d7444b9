internal import Files
internal import JSONFormat

/// A file of the library that may be saved by other programs at any moment: item.json, text.md, a file of collections/, tags/
/// or smart/, or library.json.
struct SwapTarget {
    let owner: Owner
    /// Relative to the library's folder; empty for that folder itself.
    let folder: String
    /// Its name in the folder.
    let name: String
    /// Largest size in bytes that is read.
    let limit: Int

    /// What the file belongs to: the first part of a staged file's name.
    enum Owner: Equatable {
        case item(ItemID)
        case named(NamedFolder)
        /// The library itself.
        case library

        init?(_ word: String) {
            if let id = ItemID(word) {
                self = .item(id)
            } else if let folder = NamedFolder(rawValue: word) {
                self = .named(folder)
            } else if word == Self.libraryWord {
                self = .library
            } else {
                return nil
            }
        }

        private static let libraryWord = "library"

        var word: String {
            switch self {
            case .item(let id): id.description
            case .named(let folder): folder.rawValue
            case .library: Self.libraryWord
            }
        }
    }

    /// - Parameter folder: the item's, relative to the library's.
    static func item(_ id: ItemID, in folder: String, _ name: String) -> SwapTarget {
        SwapTarget(
            owner: .item(id), folder: folder, name: name,
            limit: name == Layout.textFile ? Layout.textByteLimit : JSONDocument.byteLimit)
    }

    static func named(_ folder: NamedFolder, _ file: String) -> SwapTarget {
        SwapTarget(owner: .named(folder), folder: folder.path, name: file, limit: Layout.settingsByteLimit)
    }

    static let library = SwapTarget(
        owner: .library, folder: "", name: Layout.libraryFile, limit: Layout.settingsByteLimit)

    /// Relative to the library's folder.
    var path: String { folder.isEmpty ? name : folder + "/" + name }

    /// The item, if the file is one of an item's.
    var id: ItemID? { if case .item(let id) = owner { id } else { nil } }

    func directory(in root: borrowing Directory) throws(FileError) -> Directory {
        folder.isEmpty ? try root.duplicate() : try root.directory(folder)
    }

    /// What the journal says of a change; `nil` for none.
    func record(_ old: [UInt8]?, _ new: [UInt8]?) -> JournalRecord? {
        guard let id else { return .bytes(.file(path), old: old.map { .init($0) }, new: new.map { .init($0) }) }
        guard name == Layout.itemFile, let old, let new else {
            return .bytes(.text(id), old: old.map { .init($0) }, new: new.map { .init($0) })
        }
        return .fields(id, from: old, to: new)
    }
}
