internal import Items
internal import Search

/// One request in one state of the index.
struct IndexRun {
    private let request: ItemRequest
    private let view: IndexView

    init(_ request: ItemRequest, _ view: IndexView) {
        self.request = request
        self.view = view
    }

    func answer() throws -> ItemAnswer {
        var answer = ItemAnswer()
        answer.faults = view.faults
        answer.caveat = view.caveat
        let searcher = try Searcher(view.snapshot)
        if request.order == .relevance {
            try rank(searcher, &answer)
        } else {
            if let first = try FirstMatches(request)?.found(searcher) {
                answer.count = first.count
                answer.hits = try first.keys.map { ItemAnswer.Hit(row: try view.row($0)) }
            } else {
                let sorted = try MatchOrder(request.order, request.isReversed)
                    .sorted(searcher.matches(request.query, reachesParts: request.reachesParts), searcher)
                answer.count = sorted.count
                answer.hits = try sorted.prefix(request.limit ?? .max).map {
                    ItemAnswer.Hit(row: try searcher.row($0))
                }
            }
            if !request.facets.isEmpty {
                var counting = SearchRequest(request.query)
                counting.order = .recent
                counting.limit = 1
                counting.facets = request.facets
                counting.reachesParts = request.reachesParts
                answer.facets = try searcher.search(counting).facets
            }
        }
        if answer.count == 0, request.findsCorrections { answer.corrections = try corrections(searcher) }
        return answer
    }

    /// Adds the best matches to the answer.
    private func rank(_ searcher: Searcher, _ answer: inout ItemAnswer) throws {
        var search = SearchRequest(request.query)
        // The worst first: all scores are needed.
        search.limit = request.isReversed ? nil : request.limit
        search.isCounted = true
        search.facets = request.facets
        search.isExplained = request.isExplained
        search.reachesParts = request.reachesParts
        let found = try searcher.search(search)
        var hits = try found.hits.enumerated().map { number, hit in
            ItemAnswer.Hit(
                row: try view.row(hit.key), score: hit.score,
                explanation: number < found.explanations.count ? found.explanations[number] : nil)
        }
        if request.isReversed { hits = Array(hits.reversed().prefix(request.limit ?? .max)) }
        answer.hits = hits
        answer.count = found.count ?? hits.count
        answer.facets = found.facets
    }

    // MARK: Corrections

    /// The query with up to three words corrected, one after the other, until something matches.
    private func corrections(_ searcher: Searcher) throws -> [String] {
        var found: [String] = []
        for word in Set(request.query.plainWords).sorted() {
            for correction in try view.snapshot.corrections(word) {
                let query = request.query.replacing(word, with: correction)
                var search = SearchRequest(query)
                search.limit = 1
                if !found.contains(query.typed), try !searcher.search(search).hits.isEmpty {
                    found.append(query.typed)
                }
                if found.count == 3 { return found }
            }
        }
        return found
    }
}

extension Searcher {
    /// The folder of a match, as the index knows it.
    func row(_ match: DocumentMatch) throws -> Row {
        let id = ItemID(match.key)
        guard let record = ItemRecordView(try stored(match)) else {
            return Row(id: id, folder: Layout.itemFolder(id), isTrashed: false)
        }
        return record.row(id)
    }
}
