/// A query as conditions on the contents of the index.
struct QueryPlan {
    private(set) var root = Condition.everything
    private(set) var terms: [ScoredTerm] = []
    /// Terms that every match contains.
    private(set) var required: [Int] = []
    private let reachesParts: Bool

    init(_ query: Query, reachesParts: Bool) {
        self.reachesParts = reachesParts
        root = condition(query)
        required = Self.required(root)
    }

    private static func required(_ condition: Condition) -> [Int] {
        switch condition {
        case .scored(let slot): [slot]
        case .and(let parts): parts.flatMap(required)
        case .everything, .nothing, .exact, .values, .inTexts, .created, .updated, .or, .not: []
        }
    }

    private mutating func scored(_ term: ScoredTerm) -> Condition {
        // A repeated word counts once for matching and twice for ranking, as the sum over terms demands.
        terms.append(term)
        return .scored(terms.count - 1)
    }

    private mutating func condition(_ query: Query) -> Condition {
        switch query {
        case .everything: return .everything
        case .word(let text): return word(text)
        case .prefix(let text): return quoted(QuotedWords(text.utf8, isPrefix: true), isPrefix: true)
        case .phrase(let text): return quoted(QuotedWords(text.utf8, isPrefix: false), isPrefix: false)
        case .filter(.text(let words)): return Self.inTexts(condition(words.query))
        case .filter(let filter): return Self.condition(filter)
        case .and(let parts): return .and(parts.map { condition($0) })
        case .or(let parts): return parts.isEmpty ? .nothing : .or(parts.map { condition($0) })
        case .not(let part):
            // Excluded conditions are not scored, but their terms have numbers like all others.
            return .not(condition(part))
        }
    }

    /// Words in sequence; the last one may also be the prefix of a longer word.
    private mutating func row(_ words: [[UInt8]]) -> Condition {
        scored(.phrasePrefix(words, places: words.indices.map { UInt32($0) }))
    }

    private mutating func quoted(_ words: QuotedWords, isPrefix: Bool) -> Condition {
        guard let first = words.plain.first else { return .nothing }
        // A single token that may go on is found by its shares, if it has any.
        let plain =
            words.plain.count == 1 ? scored(isPrefix ? .prefix(first) : .term(first)) : tokens(words.plain, words)
        if words.shares.isEmpty {
            if !isPrefix || !reachesParts || words.plain.count > 1 { return plain }
            // It finds all that the word without the star finds.
            return .or([plain, scored(.prefix([PostingDetail.partMark] + first))])
        }
        var parts = words.shares.map { share in
            switch share {
            case .piece(let piece): scored(.term([PostingDetail.partMark] + piece))
            case .beginningPiece(let piece): scored(.prefix([PostingDetail.partMark] + piece))
            case .run(let bigrams): run(bigrams, isOpen: false)
            case .openRun(let bigrams): run(bigrams, isOpen: true)
            }
        }
        if !words.rest.isEmpty { parts.append(tokens(words.rest, words)) }
        return .or([plain, parts.count == 1 ? parts[0] : .and(parts)])
    }

    private mutating func tokens(_ tokens: [[UInt8]], _ words: QuotedWords) -> Condition {
        sequence(tokens, isOpen: words.isOpen)
    }

    private mutating func run(_ bigrams: [[UInt8]], isOpen: Bool) -> Condition {
        sequence(bigrams.map { [PostingDetail.bigramMark] + $0 }, isOpen: isOpen)
    }

    /// Terms in sequence; if it is open, the last one may be the prefix of a longer one.
    private mutating func sequence(_ terms: [[UInt8]], isOpen: Bool) -> Condition {
        if terms.count == 1 { return scored(isOpen ? .prefix(terms[0]) : .term(terms[0])) }
        return isOpen ? row(terms) : scored(.phrase(terms))
    }

    private mutating func word(_ text: String) -> Condition {
        let word = BareWord(text.utf8)
        var ways: [Condition] = []
        if !word.isPartRequired || !reachesParts { ways.append(plain(word.plain)) }
        if reachesParts, let part = word.part { ways.append(scored(.prefix([PostingDetail.partMark] + part))) }
        if let bigrams = word.bigrams, reachesParts || word.pieces.isEmpty {
            ways.append(self.bigrams(bigrams, word.pieces))
        }
        return ways.count == 1 ? ways[0] : .or(ways)
    }

    private mutating func plain(_ words: [[UInt8]]) -> Condition {
        if words.isEmpty { return .nothing }
        if words.count > 1 { return row(words) }
        // One or two letters are a prefix of nearly everything.
        let isShort = words[0].count <= 2 && words[0].allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
        return scored(isShort ? .term(words[0]) : .bare(words[0], reachesParts: reachesParts))
    }

    /// Bigrams in sequence, and pieces of other scripts as parts anywhere.
    private mutating func bigrams(_ row: [[UInt8]], _ pieces: [[UInt8]]) -> Condition {
        var terms: [[UInt8]] = []
        var places: [UInt32] = []
        for (place, bigram) in row.enumerated() where !bigram.isEmpty {
            terms.append([PostingDetail.bigramMark] + bigram)
            places.append(UInt32(place))
        }
        if terms.isEmpty { return .nothing }
        let first = places[0]
        var parts = [
            terms.count == 1
                ? scored(.prefix(terms[0])) : scored(.phrasePrefix(terms, places: places.map { $0 - first }))
        ]
        for piece in pieces { parts.append(scored(.prefix([PostingDetail.partMark] + piece))) }
        return .and(parts)
    }

    /// The same condition on the texts only.
    private static func inTexts(_ condition: Condition) -> Condition {
        switch condition {
        case .scored(let slot): .inTexts(slot)
        case .and(let parts): .and(parts.map(inTexts))
        case .or(let parts): .or(parts.map(inTexts))
        default: condition
        }
    }

    private static func condition(_ filter: Filter) -> Condition {
        if let test = ValueTest(filter) { return .values(test) }
        return switch filter {
        case .created(let span): .created(span)
        case .updated(let span): .updated(span)
        default: filter.exactTerm.map(Condition.exact) ?? .nothing
        }
    }
}

extension Filter {
    /// The exact term that decides the filter alone; `nil` for other filters.
    var exactTerm: ExactTerm? {
        switch self {
        case .type(let value): ExactTerm(.type, Folding.fold(value.utf8))
        case .tag(let value): ExactTerm(.tag, Folding.fold(value.utf8))
        case .collection(let value): ExactTerm(.collection, Folding.fold(value.utf8))
        case .source(let value): ExactTerm(.source, Folding.fold(value.utf8))
        case .site(let value): ExactTerm(.site, Folding.fold(value.utf8))
        case .language(let value): ExactTerm(.language, ExactTerm.language(value))
        case .state(let state): .property("is", state.rawValue)
        case .part(let part): .property("has", part.rawValue)
        case .status(let status): .property("status", status.rawValue)
        case .tagBeginning, .collectionBeginning, .title, .author, .text, .url, .created, .updated: nil
        }
    }
}

extension ExactTerm {
    /// `is:`, `has:` or `status:` with its word.
    package static func property(_ key: String, _ value: String) -> ExactTerm {
        ExactTerm(.property, (key + ":" + value).utf8)
    }

    /// A language tag in the form in which it is compared: folded, with `-` between its parts.
    package static func language(_ tag: String) -> [UInt8] {
        Folding.fold(tag.utf8).map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    }

    /// Documents that match only if the query includes the trash.
    package static let trashed = ExactTerm.property("is", "trashed")
}
