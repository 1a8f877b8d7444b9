public import Search

/// The number of items that match each of some queries.
public struct LibraryCounts: Sendable {
    /// One number for each query, in the order of the queries.
    public var counts: [Int] = []
    /// Why the numbers may be wrong; `nil` if no reason is known.
    public var caveat: Caveat?
    /// Items that could not be read.
    public var faults: [ItemFault] = []
}

/// How items are counted.
public struct CountOptions: OptionSet, Sendable {
    /// One bit an option.
    public let rawValue: Int

    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Waits until the index has seen every change of the files.
    public static let fresh = CountOptions(rawValue: 1)
    /// Measures the sizes of all files, too; of `statistics` alone.
    public static let sizes = CountOptions(rawValue: 2)
}

extension Library {
    /// Counts the matches of several queries in one state of the index.
    ///
    /// - Parameters:
    ///   - queries: each is counted separately.
    ///   - options: `fresh` waits until the index has seen every change of the files.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func counts(_ queries: [Query], _ options: CountOptions = []) throws -> LibraryCounts {
        let counted = try index?.answer(waits: options.contains(.fresh)) { view in
            let searcher = try Searcher(view.snapshot)
            var answer = LibraryCounts(caveat: view.caveat, faults: view.faults)
            for query in queries {
                var request = SearchRequest(query)
                request.order = .recent
                request.limit = 1
                request.isCounted = true
                answer.counts.append(try searcher.search(request).count ?? 0)
            }
            return answer
        }
        if let counted = counted ?? nil { return counted }
        var answer = LibraryCounts()
        for query in queries {
            let found = try scan.find(ItemRequest(query, limit: 1))
            answer.counts.append(found.count)
            answer.faults = found.faults
        }
        return answer
    }
}
