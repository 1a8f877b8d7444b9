internal import Files
internal import Items
internal import Search
private import Synchronization

/// The folders of a full view that hold links to items, and which items are in them.
///
/// Tags and collections are read from the item. Smart folders and the latest changes are asked from the index: for one item, it
/// looks at one document.
final class ViewGroups: Sendable {
    static let all = "All"
    static let collections = "Collections"
    static let tags = "Tags"
    static let smart = "Smart"
    static let recents = "Recents"
    static let deleted = "Recently Deleted"
    /// The folder of a view of documents.
    static let documents = "Documents"
    /// Folders that a full view always has.
    static let folders = [all, collections, tags, smart, recents, deleted]
    /// Links in Recents.
    static let recentLimit = 50

    private struct Smart: Sendable {
        let folder: String
        let query: Query
    }

    private let library: Library
    private let names: NameTable
    private let smart: [Smart]
    /// The items of Recents.
    let recent: Set<ItemID>
    /// For a whole view: the items of each smart folder.
    private let members: [Set<ItemID>]?

    /// - Parameters:
    ///   - isWhole: whether all items will be asked for.
    ///   - isFree: whether nothing has a path in the view.
    init(
        _ library: Library, _ names: NameTable, isWhole: Bool, isFree: (String) throws -> Bool
    ) throws {
        self.library = library
        self.names = names
        recent = try Self.latest(library, isWhole: isWhole)
        var smart: [Smart] = []
        var members: [Set<ItemID>] = []
        for file in try library.namedFiles(in: .smart).files {
            let query = library.parse(file.query ?? "").query
            let folder = try Self.folder(
                file.name, key: Layout.settingsFile(named: file.name), in: Self.smart, names, isFree)
            smart.append(Smart(folder: folder, query: query))
            if isWhole { members.append(Set(try library.find(ItemRequest(query, order: .recent)).rows.map(\.id))) }
        }
        self.smart = smart
        self.members = isWhole ? members : nil
    }

    /// The folders of smart folders, which are there even if they are empty.
    var smartFolders: [String] { smart.map(\.folder) }

    /// The items of all smart folders together with their folders, for a whole view.
    var smartMembers: [(folder: String, ids: Set<ItemID>)] {
        zip(smart, members ?? []).map { ($0.folder, $1) }
    }

    /// The folders with a link to an item.
    ///
    /// - Parameter isFree: whether nothing has a path in the view.
    func folders(of stored: StoredItem, isFree: (String) throws -> Bool) throws -> [String] {
        let item = stored.item
        var folders: [String] = []
        if item.isTrashed {
            folders.append(Self.deleted)
        } else {
            for tag in item.plainTags.prefix(Self.groupLimit) {
                folders.append(try Self.folder(tag, key: Self.key(tag), in: Self.tags, names, isFree))
            }
            for name in item.collections.prefix(Self.groupLimit) {
                if let path = try path(ofCollection: name, isFree) { folders.append(path) }
            }
            if recent.contains(stored.id) { folders.append(Self.recents) }
        }
        for (number, one) in smart.enumerated() {
            let isMember = try members?[number].contains(stored.id) ?? matches(one.query, stored)
            if isMember { folders.append(one.folder) }
        }
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }
    }

    /// Tags, and collections, of one item that get folders.
    private static let groupLimit = 200
    /// Levels of a collection that get folders; the rest is one name.
    private static let levelLimit = 16

    private func path(ofCollection name: String, _ isFree: (String) throws -> Bool) throws -> String? {
        guard let collection = CollectionName(name) else { return nil }
        var path = Self.collections
        var levels = collection.levels
        if levels.count > Self.levelLimit {
            levels = levels.prefix(Self.levelLimit - 1) + [levels[(Self.levelLimit - 1)...].joined(separator: "/")]
        }
        var key = ""
        for level in levels {
            key += "/" + Self.key(level)
            path = try Self.folder(level, key: key, in: path, names, isFree)
        }
        return path
    }

    private static func key(_ name: String) -> String { HumanName.folded(String(name.unicodeScalars.prefix(1000))) }

    /// The items that changed last. For these items the index is not compared with the files: the program that changed them updated it.
    private static func latest(_ library: Library, isWhole: Bool) throws -> Set<ItemID> {
        if !isWhole {
            let found = library.index?.glance { snapshot -> [ItemID] in
                var request = SearchRequest(.everything)
                request.order = .recent
                request.limit = recentLimit
                return try Searcher(snapshot).search(request).hits.map { ItemID($0.key) }
            }
            if let found { return Set(found) }
        }
        var request = ItemRequest(order: .recent, limit: recentLimit)
        request.isFresh = true
        return Set(try library.find(request).rows.map(\.id))
    }

    private func matches(_ query: Query, _ stored: StoredItem) throws -> Bool {
        let found = library.index?.glance { snapshot in
            try Searcher(snapshot).matches(query, DocumentKey(stored.id))
        }
        return found ?? ScanningMatcher(query).matches(SearchableItem(stored, library.store))
    }

    // MARK: Names

    /// The owner of a group's folder in the table of names.
    static func owner(_ key: String) -> String { "group-" + NameTable.hash16(key) }

    /// The folder of a group: the first name that it has or that is free.
    private static func folder(
        _ title: String, key: String, in parent: String, _ names: NameTable, _ isFree: (String) throws -> Bool
    ) throws -> String {
        let owner = owner(parent + "\0" + key)
        let name = HumanName(title)
        var free: String?
        // A group that has a later name keeps it when an earlier one becomes free.
        for number in 1...9 {
            let candidate = name.numbered(number)
            switch try names.owner(of: candidate, in: parent) {
            case owner: return parent + "/" + candidate
            case nil: if free == nil, try isFree(parent + "/" + candidate) { free = candidate }
            default: break
            }
            if number == 1, free != nil { break }
        }
        let chosen = free ?? name.numbered(1) + " " + NameTable.hash16(key)
        try names.claim(chosen, in: parent, for: owner)
        return parent + "/" + chosen
    }
}
