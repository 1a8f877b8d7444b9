/// A term to highlight in a text. All words are folded.
package enum HighlightTerm: Equatable, Sendable {
    /// A whole word.
    case word([UInt8])
    /// Words with this prefix.
    case prefix([UInt8])
    /// Words in sequence, whole.
    case phrase([[UInt8]])
    /// Words in sequence, the last one a prefix.
    case phrasePrefix([[UInt8]])
    /// A word as typed.
    case bare(BareWord)

    /// Words in sequence, typed between quotes.
    package init(phrase text: some Collection<UInt8>) { self = .phrase(WordRow(text).words) }

    /// The patterns for the term.
    var patterns: [HighlightPattern] {
        switch self {
        case .word(let word): [HighlightPattern([word], .whole)]
        case .prefix(let word): [HighlightPattern([word], .beginning)]
        case .phrase(let words): [HighlightPattern(words, .whole)]
        case .phrasePrefix(let words): [HighlightPattern(words, .beginning)]
        case .bare(let word): Self.patterns(of: word)
        }
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
