/// A request to the index.
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
        /// Smallest rank first. A document without a rank is placed at the seconds from 1970 to its creation.
        case manual
    }

    package var query: Query
    package var order = Order.relevance
    /// The largest number of hits; `nil` for all.
    package var limit: Int?
    /// Whether to count all matching documents, including those beyond the limit.
    package var isCounted = false
    /// Whether bare words also match parts of words (SearchIndex.md § I1.3); otherwise only plain tokens and bigrams.
    package var reachesParts = true

    /// The facets to count over all matching documents.
    package var facets: Set<Facets.Kind> = []
    /// Whether the answer explains each score.
    package var isExplained = false

    package init(_ query: Query) { self.query = query }

    /// Whether every matching document must be evaluated.
    var needsAll: Bool { limit == nil || isCounted || !facets.isEmpty || isExplained }
}

/// A document that matches.
package struct SearchHit: Equatable, Sendable {
    package let key: DocumentKey
    /// The BM25F score in the order by relevance; otherwise 0.
    package let score: Double
}

package struct SearchAnswer: Sendable {
    package var hits: [SearchHit] = []
    /// The number of matches; `nil` if they were not counted.
    package var count: Int?
    package var facets: Facets?
    /// One for each hit, if requested.
    package var explanations: [ScoreExplanation] = []
}
