/// A query as a tree.
///
/// `QueryParser` describes the grammar and makes a query from any text.
public indirect enum Query: Equatable, Sendable {
    /// Every item.
    case everything
    /// A bare word: the whole word, and words with it as prefix.
    case word(String)
    /// `word*`: words with this prefix, however short.
    case prefix(String)
    /// `"…"`: these whole words in sequence, in one field.
    case phrase(String)
    /// `key:value`.
    case filter(Filter)
    /// All of these conditions.
    case and([Query])
    /// At least one of these conditions; without any, nothing matches.
    case or([Query])
    /// Items that do not match the condition.
    case not(Query)

    /// The same query, in which a filter finds also what another finds.
    func widening(_ filter: Filter, by other: Filter) -> Query {
        switch self {
        case .filter(filter): .or([self, .filter(other)])
        case .and(let parts): .and(parts.map { $0.widening(filter, by: other) })
        case .or(let parts): .or(parts.map { $0.widening(filter, by: other) })
        case .not(let part): .not(part.widening(filter, by: other))
        case .everything, .word, .prefix, .phrase, .filter: self
        }
    }

    /// Whether the results include trashed items: only if the query contains `trashcan`, `is:trashed` or
    /// `tag:trashcan`.
    package var revealsTrash: Bool {
        switch self {
        case .everything, .phrase, .prefix, .not: false
        case .word(let word): Folding.fold(word) == "trashcan"
        case .filter(let filter): filter.revealsTrash
        case .and(let parts), .or(let parts): parts.contains(where: \.revealsTrash)
        }
    }

    /// All filters of the query, also those under a "not".
    package var allFilters: [Filter] {
        switch self {
        case .filter(let filter): [filter]
        case .and(let parts), .or(let parts): parts.flatMap(\.allFilters)
        case .not(let part): part.allFilters
        case .everything, .word, .prefix, .phrase: []
        }
    }

    /// Tags and collections in the query, folded; lists highlight them.
    public var activeTags: [Filter] {
        switch self {
        case .everything, .phrase, .prefix, .not, .word: []
        case .filter(let filter): [filter]
        case .and(let parts), .or(let parts): parts.flatMap(\.activeTags)
        }
    }
}

extension Query: CustomStringConvertible {
    /// The parsed query with all brackets, as `--explain` shows it.
    public var description: String {
        switch self {
        case .everything: "everything"
        case .word(let word): word
        case .prefix(let word): word + "*"
        case .phrase(let text): "\"\(text)\""
        case .filter(let filter): filter.typed
        case .and(let parts): "(" + parts.map(\.description).joined(separator: " AND ") + ")"
        case .or([]): "nothing"
        case .or(let parts): "(" + parts.map(\.description).joined(separator: " OR ") + ")"
        case .not(let part): "NOT " + part.description
        }
    }
}
