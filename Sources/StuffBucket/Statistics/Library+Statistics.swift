internal import Files
internal import Items
public import Search
private import Synchronization
internal import Time

extension Library {
    /// Counts the matches of a query in the index.
    ///
    /// - Parameters:
    ///   - query: the items to count.
    ///   - options: `fresh` waits until the index has seen every change of the files; `sizes` measures all files, too.
    ///   - monitor: is told items done and in all, and cancels.
    /// - Returns: `nil` if there is no index and none can be built.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func statistics(
        _ query: Query, _ options: CountOptions = [], _ monitor: Monitor = Monitor()
    ) throws -> LibraryStatistics? {
        guard let index else { return nil }
        var rows: [Row] = []
        var statistics = try index.answer(waits: options.contains(.fresh), monitor: monitor) { view in
            let searcher = try Searcher(view.snapshot)
            var statistics = try Self.count(query, searcher)
            statistics.faults = view.faults
            statistics.caveat = view.caveat
            if options.contains(.sizes) { rows = try searcher.matches(query).map { try searcher.row($0) } }
            return statistics
        }
        guard statistics != nil else { return nil }
        for (path, folder) in [
            (\LibraryStatistics.tags, NamedFolder.tags), (\LibraryStatistics.collections, .collections),
        ] {
            let counts = statistics?[keyPath: path] ?? []
            let names = try spellings(of: counts.prefix(Self.spelledCount).map(\.name), in: folder)
            statistics?[keyPath: path] =
                zip(names, counts).map { LibraryStatistics.Count(name: $0, count: $1.count) }
                + counts.dropFirst(Self.spelledCount)
        }
        if options.contains(.sizes) { statistics?.sizes = try sizes(of: rows, monitor) }
        return statistics
    }

    /// This number of tags and collections get their spelling from an item; the others stay folded.
    private static let spelledCount = 100

    private static func count(_ query: Query, _ searcher: Searcher) throws -> LibraryStatistics {
        func count(_ parts: [Query]) throws -> Int {
            var request = SearchRequest(parts.count == 1 ? parts[0] : .and(parts))
            request.limit = 1
            request.isCounted = true
            return try searcher.search(request).count ?? 0
        }
        var request = SearchRequest(query)
        request.limit = 1
        request.order = .recent
        request.isCounted = true
        request.facets = [.types, .tags, .collections, .sites, .sources]
        let answer = try searcher.search(request)
        let facets = answer.facets ?? Facets()
        func counts(_ kind: Facets.Kind) -> [LibraryStatistics.Count] {
            facets[kind].map { LibraryStatistics.Count(name: $0.value, count: $0.count) }
        }
        var statistics = LibraryStatistics()
        statistics.items = answer.count ?? 0
        statistics.trashed = try count([query, .filter(.state(.trashed))])
        statistics.kinds = ["snippet", "link", "document"].map { kind in
            LibraryStatistics.Count(name: kind, count: facets.types.first { $0.value == kind }?.count ?? 0)
        }
        statistics.tags = counts(.tags).filter { !TagList.isReserved($0.name) }
        statistics.collections = counts(.collections)
        statistics.sources = counts(.sources)
        statistics.sites = SiteCounts.own(facets[.sites])
        let states: [Filter.Status] = [.full, .partial, .pending, .failed, .unavailable, .live]
        statistics.archives = try states.map {
            LibraryStatistics.Count(name: $0.rawValue, count: try count([query, .filter(.status($0))]))
        }
        statistics.checks = try [Filter.Status.valid, .dead, .unknown].map {
            LibraryStatistics.Count(name: $0.rawValue, count: try count([query, .filter(.status($0))]))
        }
        statistics.months = MonthCounts.counts(try searcher.matches(query).map(\.created))
        return statistics
    }

    // MARK: Sizes

    private func sizes(of rows: [Row], _ monitor: Monitor) throws -> SizeStatistics {
        let total = Mutex(SizeStatistics())
        let largest = Mutex<[(row: Row, bytes: Int)]>([])
        let done = Atomic<Int>(0)
        let chunk = 64
        try Workers.run((rows.count + chunk - 1) / chunk) { [store] piece in
            let part = rows[piece * chunk..<min(rows.count, (piece + 1) * chunk)]
            for row in part {
                // An item removed meanwhile has no size.
                guard let size = try? ItemSize(store, row.folder) else { continue }
                total.withLock { size.add(to: &$0.parts) }
                largest.withLock { largest in
                    largest.append((row, size.bytes))
                    if largest.count > 1000 { Self.keepLargest(&largest) }
                }
            }
            monitor.show(done.add(part.count, ordering: .relaxed).newValue, of: rows.count)
            try monitor.check()
        }
        var sizes = total.withLock { $0 }
        sizes.largest = largest.withLock { largest in
            Self.keepLargest(&largest)
            return largest.compactMap { row, bytes in
                (try? item(row)).map { ($0.id, store.displayTitle(of: $0), bytes) }
            }
        }
        return sizes
    }

    private static func keepLargest(_ items: inout [(row: Row, bytes: Int)]) {
        items.sort { ($1.bytes, $0.row.id) < ($0.bytes, $1.row.id) }
        items.removeLast(max(0, items.count - 10))
    }
}
