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
    /// Parentheses deeper than this are read as text; bounds the recursion.
    private static let depthLimit = 50

    /// - Parameters:
    ///   - today: the day that `today` and `week` count from, in the caller's time zone.
    ///   - weekStartsOnSunday: else on Monday.
    package init(_ text: String, today: CalendarDate = Timestamp.now.localDate, weekStartsOnSunday: Bool = false) {
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
        if let filter = known(key, value) { return .filter(filter) }
        let text = key + ":" + value
        notes.append("\"\(text)\" is no filter that is known, and is read as text")
        return isQuoted ? .phrase(key + " " + value) : word(text)
    }

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
