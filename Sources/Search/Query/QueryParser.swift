package import Time

/// Reads a query as people type it; never fails.
///
///     query  = and { ("OR" | "|") and }
///     and    = { ["AND"] part }
///     part   = ("-" | "not") part | "(" query ")" | filter | quoted | word ["*"]
///     filter = key ":" (value | quoted)
///
/// What does not fit is read as text, and a note says how.
package struct QueryParser {
    package private(set) var query = Query.everything
    /// How doubtful places were read, as sentences.
    package private(set) var notes: [String]

    private var tokens: [QueryToken]
    private var index = 0
    private let today: CalendarDate
    private let weekStartsOnSunday: Bool
    /// The query of a smart folder by its name.
    private let smartQuery: ((String) -> String?)?
    /// Smart folders that the text is in, outermost first.
    private let outerNames: [String]
    /// How many smart folders may still be put in: each may name others, so that the whole would grow without bound.
    private var smartBudget: Int
    /// Parentheses deeper than this are read as text; bounds the recursion.
    private static let depthLimit = 50
    /// The same for smart folders within smart folders.
    private static let smartDepthLimit = 8

    /// - Parameters:
    ///   - today: the day that `today` and `week` count from, in the caller's time zone.
    ///   - weekStartsOnSunday: else on Monday.
    ///   - smartQuery: the query that `smart:name` stands for; `nil` if there is no smart folder of that name.
    package init(
        _ text: String, today: CalendarDate = Timestamp.now.localDate, weekStartsOnSunday: Bool = false,
        smartQuery: ((String) -> String?)? = nil
    ) {
        self.init(
            text, today: today, weekStartsOnSunday: weekStartsOnSunday, smartQuery: smartQuery, outerNames: [],
            budget: 100)
    }

    private init(
        _ text: String, today: CalendarDate, weekStartsOnSunday: Bool, smartQuery: ((String) -> String?)?,
        outerNames: [String], budget: Int
    ) {
        self.smartQuery = smartQuery
        self.outerNames = outerNames
        smartBudget = budget
        let lexer = QueryLexer(text)
        tokens = lexer.tokens
        notes = lexer.notes
        self.today = today
        self.weekStartsOnSunday = weekStartsOnSunday
        query = parseAll()
    }

    private mutating func parseAll() -> Query {
        var parts: [Query] = []
        while index < tokens.count {
            parts.append(parseOr(depth: 0))
            if index < tokens.count {
                notes.append("a \")\" without \"(\" is left out")
                index += 1
            }
        }
        return Self.all(parts)
    }

    private mutating func parseOr(depth: Int) -> Query {
        var branches = [parseAnd(depth: depth)]
        while index < tokens.count, tokens[index] == .or {
            index += 1
            branches.append(parseAnd(depth: depth))
        }
        if branches.count > 1, branches.contains(.everything) {
            notes.append("an \"OR\" with nothing on one side is left out")
            branches.removeAll { $0 == .everything }
        }
        return branches.count == 1 ? branches[0] : branches.isEmpty ? .everything : .or(branches)
    }

    private mutating func parseAnd(depth: Int) -> Query {
        var parts: [Query] = []
        while index < tokens.count, tokens[index] != .or, tokens[index] != .close {
            if let part = parsePart(depth: depth) { parts.append(part) }
        }
        return Self.all(parts)
    }

    private static func all(_ parts: [Query]) -> Query {
        let parts = parts.filter { $0 != .everything }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .everything : .and(parts)
    }

    private mutating func parsePart(depth: Int) -> Query? {
        let token = tokens[index]
        index += 1
        switch token {
        case .and, .or, .close: return nil
        case .not, .minus: return parseNegation(token, depth: depth)
        case .open:
            if depth >= Self.depthLimit {
                notes.append("parentheses nested deeper than \(Self.depthLimit) are left out")
                return nil
            }
            let inner = parseOr(depth: depth + 1)
            if index < tokens.count {
                index += 1
            } else {
                notes.append("a \"(\" is closed at the end")
            }
            return inner
        case .quoted(let text): return phrase(text)
        case .word(let text): return word(text)
        case .filter(let key, let value, let isQuoted): return filter(key, value, isQuoted)
        }
    }

    private mutating func parseNegation(_ token: QueryToken, depth: Int) -> Query? {
        guard index < tokens.count, ![.or, .and, .close].contains(tokens[index]) else {
            return token == .not ? word("not") : nil
        }
        if depth >= Self.depthLimit {
            notes.append("a \"not\" nested deeper than \(Self.depthLimit) is left out")
            return nil
        }
        // Without a condition, as in "not ()", there is nothing to exclude.
        guard let part = parsePart(depth: depth + 1), part != .everything else { return nil }
        return .not(part)
    }

    private mutating func word(_ text: String) -> Query? {
        let isPrefix = text.hasSuffix("*")
        let stem = isPrefix ? String(text.dropLast()) : text
        if WordRow(stem.utf8).isEmpty { return wordless(text) }
        return isPrefix ? .prefix(stem) : .word(text)
    }

    private mutating func phrase(_ text: String) -> Query? {
        WordRow(text.utf8).isEmpty ? wordless(text) : .phrase(text)
    }

    private mutating func wordless(_ text: String) -> Query? {
        notes.append("\"\(text)\" has no letters or digits and is left out")
        return nil
    }

    private mutating func filter(_ key: String, _ value: String, _ isQuoted: Bool) -> Query? {
        if key == "smart" { return smart(value, isQuoted) }
        if let filter = known(key, value) { return .filter(filter) }
        let text = key + ":" + value
        notes.append("\"\(text)\" is no filter that is known, and is read as text")
        return isQuoted ? .phrase(key + " " + value) : word(text)
    }

    /// What a smart folder asks for, in the place of `smart:name`.
    private mutating func smart(_ name: String, _ isQuoted: Bool) -> Query? {
        guard let smartQuery else { return isQuoted ? .phrase("smart " + name) : word("smart:" + name) }
        let folded = Folding.fold(name)
        guard !outerNames.contains(folded), outerNames.count < Self.smartDepthLimit, smartBudget > 0 else {
            return nothing("\"smart:\(name)\" leads back to itself, or there are too many; nothing is found by it")
        }
        guard let text = smartQuery(name) else {
            return nothing("there is no smart folder \"\(name)\"; nothing is found by it")
        }
        let inner = QueryParser(
            text, today: today, weekStartsOnSunday: weekStartsOnSunday, smartQuery: smartQuery,
            outerNames: outerNames + [folded], budget: smartBudget - 1)
        smartBudget = inner.smartBudget
        notes += inner.notes.prefix(Self.noteLimit)
        return inner.query
    }

    /// A condition that no item meets: what cannot be understood must not find more than was meant.
    private mutating func nothing(_ why: String) -> Query {
        if notes.count < Self.noteLimit { notes.append(why) }
        return .or([])
    }

    private static let noteLimit = 20

    private func known(_ key: String, _ value: String) -> Filter? {
        let lower = value.lowercased()
        func span() -> DateSpan? { DateSpan(value, today: today, weekStartsOnSunday: weekStartsOnSunday) }
        switch key {
        case "type": return ["snippet", "link", "document"].contains(lower) ? .type(lower) : nil
        case "tag": return .tag(value)
        case "collection": return .collection(value)
        case "source": return .source(value)
        case "site": return .site(lower)
        case "is": return Filter.State(rawValue: lower == "favourite" ? "favorite" : lower).map(Filter.state)
        case "has": return Filter.Part(rawValue: lower).map(Filter.part)
        case "status": return Filter.Status(rawValue: lower == "archived" ? "full" : lower).map(Filter.status)
        case "created", "date": return span().map(Filter.created)
        case "updated": return span().map(Filter.updated)
        default: return nil
        }
    }
}
