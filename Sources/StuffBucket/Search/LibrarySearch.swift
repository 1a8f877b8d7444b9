package import Search

/// What a person asks of a library.
package struct LibrarySearch: Sendable {
    /// How hits are sorted.
    package enum Order: String, CaseIterable, Sendable {
        /// Best match first.
        case relevance
        /// Effective updatedAt, latest first.
        case recent
        /// createdAt, latest first.
        case newest
        /// createdAt, earliest first.
        case oldest
        /// Display title, folded.
        case title
        /// sortOrder, smallest first; without one, the seconds from 1970 to createdAt (`ManualRank`).
        case manual
    }

    package var query: Query
    package var order = Order.relevance
    package var isReversed = false
    /// Hits wanted; all if `nil`.
    package var limit: Int?
    /// What is counted over all matching items.
    package var facets: Set<Facets.Kind> = []
    /// Whether each hit tells how its score came about.
    package var isExplained = false
    /// Whether to wait until the index has seen every change of the files.
    package var isFresh = false

    package init(_ query: Query) { self.query = query }
}

/// The answer, with what a person should know about it.
package struct LibraryAnswer: Sendable {
    package struct Hit: Sendable {
        package let row: Row
        /// BM25F; 0 where hits are sorted otherwise.
        package let score: Double
        /// How the score came about, if asked for.
        package let explanation: ScoreExplanation?
    }

    package var hits: [Hit] = []
    /// Items that match, also beyond the limit.
    package var count = 0
    package var facets: Facets?
    /// Queries within one edit that would match, where nothing did.
    package var corrections: [String] = []
    /// What may be missing because the index has not seen it yet, as a sentence; `nil` if nothing.
    package var staleness: String?
    /// Items that could not be read, as sentences.
    package var faults: [String] = []
}
