internal import Files
internal import Items
internal import Search
private import Synchronization
internal import Time
internal import URLs

/// Answers by reading every item, for libraries without an index.
final class ItemScan: Sendable {
    private let store: ItemStore
    /// Links of the items read so far, so that many look-ups of one command need one scan.
    private let links = Mutex(LinkTable())

    init(_ store: ItemStore) { self.store = store }

    /// Answers without facets, scores and corrections. The order by relevance is then the latest change first.
    func find(_ request: ItemRequest) throws -> ItemAnswer {
        let matcher = ScanningMatcher(request.query)
        let order = request.order
        let (found, faults) = try scan(body: { [store] stored -> Sorted? in
            guard matcher.matches(SearchableItem(stored, store)) else { return nil }
            return Sorted(stored, order, store)
        })
        var sorted = found.sorted(by: <)
        if request.isReversed { sorted.reverse() }
        var answer = ItemAnswer()
        answer.hits = sorted.prefix(request.limit ?? .max).map { ItemAnswer.Hit(row: $0.row) }
        answer.count = sorted.count
        answer.faults = faults
        if order == .relevance { answer.caveat = .unranked }
        return answer
    }

    func items(withLinks links: Set<String>) throws -> [String: [Row]] {
        // Reads items that appeared since the last look-up, including those of other programs.
        let candidates = try self.links.withLock { table in
            let isNew = { @Sendable [table] (id: ItemID) in !table.holds(id) }
            let new = try scan(isNew) { stored in
                LinkTable.Entry(
                    id: stored.id, hash: stored.item.linkURL.flatMap(LinkIdentity.init)?.normalized.hashValue)
            }
            table.add(new.found)
            return links.map { ($0, table.ids(of: $0)) }
        }
        var rows: [String: [Row]] = [:]
        for (link, ids) in candidates {
            // The hash only says where to look; the item's current contents decide.
            let stored = try ids.compactMap { try readable($0) }.filter {
                $0.item.linkURL.flatMap(LinkIdentity.init)?.normalized == link
            }
            if !stored.isEmpty {
                rows[link] = stored.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map(Row.init)
            }
        }
        return rows
    }

    func items(withTitles titles: Set<String>) throws -> [String: [Row]] {
        let found = try scan(body: { [store] stored -> (String, Row)? in
            let title = Folding.fold(store.displayTitle(of: stored))
            return titles.contains(title) ? (title, Row(stored)) : nil
        }).found
        return Dictionary(grouping: found, by: \.0).mapValues { pairs in
            let rows = pairs.map(\.1).sorted { $0.id < $1.id }
            return rows.filter { !$0.isTrashed } + rows.filter(\.isTrashed)
        }
    }

    func items(withDigits digits: String) throws -> [Row] {
        let digits = Array(digits.lowercased().utf8)
        let own = String(decoding: digits.suffix(2), as: UTF8.self)
        let shards = try store.shards().names
        func ids(_ shards: [String], _ matches: ([UInt8]) -> Bool) throws -> [ItemID] {
            try shards.flatMap { try store.shard($0).ids.filter { matches($0.digits) } }
        }
        func isSuffix(_ all: [UInt8]) -> Bool { all.suffix(digits.count).elementsEqual(digits) }
        // Searches the item's own shard first, then all shards: an item may be in a wrong shard, or in two.
        for candidates in [
            { try ids(shards.contains(own) ? [own] : [], isSuffix) }, { try ids(shards, isSuffix) },
            { try ids(shards) { $0.starts(with: digits) } },
        ] as [() throws -> [ItemID]] {
            let rows = try Set(candidates()).sorted().compactMap(row)
            if !rows.isEmpty { return rows }
        }
        return []
    }

    /// Items in their own shard whose id ends with these digits, including broken items.
    func items(withOwnShardDigits digits: String) throws -> [Row] {
        let digits = Array(digits.lowercased().utf8)
        let own = String(decoding: digits.suffix(2), as: UTF8.self)
        guard try store.root.statusIfPresent(of: Layout.items + "/" + own)?.kind == .directory else { return [] }
        return try store.shard(own).ids.filter { $0.digits.suffix(digits.count).elementsEqual(digits) }.compactMap(row)
    }

    /// An item that exists, can be read, and was not purged.
    private func readable(_ id: ItemID) throws -> StoredItem? {
        guard let stored = (try? store.item(id)) ?? nil else { return nil }
        return try store.isPurged(stored) ? nil : stored
    }

    private func row(_ id: ItemID) throws -> Row? {
        do {
            return try store.item(id).flatMap { try store.isPurged($0) ? nil : Row($0) }
        } catch {
            // A broken item can still be named, so that a person can open and repair it.
            guard let folder = try store.folder(of: id) else { throw error }
            return Row(id: id, folder: folder, isTrashed: false)
        }
    }

    /// Reads all given items on all processors. The results of `body` are in no particular order.
    func scan<Found: Sendable>(
        _ isWanted: @escaping @Sendable (ItemID) -> Bool = { _ in true },
        body: @escaping @Sendable (StoredItem) throws -> Found?
    ) throws -> (found: [Found], faults: [ItemFault]) {
        let shards = try store.shards().names
        let all = Mutex<([Found], [ItemFault])>(([], []))
        let now = Timestamp.now
        try Workers.run(shards.count) { [store] index in
            var found: [Found] = []
            var faults: [ItemFault] = []
            let shard = UInt8(shards[index], radix: 16) ?? 0
            for id in try store.shard(shards[index]).ids where isWanted(id) {
                if try !store.isCounted(id, inShard: shard) { continue }
                let folder = Layout.itemFolder(id, shard: shard)
                do {
                    if let stored = try store.item(id, in: folder, now: now), let result = try body(stored),
                        try !store.isPurged(stored)
                    {
                        found.append(result)
                    }
                } catch {
                    faults.append(try ItemFault(folder, error))
                }
            }
            all.withLock {
                $0.0 += found
                $0.1 += faults
            }
        }
        let (found, faults) = all.withLock { $0 }
        return (found, faults.sorted())
    }
}

/// The items read so far, and their ids by the hash of the normalised link.
private struct LinkTable: Sendable {
    /// An item that was read, and its link.
    struct Entry: Sendable {
        let id: ItemID
        let hash: Int?
    }

    private var read: Set<ItemID> = []
    private var ids: [Int: ItemID] = [:]
    /// Further items with the same hash.
    private var others: [Int: [ItemID]] = [:]

    func holds(_ id: ItemID) -> Bool { read.contains(id) }

    mutating func add(_ entries: [Entry]) {
        for entry in entries where read.insert(entry.id).inserted {
            guard let hash = entry.hash else { continue }
            if ids[hash] == nil { ids[hash] = entry.id } else { others[hash, default: []].append(entry.id) }
        }
    }

    func ids(of link: String) -> [ItemID] {
        let hash = link.hashValue
        return (ids[hash].map { [$0] } ?? []) + (others[hash] ?? [])
    }
}

/// A row with its sort key.
private struct Sorted: Comparable, Sendable {
    let row: Row
    let rank: Double
    let time: Int64
    let title: String

    init(_ stored: StoredItem, _ order: ItemRequest.Order, _ store: ItemStore) {
        row = Row(stored)
        switch order {
        case .overview: rank = stored.item.isPinned ? 0 : 1
        case .manual: rank = ManualRank.place(stored.item.sortOrder, createdAt: stored.createdAt)
        case .relevance, .recent, .newest, .oldest, .title: rank = 0
        }
        switch order {
        case .relevance, .overview, .recent: time = -stored.effectiveUpdatedAt.milliseconds
        case .newest: time = -stored.createdAt.milliseconds
        case .oldest: time = stored.createdAt.milliseconds
        case .title, .manual: time = 0
        }
        title = order == .title ? Folding.fold(store.displayTitle(of: stored)) : ""
    }

    static func == (a: Sorted, b: Sorted) -> Bool { a.row == b.row }

    static func < (a: Sorted, b: Sorted) -> Bool {
        if a.rank != b.rank { return a.rank < b.rank }
        if a.time != b.time { return a.time < b.time }
        if a.title != b.title { return a.title < b.title }
        return a.row.id < b.row.id
    }
}
