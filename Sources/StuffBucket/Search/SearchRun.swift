internal import Items
internal import Search

/// One search in one state of the index.
struct SearchRun {
    private let search: LibrarySearch
    private let view: IndexView

    init(_ search: LibrarySearch, _ view: IndexView) {
        self.search = search
        self.view = view
    }

    func answer() throws -> LibraryAnswer {
        var answer = LibraryAnswer()
        answer.faults = view.faults
        answer.staleness = view.staleness
        let searcher = try Searcher(view.snapshot)
        if let order = searchOrder {
            var request = SearchRequest(search.query)
            request.order = order
            // The worst first: all must be known.
            request.limit = search.isReversed && !isTurned ? nil : search.limit
            request.isCounted = true
            request.facets = search.facets
            request.isExplained = search.isExplained
            let found = try searcher.search(request)
            var hits: [LibraryAnswer.Hit] = []
            hits.reserveCapacity(found.hits.count)
            for (number, hit) in found.hits.enumerated() {
                hits.append(
                    LibraryAnswer.Hit(
                        row: try view.row(hit.key), score: hit.score,
                        explanation: number < found.explanations.count ? found.explanations[number] : nil))
            }
            if search.isReversed, !isTurned { hits.reverse() }
            answer.hits = Array(hits.prefix(search.limit ?? .max))
            answer.count = found.count ?? hits.count
            answer.facets = found.facets
        } else {
            let matches = try MatchOrder(search.order.listOrder, search.isReversed)
                .sorted(searcher.matches(search.query), searcher)
            answer.count = matches.count
            answer.hits = try matches.prefix(search.limit ?? .max).map {
                LibraryAnswer.Hit(row: try searcher.row($0), score: 0, explanation: nil)
            }
            if !search.facets.isEmpty {
                var request = SearchRequest(search.query)
                request.limit = 1
                request.facets = search.facets
                answer.facets = try searcher.search(request).facets
            }
        }
        if answer.count == 0 { answer.corrections = try corrections(searcher) }
        return answer
    }

    private var isTurned: Bool { search.order == .newest || search.order == .oldest }

    /// `nil` where all matches must be sorted outside of the index.
    private var searchOrder: SearchRequest.Order? {
        // All of many are sorted faster at once than one by one.
        if search.limit == nil, search.order != .relevance { return nil }
        return switch search.order {
        case .relevance: .relevance
        case .recent: search.isReversed ? nil : .recent
        case .newest: search.isReversed ? .oldest : .newest
        case .oldest: search.isReversed ? .newest : .oldest
        case .title: nil
        case .manual: search.isReversed ? nil : .manual
        }
    }

    // MARK: Corrections

    /// The query with one word after another put right, as far as something matches then; at most three.
    private func corrections(_ searcher: Searcher) throws -> [String] {
        var found: [String] = []
        for word in Set(search.query.plainWords).sorted() {
            for correction in try view.snapshot.corrections(word) {
                let query = search.query.replacing(word, with: correction)
                var request = SearchRequest(query)
                request.limit = 1
                if !found.contains(query.typed), try !searcher.search(request).hits.isEmpty {
                    found.append(query.typed)
                }
                if found.count == 3 { return found }
            }
        }
        return found
    }
}
