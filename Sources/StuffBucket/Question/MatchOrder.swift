internal import Items
internal import Search

/// Sorts all matches of a query. Matches have no scores, so the order by relevance is the latest change first.
struct MatchOrder {
    private let order: ItemRequest.Order
    private let isReversed: Bool

    init(_ order: ItemRequest.Order, _ isReversed: Bool) {
        self.order = order
        self.isReversed = isReversed
    }

    func sorted(_ matches: [DocumentMatch], _ searcher: Searcher) throws -> [DocumentMatch] {
        var keys: [Key] = []
        keys.reserveCapacity(matches.count)
        for (index, match) in matches.enumerated() {
            var key = Key(index: index, id: match.key)
            switch order {
            case .overview:
                let record = ItemRecordView(try searcher.stored(match))
                key.rank = record?.flags.contains(.pinned) == true ? 0 : 1
                key.time = -match.updated
            case .recent, .relevance: key.time = -match.updated
            case .newest: key.time = -match.created
            case .oldest: key.time = match.created
            case .manual: key.rank = match.place
            case .title: key.title = try ItemRecordView(searcher.stored(match))?.title
            }
            keys.append(key)
        }
        keys.sort()
        let sorted = keys.map { matches[$0.index] }
        return isReversed ? sorted.reversed() : sorted
    }

    private struct Key: Comparable {
        let index: Int
        let id: DocumentKey
        var rank = 0.0
        var time: Int64 = 0
        /// Points into the mapped index, which outlives the sorting.
        var title: UnsafeRawBufferPointer?

        static func == (a: Key, b: Key) -> Bool { a.index == b.index }

        static func < (a: Key, b: Key) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            if a.time != b.time { return a.time < b.time }
            if let x = a.title, let y = b.title, !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
            return a.id < b.id
        }
    }
}
