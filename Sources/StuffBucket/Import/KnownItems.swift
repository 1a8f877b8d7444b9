internal import Items
internal import JSONFormat
internal import Time
internal import URLs

/// The links with their fragments, and the external ids, that the library has, and the items that have them.
///
/// Built by reading every item once, so it includes the latest changes of other programs. Of texts only hashes are
/// kept; the item found by a hash is read and compared. About 100 bytes an item.
struct KnownItems {
    enum Place: Sendable {
        case stored(ItemID, isTrashed: Bool)
        /// An index in the list of items that are not written yet.
        case pending(Int)
        /// A dry run would have written it.
        case planned
    }

    private(set) var places: [Place] = []
    private var byLink: [Int: Int32] = [:]
    private var byExternalID: [Int: Int32] = [:]
    private var byID: [ItemID: Int32] = [:]

    private struct Found: Sendable {
        let id: ItemID
        let isTrashed: Bool
        let createdAt: Timestamp
        let link: Int?
        let externalIDs: [Int]
    }

    /// - Parameter ignoresTrash: whether items in the trash are left out.
    init(_ store: ItemStore, ignoresTrash: Bool) throws {
        let found = try ItemScan(store).scan { stored -> Found? in
            if ignoresTrash, stored.item.isTrashed { return nil }
            return Found(
                id: stored.id, isTrashed: stored.item.isTrashed, createdAt: stored.createdAt,
                link: stored.item.linkURL.flatMap(LinkIdentity.place)?.hashValue,
                externalIDs: stored.externalIDs.map(\.hashValue))
        }.found
        // Live items before trashed ones, then the earliest first: the first item with a link keeps it.
        let ordered = found.sorted {
            $0.isTrashed != $1.isTrashed ? $1.isTrashed : ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
        for item in ordered {
            add(
                .stored(item.id, isTrashed: item.isTrashed), id: item.id, link: item.link,
                externalIDs: item.externalIDs)
        }
    }

    mutating func add(_ place: Place, id: ItemID, link: Int?, externalIDs: [Int]) {
        let slot = Int32(places.count)
        places.append(place)
        byID[id] = slot
        if let link, byLink[link] == nil { byLink[link] = slot }
        for external in externalIDs where byExternalID[external] == nil { byExternalID[external] = slot }
    }

    mutating func note(externalID: Int, at slot: Int32) {
        if byExternalID[externalID] == nil { byExternalID[externalID] = slot }
    }

    mutating func note(link: Int, at slot: Int32) {
        if byLink[link] == nil { byLink[link] = slot }
    }

    /// Forgets that an item has a link.
    mutating func forget(link: Int, at slot: Int32) {
        if byLink[link] == slot { byLink[link] = nil }
    }

    mutating func move(_ slot: Int32, to place: Place) { places[Int(slot)] = place }

    func slot(id: ItemID) -> Int32? { byID[id] }
    func slot(link: Int) -> Int32? { byLink[link] }
    func slot(externalID: Int) -> Int32? { byExternalID[externalID] }
}

extension StoredItem {
    /// The item's ids at its sources.
    var externalIDs: [String] {
        var ids = item.sourceExternalID.map { [$0] } ?? []
        if let list = json.member(ItemField.sourceExternalIDs.key, of: json.root) {
            ids += json.elements(list).compactMap { json.string($0) }
        }
        return ids
    }

    /// The item's folder at its first source.
    var sourceFolderPath: String? {
        json.member(ItemField.sourceFolderPath.key, of: json.root).flatMap { json.string($0) }
    }
}
