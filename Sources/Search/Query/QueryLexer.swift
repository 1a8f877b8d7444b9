internal import Characters

/// The tokens of a query.
enum QueryToken: Equatable {
    case open
    case close
    case or
    case and
    /// `NOT` or `not`, as spelt.
    case not(String)
    /// A `-` directly before a token.
    case minus
    /// `"…"`
    case quoted(String)
    /// A run without space, quotes or parentheses.
    case word(String)
    /// `key:` directly before a quoted token, or `key:value`; a star after the quotes is part of an unquoted value.
    case filter(key: String, value: String, isQuoted: Bool)

    /// Whether a part may end with this token.
    var endsPart: Bool {
        switch self {
        case .close, .quoted, .word, .filter: true
        case .open, .or, .and, .not, .minus: false
        }
    }

    var isNegation: Bool {
        switch self {
        case .not, .minus: true
        default: false
        }
    }

    /// Whether a part may start with this token.
    var beginsPart: Bool {
        switch self {
        case .open, .not, .minus, .quoted, .word, .filter: true
        case .close, .or, .and: false
        }
    }
}

/// Splits a query into tokens. Text that fits no token is read as words, with a notice.
struct QueryLexer {
    private(set) var tokens: [QueryToken] = []
    private(set) var notices: [QueryNotice] = []
    private let characters: [Character]
    private var index = 0

    init(_ text: String) {
        characters = text.charactersApart
        while index < characters.count { next() }
        noteSpelling()
    }

    private mutating func next() {
        let character = characters[index]
        switch character {
        case "(":
            tokens.append(.open)
            index += 1
        case ")":
            tokens.append(.close)
            index += 1
        case "|": bar()
        case _ where Self.isQuote(character): quoted()
        case _ where character.isWhitespace: index += 1
        case _ where Self.isMinus(character) && startsPiece: minus()
        case "!" where startsPiece && follows(index + 1):
            notices.append(.exclamation)
            index += 1
        default: word()
        }
    }

    /// Some keyboards and note apps turn straight quotes into smart ones.
    static func isQuote(_ character: Character) -> Bool {
        "\"\u{201C}\u{201D}\u{201E}\u{FF02}\u{AB}\u{BB}".contains(character)
    }

    /// Some keyboards turn a hyphen into a dash.
    static func isMinus(_ character: Character) -> Bool {
        "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}\u{FF0D}".contains(character)
    }

    /// The second colon is common in East Asian scripts.
    static func isColon(_ character: Character) -> Bool { character == ":" || character == "\u{FF1A}" }

    /// The first colon, also before a combining mark.
    static func colon(of word: some StringProtocol) -> String.Index? {
        word.unicodeScalars.firstIndex { isColon(Character($0)) }
    }

    private var startsPiece: Bool {
        index == 0 || characters[index - 1].isWhitespace || "(|)!".contains(characters[index - 1])
    }

    /// Whether a token continues at an index.
    private func follows(_ place: Int) -> Bool {
        place < characters.count && !characters[place].isWhitespace && !")|".contains(characters[place])
            && !"!?.,;".contains(characters[place])
    }

    private mutating func minus() {
        let run = characters[index...].prefix { Self.isMinus($0) }
        index += run.count
        guard index < characters.count, !characters[index].isWhitespace, !")|".contains(characters[index]) else {
            notices.append(.loneMinus)
            return
        }
        if run.count > 1 {
            notices.append(.severalMinuses(String(run.prefix(20))))
        } else if let character = run.first, character != "-" {
            notices.append(.dash(character))
        }
        tokens.append(.minus)
    }

    /// Reads `|`, or `||` as in other programs.
    private mutating func bar() {
        let isBehindValue = index > 0 && !characters[index - 1].isWhitespace
        while index < characters.count, characters[index] == "|" { index += 1 }
        if case .filter(let key, let value, isQuoted: false) = tokens.last, isBehindValue, index < characters.count,
            characters[index].isLetter || characters[index].isNumber
        {
            let word = characters[index...].prefix { !$0.isWhitespace && !"()|".contains($0) }
            let colon = word.firstIndex(where: Self.isColon)
            if colon.map({ FilterName.isKnown(String(word[..<$0])) }) != true {
                notices.append(.barBehindFilter("\(key):\(value)"))
            }
        }
        tokens.append(.or)
    }

    private mutating func quoted() {
        guard let text = readQuoted() else {
            notices.append(.unclosedQuote)
            index += 1
            return
        }
        tokens.append(.quoted(text))
    }

    /// Reads a quoted run to its closing quote.
    private mutating func readQuoted() -> String? {
        guard let end = characters[(index + 1)...].firstIndex(where: Self.isQuote) else { return nil }
        defer { index = end + 1 }
        return String(characters[index + 1..<end])
    }

    private mutating func word() {
        let start = index
        while index < characters.count, !characters[index].isWhitespace, !Self.isQuote(characters[index]),
            !"()|".contains(characters[index])
        {
            index += 1
        }
        let text = String(characters[start..<index])
        switch text {
        case "OR": tokens.append(.or)
        case "AND", "&&", "&": tokens.append(.and)
        case "NOT", "not": tokens.append(.not(text))
        default: filterOrWord(text)
        }
    }

    private mutating func filterOrWord(_ text: String) {
        guard let colon = Self.colon(of: text), FilterName.isKnown(text[..<colon]) else {
            noteMeaning(of: text)
            tokens.append(.word(text))
            return
        }
        let key = text[..<colon].lowercased()
        let value = String(text[text.unicodeScalars.index(after: colon)...])
        if value.isEmpty, index < characters.count, Self.isQuote(characters[index]), let quoted = readQuoted() {
            if quoted.allSatisfy(\.isWhitespace) { return valueless(text) }
            let isBeginning = index < characters.count && characters[index] == "*"
            if isBeginning { index += 1 }
            tokens.append(.filter(key: key, value: quoted + (isBeginning ? "*" : ""), isQuoted: !isBeginning))
        } else if value.isEmpty {
            valueless(text)
        } else {
            if value.dropLast().contains("*") { notices.append(.innerStar(text)) }
            tokens.append(.filter(key: key, value: value, isQuoted: false))
        }
    }

    private mutating func valueless(_ text: String) {
        notices.append(.valueless(text))
        tokens.append(.word(text))
    }

    // MARK: What words may mean

    /// Adds a notice for a word that looks like syntax but is not part of this grammar.
    private mutating func noteMeaning(of text: String) {
        if text.dropLast().contains("*"), text.contains(where: { $0.isLetter || $0.isNumber }) {
            notices.append(.innerStar(text))
        }
        if text.first == "#", text.dropFirst().first?.isLetter == true { notices.append(.hash(text)) }
        if let sign = text.firstIndex(where: { "<>=".contains($0) }), FilterName.isKnown(text[..<sign]),
            text[text.index(after: sign)...].contains(where: { $0.isLetter || $0.isNumber })
        {
            notices.append(.comparison(text))
        }
        guard let colon = Self.colon(of: text) else { return }
        let key = text[..<colon]
        let value = text[text.unicodeScalars.index(after: colon)...]
        let isQuoted = value.isEmpty && index < characters.count && Self.isQuote(characters[index])
        if FilterName.isMeant(key, value: isQuoted ? "value" : value) {
            notices.append(.unknownFilter(key: String(key), suggestion: FilterName.suggestion(for: String(key))))
        }
    }

    /// Adds notices for `and` and `or` between parts.
    private mutating func noteSpelling() {
        for (place, token) in tokens.enumerated() where token == .word("and") || token == .word("or") {
            guard place > 0, place + 1 < tokens.count, tokens[place - 1].endsPart, tokens[place + 1].beginsPart,
                case .word(let word) = token
            else { continue }
            notices.append(.lowercaseOperator(word))
        }
    }
}
