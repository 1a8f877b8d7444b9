internal import Search

extension Query {
    /// The bare words that a match must contain.
    var plainWords: [String] {
        switch self {
        case .word(let word): [word]
        case .and(let parts), .or(let parts): parts.flatMap(\.plainWords)
        case .everything, .prefix, .phrase, .filter, .not: []
        }
    }

    /// The query with a bare word replaced by another word.
    func replacing(_ word: String, with other: String) -> Query {
        switch self {
        case .word(let own): own == word ? .word(other) : self
        case .and(let parts): .and(parts.map { $0.replacing(word, with: other) })
        case .or(let parts): .or(parts.map { $0.replacing(word, with: other) })
        case .everything, .prefix, .phrase, .filter, .not: self
        }
    }

    /// The query as a person would type it.
    var typed: String { typed(isInner: false) }

    private func typed(isInner: Bool) -> String {
        switch self {
        case .everything: return ""
        case .word(let word): return word
        case .prefix(let word): return word + "*"
        case .phrase(let text): return "\"\(text)\""
        case .filter(let filter): return filter.typed
        case .and(let parts):
            let text = parts.map { $0.typed(isInner: true) }.joined(separator: " ")
            return isInner ? "(\(text))" : text
        case .or(let parts):
            let text = parts.map { $0.typed(isInner: true) }.joined(separator: " OR ")
            return isInner ? "(\(text))" : text
        case .not(.not(let part)): return "-(-" + part.typed(isInner: true) + ")"
        case .not(let part): return "-" + part.typed(isInner: true)
        }
    }
}
