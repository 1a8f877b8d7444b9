/// A prepared query: words folded and cut, filters as terms of the index.
indirect enum Condition {
    case everything
    case nothing
    /// A scored condition, by its number in the plan.
    case scored(Int)
    case exact(ExactTerm)
    /// A property that is compared with all values of its kind.
    case values(ValueTest)
    /// A term of the plan, in the texts only and not scored.
    case inTexts(Int)
    case created(DateSpan)
    case updated(DateSpan)
    case and([Condition])
    case or([Condition])
    case not(Condition)
}

/// A term for the ranking.
enum ScoredTerm: Equatable {
    /// A whole word.
    case term([UInt8])
    /// Words with this prefix.
    case prefix([UInt8])
    /// A word as typed: the word itself counts fully, longer words and parts of words a quarter.
    case bare([UInt8], reachesParts: Bool)
    /// Words in sequence.
    case phrase([[UInt8]])
    /// Words in sequence, the last one a prefix, each at its distance from the first word.
    case phrasePrefix([[UInt8]], places: [UInt32])
}

extension ScoredTerm: CustomStringConvertible {
    /// The term as a person would type it.
    var description: String {
        // The first byte, which marks parts and bigrams, is not shown.
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.drop { $0 < 0x20 }, as: UTF8.self) }
        return switch self {
        case .term(let word): "\"\(text(word))\""
        case .prefix(let word): text(word) + "*"
        case .bare(let word, _): text(word)
        case .phrase(let words): "\"" + words.map(text).joined(separator: " ") + "\""
        case .phrasePrefix(let words, _): words.map(text).joined(separator: " ") + "*"
        }
    }
}
