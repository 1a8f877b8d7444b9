/// A term to highlight in a text. All words are folded.
package enum HighlightTerm: Equatable, Sendable {
    /// Words between quotes, or `word*`.
    case quoted(QuotedWords)
    /// A word as typed.
    case bare(BareWord)

    /// The patterns for the term.
    var patterns: [HighlightPattern] {
        switch self {
        case .quoted(let words): Self.patterns(of: words)
        case .bare(let word): Self.patterns(of: word)
        }
    }

    private static func patterns(of words: QuotedWords) -> [HighlightPattern] {
        func row(_ row: [[UInt8]]) -> [HighlightPattern] {
            row.isEmpty ? [] : [HighlightPattern(row, words.isOpen ? .beginning : .whole)]
        }
        if words.shares.isEmpty {
            let isOneBeginning = words.isOpen && words.plain.count == 1
            return row(words.plain) + (isOneBeginning ? [HighlightPattern(words.plain, .part)] : [])
        }
        // The first words may begin anywhere in a token.
        let shown = words.plain.dropLast(words.rest.count).map { HighlightPattern([$0], .anywhere) }
        return shown + row(words.rest)
    }

    private static func patterns(of word: BareWord) -> [HighlightPattern] {
        if word.isPartRequired { return word.part.map { [HighlightPattern([$0], .part)] } ?? [] }
        // In a script without spaces, words may be anywhere in a token.
        if word.bigrams != nil { return word.plain.map { HighlightPattern([$0], .anywhere) } }
        guard let first = word.plain.first else { return [] }
        if word.plain.count > 1 {
            let row = HighlightPattern(word.plain, .beginning)
            return word.part.map { [row, HighlightPattern([$0], .part), HighlightPattern([$0], .beginning)] } ?? [row]
        }
        // One or two letters are a prefix of nearly everything, so such words match only whole words.
        let isShort = first.count <= 2 && first.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
        return [HighlightPattern([first], isShort ? .whole : .beginning), HighlightPattern([first], .part)]
    }
}

/// Tokens in sequence to find in a text.
struct HighlightPattern {
    enum Extent: Equatable {
        /// The last token is whole, like all others.
        case whole
        /// The last token has this prefix.
        case beginning
        /// A part, not a plain token, has this prefix.
        case part
        /// Anywhere in a plain token; only the matching characters are highlighted.
        case anywhere
    }

    let words: [[UInt8]]
    let extent: Extent

    init(_ words: [[UInt8]], _ extent: Extent) {
        self.words = words
        self.extent = extent
    }
}
