/// The number of matching documents for each value of a property.
public struct Facets: Equatable, Sendable {
    /// A property whose values are counted.
    public enum Kind: CaseIterable, Sendable {
        case tags, collections, types
        /// The sources of the items.
        case sources
        /// Hosts, and every domain above them.
        case sites

        var term: ExactTerm.Kind {
            switch self {
            case .tags: .tag
            case .collections: .collection
            case .types: .type
            case .sources: .source
            case .sites: .site
            }
        }
    }

    /// The number of items with a value; the value is folded.
    public struct Count: Equatable, Sendable {
        /// The folded value.
        public let value: String
        /// The number of matching items with it.
        public let count: Int
    }

    /// Only the requested kinds.
    private var counts: [Kind: [Count]] = [:]

    /// Makes facets without any counts.
    package init() {}

    /// Most frequent first, then by value.
    public internal(set) subscript(kind: Kind) -> [Count] {
        get { counts[kind] ?? [] }
        set { counts[kind] = newValue }
    }

    /// Tags, most frequent first.
    public var tags: [Count] { self[.tags] }
    /// Collections, most frequent first.
    public var collections: [Count] { self[.collections] }
    /// Types of items, most frequent first.
    public var types: [Count] { self[.types] }
}
