public import Search

extension Query {
    /// Highlights the query's words in the texts of matching items.
    public var highlighter: Highlighter { Highlighter(highlightTerms) }

    private var highlightTerms: [HighlightTerm] {
        switch self {
        case .word(let text): [.bare(BareWord(text.utf8))]
        case .prefix(let text): [.quoted(QuotedWords(text.utf8, isPrefix: true))]
        case .phrase(let text): [.quoted(QuotedWords(text.utf8, isPrefix: false))]
        case .and(let parts), .or(let parts): parts.flatMap(\.highlightTerms)
        case .filter(.title(let words)), .filter(.author(let words)), .filter(.text(let words)):
            words.query.highlightTerms
        case .everything, .filter, .not: []
        }
    }
}
