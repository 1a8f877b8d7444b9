/// A term to mark in a text. All words are folded.
package enum HighlightTerm: Equatable, Sendable {
    /// A whole word.
    case word([UInt8])
    /// Words with that prefix.
    case prefix([UInt8])
    /// Words in sequence, whole.
    case phrase([[UInt8]])
    /// Words in sequence, the last one a beginning.
    case phrasePrefix([[UInt8]])
    /// A word as it was typed.
    case bare(BareWord)

    /// Words in sequence as they are typed between quotes.
    package init(phrase text: some Collection<UInt8>) { self = .phrase(WordRow(text).words) }

    /// The patterns that it stands for.
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
        // In a script without spaces, words stand anywhere in a token.
        if word.bigrams != nil { return word.plain.map { HighlightPattern([$0], .anywhere) } }
        guard let first = word.plain.first else { return [] }
        if word.plain.count > 1 {
            let row = HighlightPattern(word.plain, .beginning)
            return word.part.map { [row, HighlightPattern([$0], .part), HighlightPattern([$0], .beginning)] } ?? [row]
        }
        // Nearly everything begins with one or two given letters: such words are found whole only.
        let isShort = first.count <= 2 && first.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
        return [HighlightPattern([first], isShort ? .whole : .beginning), HighlightPattern([first], .part)]
    }
}

/// Tokens in sequence to be found in a text.
struct HighlightPattern {
    enum Extent: Equatable {
        /// The last token is whole, as all others are.
        case whole
        /// The last token has that prefix.
        case beginning
        /// A part, not a plain token, has that prefix.
        case part
        /// Somewhere in a plain token; only the characters that were found are marked.
        case anywhere
    }

    let words: [[UInt8]]
    let extent: Extent

    init(_ words: [[UInt8]], _ extent: Extent) {
        self.words = words
        self.extent = extent
    }
}
