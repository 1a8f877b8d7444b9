/// How many matching documents have each value of a property.
package struct Facets: Equatable, Sendable {
    /// A property whose values are counted.
    package enum Kind: CaseIterable, Sendable {
        case tags, collections, types
        /// Where documents came from.
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

    package struct Count: Equatable, Sendable {
        /// The folded value.
        package let value: String
        package let count: Int
    }

    /// Of the kinds that were asked for.
    private var counts: [Kind: [Count]] = [:]

    package init() {}

    /// Most frequent first, then by value.
    package internal(set) subscript(kind: Kind) -> [Count] {
        get { counts[kind] ?? [] }
        set { counts[kind] = newValue }
    }

    package var tags: [Count] { self[.tags] }
    package var collections: [Count] { self[.collections] }
    package var types: [Count] { self[.types] }
}
