public import Search

/// Which items are wanted, in which order, and what is counted beside them.
public struct ItemRequest: Sendable {
    /// How items are sorted. Items that compare equal are sorted by id.
    public enum Order: String, CaseIterable, Sendable {
        /// Best match first.
        case relevance
        /// Pinned first, then as `recent`.
        case overview
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

    /// Which items match.
    public var query: Query
    /// How the hits are sorted.
    public var order: Order
    /// Whether the order is turned round.
    public var isReversed: Bool
    /// Items wanted; all if `nil`.
    public var limit: Int?
    /// What is counted over all matching items.
    public var facets: Set<Facets.Kind> = []
    /// Whether each hit tells how its score came about.
    public var isExplained = false
    /// Whether to wait until the index has seen every change of the files.
    public var isFresh = false
    /// Whether queries within one edit are looked for where nothing matches.
    public var findsCorrections = false
    /// Whether bare words also find parts of words, which reading the files does not.
    var reachesParts = true

    /// Makes a request that counts and explains nothing; a `nil` limit means all items.
    public init(_ query: Query = .everything, order: Order = .overview, isReversed: Bool = false, limit: Int? = nil) {
        self.query = query
        self.order = order
        self.isReversed = isReversed
        self.limit = limit
    }
}
