/// What is asked of the index.
package struct SearchRequest: Sendable {
    package enum Order: Sendable {
        /// Best match first.
        case relevance
        /// Latest change first.
        case recent
        /// Latest `created` first.
        case newest
        /// Earliest `created` first.
        case oldest
        /// Smallest rank first; what has none is at the seconds from 1970 to its making.
        case manual
    }

    package var query: Query
    package var order = Order.relevance
    /// Hits wanted; all if `nil`.
    package var limit: Int?
    /// Whether all matching documents are counted, also those beyond the limit.
    package var isCounted = false
    /// Whether bare words also find parts of words (CamelCase, unspaced scripts); plain tokens only if not.
    package var reachesParts = true

    /// What is counted over all matching documents.
    package var facets: Set<Facets.Kind> = []
    /// Whether the answer says how each score came about.
    package var isExplained = false

    package init(_ query: Query) { self.query = query }

    /// Whether every matching document must be looked at.
    var needsAll: Bool { limit == nil || isCounted || !facets.isEmpty || isExplained }
}

/// A document that matches.
package struct SearchHit: Equatable, Sendable {
    package let key: DocumentKey
    /// BM25F for relevance, else 0.
    package let score: Double
}

package struct SearchAnswer: Sendable {
    package var hits: [SearchHit] = []
    /// Documents that match; `nil` if they were not counted.
    package var count: Int?
    package var facets: Facets?
    /// For each hit, if requested.
    package var explanations: [ScoreExplanation] = []
}
