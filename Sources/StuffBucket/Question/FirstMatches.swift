internal import Search

/// The first items of a list, found without sorting all of them.
struct FirstMatches {
    private let request: ItemRequest
    private let order: SearchRequest.Order
    private let limit: Int

    /// - Returns: `nil` if all items must be sorted or ranked: without a limit, by title, in reverse, or by
    ///   relevance.
    init?(_ request: ItemRequest) {
        guard let limit = request.limit, !request.isReversed else { return nil }
        switch request.order {
        case .overview, .recent: order = .recent
        case .newest: order = .newest
        case .oldest: order = .oldest
        case .manual: order = .manual
        case .title, .relevance: return nil
        }
        self.request = request
        self.limit = limit
    }

    func found(_ searcher: Searcher) throws -> (keys: [DocumentKey], count: Int) {
        let all = try search(request.query, limit: limit, searcher)
        let count = all.count ?? all.hits.count
        if request.order != .overview { return (all.hits.map(\.key), count) }
        // Pinned items first, then the others. No more than `limit` of either are needed.
        let pinned = try search(.and([request.query, .filter(.state(.pinned))]), limit: limit, searcher).hits.map(\.key)
        if pinned.isEmpty { return (all.hits.map(\.key), count) }
        let others = try search(.and([request.query, .not(.filter(.state(.pinned)))]), limit: limit, searcher).hits
        return (Array((pinned + others.map(\.key)).prefix(limit)), count)
    }

    private func search(_ query: Query, limit: Int, _ searcher: Searcher) throws -> SearchAnswer {
        var search = SearchRequest(query)
        search.order = order
        search.limit = limit
        search.isCounted = true
        search.reachesParts = request.reachesParts
        return try searcher.search(search)
    }
}
