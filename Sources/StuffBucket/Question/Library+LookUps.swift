internal import Files
internal import Items
internal import Search
internal import URLs

/// Look-ups by an exact link, title or id.
///
/// The index only says where to look: items are read before a look-up returns them. Without an index, all items are
/// read.
extension Library {
    /// Within this time, further look-ups of one command do not wait again.
    private static let waitPause = Duration.seconds(10)

    /// Items with one of these links, also those in the trash and those that an open step has added.
    ///
    /// - Parameter links: as `LinkIdentity.normalized` spells them.
    /// - Returns: for each link that an item has, its items, earliest first. A link without items has no entry.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func items(withLinks links: Set<String>) throws -> [String: [Row]] {
        try lookUp(links, .link, value: { Array($0.utf8) }) { stored in
            stored.item.linkURL.flatMap(LinkIdentity.init)?.normalized
        } order: { a, b in
            (a.createdAt, a.id) < (b.createdAt, b.id)
        } ?? scan.items(withLinks: links)
    }

    /// Items whose display title equals one of these after folding, live ones before trashed ones.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func items(withTitles titles: Set<String>) throws -> [String: [Row]] {
        try lookUp(titles, .title, value: { Array($0.utf8) }) { [store] stored in
            Folding.fold(store.displayTitle(of: stored))
        } order: { a, b in
            a.item.isTrashed != b.item.isTrashed ? b.item.isTrashed : a.id < b.id
        } ?? scan.items(withTitles: titles)
    }

    /// Finds items by an exact term and reads them. Terms without a match are looked up again after a sweep, so that
    /// an item that another program has just added is not added twice.
    private func lookUp(
        _ keys: Set<String>, _ kind: ExactTerm.Kind, value: (String) -> [UInt8],
        key: (StoredItem) -> String?, order: (StoredItem, StoredItem) -> Bool
    ) throws -> [String: [Row]]? {
        guard let index else { return nil }
        var found: [String: [Row]] = [:]
        for waits in [false, true] {
            let missing = keys.filter { found[$0] == nil }
            if missing.isEmpty { break }
            if waits, lastLookUpWait.withLock({ last in last.map { .now - $0 < Self.waitPause } ?? false }) { break }
            let more = try index.answer(waits: waits, startsSweep: false) {
                view -> (rows: [String: [Row]], isFresh: Bool) in
                var rows: [String: [Row]] = [:]
                for wanted in missing {
                    let candidates = try view.snapshot.keys(with: ExactTerm(kind, value(wanted)))
                    // The term may be cut, and the item changed since: its current contents decide.
                    let stored = candidates.compactMap { readable(ItemID($0)) }.filter { key($0) == wanted }
                    if !stored.isEmpty { rows[wanted] = stored.sorted(by: order).map(Row.init) }
                }
                return (rows, view.caveat == nil)
            }
            guard let more else { return nil }
            found.merge(more.rows) { $1 }
            if waits { lastLookUpWait.withLock { $0 = .now } }
            if more.isFresh { break }
        }
        return found
    }

    private func readable(_ id: ItemID) -> StoredItem? {
        guard let stored = (try? store.item(id)) ?? nil, (try? store.isPurged(stored)) == false else { return nil }
        return stored
    }

    /// Items whose id ends with these hexadecimal digits; if there are none, items whose id starts with them.
    ///
    /// - Throws: `ItemError`.
    public func items(withDigits digits: String) throws -> [Row] {
        // The last digits of an id name its shard, so one short listing also finds items that cannot be read.
        let rows = try scan.items(withOwnShardDigits: digits)
        if !rows.isEmpty { return rows }
        let wanted = Array(digits.lowercased().utf8)
        let found = try index?.answer { view -> [ItemID] in
            var ends: [ItemID] = []
            var beginnings: [ItemID] = []
            try view.snapshot.forEachDocument { key, _ in
                let all = ItemID(key).digits
                if all.suffix(wanted.count).elementsEqual(wanted) { ends.append(ItemID(key)) }
                if all.starts(with: wanted) { beginnings.append(ItemID(key)) }
            }
            return ends.isEmpty ? beginnings : ends
        }
        let known = (found ?? []).sorted().compactMap(readable).map(Row.init)
        return known.isEmpty ? try scan.items(withDigits: digits) : known
    }
}
