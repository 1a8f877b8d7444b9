internal import Files
package import Items
internal import Search
private import Synchronization
internal import URLs

/// Answers from the search index; by reading every item where there is none and none can be made.
///
/// What the index says is only where to look: items are read before a look-up names them.
package final class IndexedCatalog: Catalog {
    private let store: ItemStore
    let index: LibraryIndex?
    private let scanning: ScanningCatalog
    /// Whether bare words also find parts of words, which a scan does not.
    private let reachesParts: Bool
    /// When a look-up has last waited for all files to be compared.
    private let lastWait = Mutex<ContinuousClock.Instant?>(nil)
    /// Many look-ups of one command wait once in this time.
    private static let waitPause = Duration.seconds(10)

    /// - Parameter startSweep: starts a process that compares the files with the index; `nil` for none.
    package convenience init(
        _ store: ItemStore, reachesParts: Bool = true, startSweep: (@Sendable () -> Void)? = nil
    ) {
        self.init(store, LibraryIndex(store, startSweep: startSweep), reachesParts: reachesParts)
    }

    init(_ store: ItemStore, _ index: LibraryIndex?, reachesParts: Bool = true) {
        self.store = store
        self.reachesParts = reachesParts
        self.index = index
        scanning = ScanningCatalog(store)
    }

    // MARK: Lists

    package func list(_ request: ListRequest) throws -> Listing {
        let listing = try index?.answer(waits: request.isFresh) { view in
            let searcher = try Searcher(view.snapshot)
            var listing = Listing(rows: [], count: 0, faults: view.faults, staleness: view.staleness)
            if let first = try FirstMatches(request, reachesParts: reachesParts)?.found(searcher) {
                listing.count = first.count
                listing.rows = try first.keys.map { try view.row($0) }
                return listing
            }
            let sorted = try MatchOrder(request.order, request.isReversed).sorted(
                searcher.matches(request.query, reachesParts: reachesParts), searcher)
            listing.count = sorted.count
            listing.rows.reserveCapacity(min(sorted.count, request.limit ?? .max))
            for match in sorted.prefix(request.limit ?? .max) { listing.rows.append(try searcher.row(match)) }
            return listing
        }
        guard let listing = listing ?? nil else { return try scanning.list(request) }
        // Answered at once from an index that may be behind: what is shown is looked at, and the whole if it is much.
        if listing.staleness != nil, try !(index?.catchUp(listing.rows) ?? true) {
            var again = request
            again.isFresh = listing.rows.count > LibraryIndex.showLimit
            return try list(again)
        }
        return listing
    }

    // MARK: Look-ups

    package func items(withLinks links: Set<String>) throws -> [String: [Row]] {
        try lookUp(links, .link, value: { Array($0.utf8) }) { stored in
            stored.item.linkURL.flatMap(LinkIdentity.init)?.normalized
        } order: { a, b in
            (a.createdAt, a.id) < (b.createdAt, b.id)
        } ?? scanning.items(withLinks: links)
    }

    package func items(withTitles titles: Set<String>) throws -> [String: [Row]] {
        try lookUp(titles, .title, value: { Array($0.utf8) }) { [store] stored in
            Folding.fold(store.displayTitle(of: stored))
        } order: { a, b in
            a.item.isTrashed != b.item.isTrashed ? b.item.isTrashed : a.id < b.id
        } ?? scanning.items(withTitles: titles)
    }

    /// Finds items by an exact term and reads them. What is not found at first is looked for again in an index that has
    /// seen all files, so that nothing is added twice because another program was quicker than the sweep.
    private func lookUp(
        _ keys: Set<String>, _ kind: ExactTerm.Kind, value: (String) -> [UInt8],
        key: (StoredItem) -> String?, order: (StoredItem, StoredItem) -> Bool
    ) throws -> [String: [Row]]? {
        guard let index else { return nil }
        var found: [String: [Row]] = [:]
        for waits in [false, true] {
            let missing = keys.filter { found[$0] == nil }
            if missing.isEmpty { break }
            if waits, lastWait.withLock({ last in last.map { .now - $0 < Self.waitPause } ?? false }) { break }
            let more = try index.answer(waits: waits, startsSweep: false) {
                view -> (rows: [String: [Row]], isFresh: Bool) in
                var rows: [String: [Row]] = [:]
                for wanted in missing {
                    let candidates = try view.snapshot.keys(with: ExactTerm(kind, value(wanted)))
                    // The term may be cut, and the item changed: what it says now counts.
                    let stored = candidates.compactMap { readable(ItemID($0)) }.filter { key($0) == wanted }
                    if !stored.isEmpty { rows[wanted] = stored.sorted(by: order).map(Row.init) }
                }
                return (rows, view.staleness == nil)
            }
            guard let more else { return nil }
            found.merge(more.rows) { $1 }
            if waits { lastWait.withLock { $0 = .now } }
            if more.isFresh { break }
        }
        return found
    }

    private func readable(_ id: ItemID) -> StoredItem? {
        guard let stored = (try? store.item(id)) ?? nil, (try? store.isPurged(stored)) == false else { return nil }
        return stored
    }

    package func items(withDigits digits: String) throws -> [Row] {
        // The folders tell the ends of ids, also of items that cannot be read: their own shard is a short list.
        let rows = try scanning.items(withOwnShardDigits: digits)
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
        return known.isEmpty ? try scanning.items(withDigits: digits) : known
    }
}

extension LibraryIndex {
    /// More rows than this are not looked at one by one.
    static let showLimit = 5000

    /// Looks at items that are about to be shown, and takes in those that changed.
    ///
    /// - Returns: whether all of them are as the index has them.
    func catchUp(_ rows: [Row]) throws -> Bool {
        if rows.count > Self.showLimit { return false }
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return true }
        var changed: [ItemID] = []
        for row in rows {
            let path = ItemPath(prefix: String(row.folder.dropLast(36)))
            path.set(row.id)
            let isSame = try snapshot.stored(DocumentKey(row.id))?.withUnsafeBytes { bytes -> Bool in
                guard let record = ItemRecordView(bytes), case .same = try record.compare(store.root, path) else {
                    return false
                }
                return true
            }
            if isSame == false { changed.append(row.id) }
        }
        if changed.isEmpty { return true }
        return try !refresh(changed, in: folder, patience: .milliseconds(500))
    }
}

extension Searcher {
    /// Where a match is, as far as the index knows.
    func row(_ match: DocumentMatch) throws -> Row {
        let id = ItemID(match.key)
        guard let record = ItemRecordView(try stored(match)) else {
            return Row(id: id, folder: Layout.itemFolder(id), isTrashed: false)
        }
        return record.row(id)
    }
}
