/// The pieces of a query's text.
enum QueryToken: Equatable {
    case open
    case close
    case or
    case and
    case not
    /// A `-` directly before a piece.
    case minus
    /// `"…"`
    case quoted(String)
    /// A run without space, quotes or parentheses.
    case word(String)
    /// `key:` directly before a quoted piece, or `key:value`.
    case filter(key: String, value: String, isQuoted: Bool)
}

/// Cuts a query into pieces; what cannot be one is read as text and noted.
struct QueryLexer {
    private(set) var tokens: [QueryToken] = []
    private(set) var notes: [String] = []
    private let characters: [Character]
    private var index = 0

    /// Filter keys, in the order in which help lists them.
    static let keys = [
        "type", "tag", "collection", "source", "site", "is", "has", "status", "date", "created", "updated",
        "smart",
    ]

    init(_ text: String) {
        characters = Array(text)
        while index < characters.count { next() }
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
        case "|":
            tokens.append(.or)
            index += 1
        case _ where Self.isQuote(character): quoted()
        case _ where character.isWhitespace: index += 1
        case "-" where startsPiece: minus()
        default: word()
        }
    }

    /// Smart quotes are what a keyboard or a note app makes of straight ones.
    private static func isQuote(_ character: Character) -> Bool { "\"\u{201C}\u{201D}".contains(character) }

    private var startsPiece: Bool {
        index == 0 || characters[index - 1].isWhitespace || "(|)".contains(characters[index - 1])
    }

    private mutating func minus() {
        index += 1
        let follows = index < characters.count && !characters[index].isWhitespace && characters[index] != ")"
        if follows, !tokens.isEmpty, tokens.last != .open {
            tokens.append(.minus)
        } else if follows {
            notes.append("a leading \"-\" is read as text; to exclude from everything, say \"not\"")
        }
    }

    private mutating func quoted() {
        guard let text = readQuoted() else {
            notes.append("a quote that is not closed is left out")
            index += 1
            return
        }
        tokens.append(.quoted(text))
    }

    /// Reads a closed quoted run and steps behind it.
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
        case "AND": tokens.append(.and)
        case "NOT", "not": tokens.append(.not)
        default: filterOrWord(text)
        }
    }

    private mutating func filterOrWord(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), Self.keys.contains(text[..<colon].lowercased()) else {
            tokens.append(.word(text))
            return
        }
        let key = text[..<colon].lowercased()
        let value = String(text[text.index(after: colon)...])
        if value.isEmpty, index < characters.count, Self.isQuote(characters[index]), let quoted = readQuoted() {
            if quoted.allSatisfy(\.isWhitespace) { return valueless(text) }
            tokens.append(.filter(key: key, value: quoted, isQuoted: true))
        } else if value.isEmpty {
            valueless(text)
        } else {
            tokens.append(.filter(key: key, value: value, isQuoted: false))
        }
    }

    private mutating func valueless(_ text: String) {
        notes.append("\"\(text)\" has no value and is read as text")
        tokens.append(.word(text))
    }
}
