public import Search

/// A question for items: which ones, in which order, and what to count.
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

    /// Which end of the order comes first.
    public enum Direction: Sendable {
        /// As `Order` says.
        case forward
        /// The last item comes first.
        case reversed
    }

    /// The items that match.
    public var query: Query
    /// The order of the hits.
    public var order: Order
    /// Whether the hits come in this order or in the opposite one.
    public var direction: Direction
    /// The largest number of hits; `nil` for all.
    public var limit: Int?
    /// The facets to count over all matching items.
    public var facets: Set<Facets.Kind> = []
    /// Whether each hit explains its score.
    public var isExplained = false
    /// Whether to wait until the index has seen every change of the files; false unless set.
    public var isFresh = false
    /// Whether to look for corrected queries if nothing matches; false unless set.
    public var findsCorrections = false
    /// Whether bare words also match parts of words; without an index they do not.
    var reachesParts = true
    /// Whether the hits come in the opposite order.
    var isReversed: Bool { direction == .reversed }

    /// Makes a request without facets and explanations; a `nil` limit means all items.
    public init(
        _ query: Query = .everything, order: Order = .overview, _ direction: Direction = .forward, limit: Int? = nil
    ) {
        self.query = query
        self.order = order
        self.direction = direction
        self.limit = limit
    }
}
