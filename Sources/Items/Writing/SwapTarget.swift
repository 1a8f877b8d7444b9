internal import Files
internal import JSONFormat

/// A file of the library that other programs may save at any moment: item.json, text.md, library.json, or a file of
/// collections/, tags/ or smart/.
struct SwapTarget {
    let owner: Owner
    /// The folder, relative to the library's; empty for the library's folder itself.
    let folder: String
    /// The file's name in the folder.
    let name: String
    /// The largest size in bytes that is read.
    let limit: Int

    /// Whether the file belongs to an item or to the library: the first part of a staged file's name.
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

    /// - Parameter folder: the item's folder, relative to the library's.
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

    /// The item that the file belongs to; `nil` for the library's files.
    var id: ItemID? { if case .item(let id) = owner { id } else { nil } }

    func directory(in root: borrowing Directory) throws(FileError) -> Directory {
        folder.isEmpty ? try root.duplicate() : try root.directory(folder)
    }

    /// The journal record of a change; `nil` for none.
    func record(_ old: [UInt8]?, _ new: [UInt8]?) -> JournalRecord? {
        guard let id else { return .bytes(.file(path), old: old.map { .init($0) }, new: new.map { .init($0) }) }
        guard name == Layout.itemFile, let old, let new else {
            return .bytes(.text(id), old: old.map { .init($0) }, new: new.map { .init($0) })
        }
        return .fields(id, from: old, to: new)
    }
}
