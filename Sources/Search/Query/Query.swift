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
    /// `"…"`: these words in a row, whole, in one field.
    case phrase(String)
    /// `key:value`.
    case filter(Filter)
    /// All of these.
    case and([Query])
    /// One of these; of none, nothing.
    case or([Query])
    /// Not this.
    case not(Query)

    /// Whether trashed items are among the results: only if they are asked for by `trashcan`, `is:trashed` or
    /// `tag:trashcan`.
    package var revealsTrash: Bool {
        switch self {
        case .everything, .phrase, .prefix, .not: false
        case .word(let word): Folding.fold(word) == "trashcan"
        case .filter(let filter): filter.revealsTrash
        case .and(let parts), .or(let parts): parts.contains(where: \.revealsTrash)
        }
    }

    /// Tags and collections that the query asks for, folded, for marking them in rows.
    package var activeTags: [Filter] {
        switch self {
        case .everything, .phrase, .prefix, .not, .word: []
        case .filter(let filter): [filter]
        case .and(let parts), .or(let parts): parts.flatMap(\.activeTags)
        }
    }
}

/// A condition on an item's properties.
public enum Filter: Equatable, Sendable {
    /// `type:`
    case type(String)
    /// `tag:`, the whole tag, without case and diacritics.
    case tag(String)
    /// `collection:`, with what is nested in it.
    case collection(String)
    /// `source:`
    case source(String)
    /// `site:`, a host with its subdomains.
    case site(String)
    /// `is:`
    case state(State)
    /// `has:`
    case part(Part)
    /// `status:`
    case status(Status)
    /// `created:` and `date:`
    case created(DateSpan)
    /// `updated:`
    case updated(DateSpan)

    /// Words behind `is:`.
    public enum State: String, CaseIterable, Sendable {
        case favorite, pinned, trashed, dead, untitled, conflicted
    }

    /// Words behind `has:`.
    public enum Part: String, CaseIterable, Sendable {
        case text, link, document, archive
    }

    /// Words behind `status:`: how far the page was saved, and what the last check of the link found.
    public enum Status: String, CaseIterable, Sendable {
        case pending, full, partial, failed, unavailable, live, valid, dead, unknown
    }

    /// The filter's name as it is typed.
    package var key: String {
        switch self {
        case .type: "type"
        case .tag: "tag"
        case .collection: "collection"
        case .source: "source"
        case .site: "site"
        case .state: "is"
        case .part: "has"
        case .status: "status"
        case .created: "created"
        case .updated: "updated"
        }
    }

    /// What stands behind the colon.
    package var value: String {
        switch self {
        case .type(let value), .tag(let value), .collection(let value), .source(let value), .site(let value): value
        case .state(let state): state.rawValue
        case .part(let part): part.rawValue
        case .status(let status): status.rawValue
        case .created(let span), .updated(let span): span.spelling
        }
    }

    var revealsTrash: Bool {
        switch self {
        case .state(.trashed): true
        case .tag(let tag): Folding.fold(tag) == "trashcan"
        default: false
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
        case .filter(let filter): filter.key + ":" + Self.quoted(filter.value)
        case .and(let parts): "(" + parts.map(\.description).joined(separator: " AND ") + ")"
        case .or([]): "nothing"
        case .or(let parts): "(" + parts.map(\.description).joined(separator: " OR ") + ")"
        case .not(let part): "NOT " + part.description
        }
    }

    private static func quoted(_ value: String) -> String {
        value.contains { $0.isWhitespace || "()|".contains($0) } ? "\"\(value)\"" : value
    }
}
