public import Search

extension Query {
    /// Highlights the query's words in the texts of matching items.
    public var highlighter: Highlighter { Highlighter(highlightTerms) }

    private var highlightTerms: [HighlightTerm] {
        switch self {
        case .word(let text): [.bare(BareWord(text.utf8))]
        case .prefix(let text):
            switch WordRow(text.utf8).words {
            case let words where words.count == 1: [.prefix(words[0])]
            case let words where words.count > 1: [.phrasePrefix(words)]
            default: []
            }
        case .phrase(let text): [HighlightTerm(phrase: text.utf8)]
        case .and(let parts), .or(let parts): parts.flatMap(\.highlightTerms)
        case .filter(.title(let words)), .filter(.author(let words)), .filter(.text(let words)):
            words.query.highlightTerms
        case .everything, .filter, .not: []
        }
    }
}
