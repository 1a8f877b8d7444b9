package import Search

/// How many items match each of some queries.
package struct LibraryCounts: Sendable {
    package var counts: [Int] = []
    /// What may be missing, as a sentence.
    package var staleness: String?
    /// Items that could not be read, as sentences.
    package var faults: [String] = []
}

extension Library {
    /// Counts the matches of several queries in one state of the index.
    ///
    /// - Parameter isFresh: whether to wait until the index has seen every change of the files.
    package func counts(_ queries: [Query], isFresh: Bool = false) throws -> LibraryCounts {
        let counted = try index?.answer(waits: isFresh) { view in
            let searcher = try Searcher(view.snapshot)
            var answer = LibraryCounts(staleness: view.staleness, faults: view.faults)
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
            let listing = try ScanningCatalog(store).list(ListRequest(query, limit: 1))
            answer.counts.append(listing.count)
            answer.faults = listing.faults
        }
        return answer
    }
}
