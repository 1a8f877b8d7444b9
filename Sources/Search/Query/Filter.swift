/// A condition on an item's properties.
public enum Filter: Equatable, Sendable {
    /// `type:`
    case type(String)
    /// `tag:`, a whole tag, without regard to case and diacritics.
    case tag(String)
    /// `tag:sw*`, a tag with this prefix; an empty prefix matches any tag.
    case tagBeginning(String)
    /// `collection:`, including nested ones.
    case collection(String)
    /// `collection:Wo*`, a collection whose whole name has this prefix; an empty prefix matches any collection.
    case collectionBeginning(String)
    /// `source:`
    case source(String)
    /// `site:`, a host including its subdomains.
    case site(String)
    /// `title:`, words of the title that lists show.
    case title(Words)
    /// `author:`, words of the page's author.
    case author(Words)
    /// `text:`, words of all texts except title, tags and collections.
    case text(Words)
    /// `url:`, a piece of the normalised link.
    case url(String)
    /// `lang:`, a language including its variants.
    case language(String)
    /// `is:`
    case state(State)
    /// `has:`
    case part(Part)
    /// `status:`
    case status(Status)
    /// `created:` and `date:`; `after:` and `before:` are comparisons with it.
    case created(DateSpan)
    /// `updated:`
    case updated(DateSpan)

    /// Words after a colon. They have their usual meaning, but in one field.
    public enum Words: Equatable, Sendable {
        /// As typed: the whole word, and words with it as prefix.
        case word(String)
        /// `word*`
        case prefix(String)
        /// `"…"`
        case phrase(String)

        /// The same words, searched in all fields.
        public var query: Query {
            switch self {
            case .word(let text): .word(text)
            case .prefix(let text): .prefix(text)
            case .phrase(let text): .phrase(text)
            }
        }
    }

    /// Words after `is:`.
    public enum State: String, CaseIterable, Sendable {
        case favorite, pinned, trashed, dead, untitled, untagged, uncategorized, conflicted
    }

    /// Words after `has:`.
    public enum Part: String, CaseIterable, Sendable {
        case text, link, document, archive, note, reader, snapshot, favicon
    }

    /// Words after `status:`: how completely the page was saved, where its files are, and the result of the last check of the link.
    public enum Status: String, CaseIterable, Sendable {
        case pending, full, partial, failed, unavailable, away, live, valid, dead, unknown
    }

    /// The filter's name, as typed.
    public var key: String {
        switch self {
        case .type: "type"
        case .tag, .tagBeginning: "tag"
        case .collection, .collectionBeginning: "collection"
        case .source: "source"
        case .site: "site"
        case .title: "title"
        case .author: "author"
        case .text: "text"
        case .url: "url"
        case .language: "lang"
        case .state: "is"
        case .part: "has"
        case .status: "status"
        case .created: "created"
        case .updated: "updated"
        }
    }

    /// The part after the colon, without quotes.
    public var value: String {
        switch self {
        case .type(let value), .tag(let value), .collection(let value), .source(let value), .site(let value),
            .url(let value), .language(let value):
            value
        case .tagBeginning(let value), .collectionBeginning(let value): value + "*"
        case .title(let words), .author(let words), .text(let words):
            switch words {
            case .word(let text), .phrase(let text): text
            case .prefix(let text): text + "*"
            }
        case .state(let state): state.rawValue
        case .part(let part): part.rawValue
        case .status(let status): status.rawValue
        case .created(let span), .updated(let span): span.spelling
        }
    }

    /// The filter as a person would type it, with quotes if it needs them.
    package var typed: String {
        let value = value
        let needsQuotes = value.contains { $0.isWhitespace || "()|".contains($0) }
        let quoted =
            switch self {
            case .tagBeginning, .collectionBeginning, .title(.prefix), .author(.prefix), .text(.prefix):
                needsQuotes ? "\"\(value.dropLast())\"*" : value
            case .title(.phrase), .author(.phrase), .text(.phrase): "\"\(value)\""
            case .tag, .collection: needsQuotes || value.hasSuffix("*") ? "\"\(value)\"" : value
            default: needsQuotes ? "\"\(value)\"" : value
            }
        return key + ":" + quoted
    }

    var revealsTrash: Bool {
        switch self {
        case .state(.trashed): true
        case .tag(let tag): Folding.fold(tag) == "trashcan"
        default: false
        }
    }
}
