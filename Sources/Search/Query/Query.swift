/// What is searched for, as a tree.
///
/// Grammar: FORMAT-independent, `sbfs help query`. `QueryParser` makes it from text and never fails.
public indirect enum Query: Equatable, Sendable {
    /// Every item.
    case everything
    /// What people type: whole words and words that start with it.
    case word(String)
    /// `word*`: words that start with it, however short it is.
    case prefix(String)
    /// `"…"`: these words in sequence, whole, in one field.
    case phrase(String)
    /// `key:value`.
    case filter(Filter)
    /// All of these.
    case and([Query])
    /// One of these; of none, nothing.
    case or([Query])
    /// Not this.
    case not(Query)

    /// Whether trashed items are among the results: only if they are requested by `trashcan`, `is:trashed` or
    /// `tag:trashcan`.
    public var revealsTrash: Bool {
        switch self {
        case .everything, .phrase, .prefix, .not: false
        case .word(let word): Folding.fold(word) == "trashcan"
        case .filter(let filter): filter.revealsTrash
        case .and(let parts), .or(let parts): parts.contains(where: \.revealsTrash)
        }
    }

    /// Tags and collections that the query asks for, folded, for marking them in rows.
    public var activeTags: [Filter] {
        switch self {
        case .everything, .phrase, .prefix, .not, .word: []
        case .filter(let filter): [filter]
        case .and(let parts), .or(let parts): parts.flatMap(\.activeTags)
        }
    }
}

extension Query: CustomStringConvertible {
    /// The reading of a query, fully bracketed: what `--explain` shows.
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
