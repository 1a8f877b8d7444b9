package import Time

/// Parses a query as people type it. Every text is valid.
///
///     query  = and { ("OR" | "|") and }
///     and    = { ["AND" | "&"] part }
///     part   = ("-" | "not") part | "(" query ")" | filter | quoted | word ["*"]
///     filter = key ":" (value | quoted) ["*"]
///
/// Text that does not fit is read as words, with a notice.
public struct QueryParser: Sendable {
    /// The parsed query; `.everything` if the text is empty.
    public private(set) var query = Query.everything
    /// The query as typed, in one line.
    public let text: String
    /// Places that may mean something else, without duplicates.
    public private(set) var notices: [QueryNotice] = []
    /// Filters directly after a `-` or `not` in the text, without those of smart folders.
    public private(set) var exclusions: [Filter] = []

    private var tokens: [QueryToken]
    private var index = 0
    private let today: CalendarDate
    private let weekStart: WeekStart
    /// Returns the query of a smart folder by its name.
    private let smartQuery: (@Sendable (String) -> String?)?
    /// Smart folders around the text, outermost first.
    private let outerNames: [String]
    /// How many smart folders may still be inserted. Each may name others, so the whole could grow without bound.
    private var smartBudget: Int
    /// How many words, phrases and filters may follow; negative if there were too many.
    private var conditionBudget: Int
    /// The most words, phrases and filters of a query, smart folders included. Each takes memory for every document
    /// that is found.
    private static let conditionLimit = 500
    /// Parentheses nested deeper are read as text; bounds the recursion.
    private static let depthLimit = 50
    /// The largest nesting of smart folders.
    private static let smartDepthLimit = 8

    /// The same, in which a filter finds also what another finds.
    public func widening(_ filter: Filter, by other: Filter) -> QueryParser {
        var parsed = self
        parsed.query = query.widening(filter, by: other)
        return parsed
    }

    /// - Parameters:
    ///   - arguments: of a command line, joined by spaces.
    ///   - today: the day to which `today` and `week` refer, in the caller's time zone.
    ///   - weekStart: the first day of a week.
    ///   - smartQuery: returns the query of a smart folder; `nil` if there is none of that name.
    package init(
        arguments: [String], today: CalendarDate = Timestamp.now.localDate, weekStart: WeekStart = .monday,
        smartQuery: (@Sendable (String) -> String?)? = nil
    ) {
        let joined = QueryArguments(arguments)
        self.init(joined.text, today: today, weekStart: weekStart, smartQuery: smartQuery)
        notices = joined.notices + notices
    }

    /// Parses a text whose quotes are as typed.
    package init(
        _ text: String, today: CalendarDate = Timestamp.now.localDate, weekStart: WeekStart = .monday,
        smartQuery: (@Sendable (String) -> String?)? = nil
    ) {
        self.init(
            text, today: today, weekStart: weekStart, smartQuery: smartQuery, outerNames: [],
            budget: 100, conditionBudget: Self.conditionLimit)
        if conditionBudget < 0 { query = nothing(.tooManyConditions(limit: Self.conditionLimit)) }
    }

    private init(
        _ text: String, today: CalendarDate, weekStart: WeekStart, smartQuery: (@Sendable (String) -> String?)?,
        outerNames: [String], budget: Int, conditionBudget: Int
    ) {
        self.text = text
        self.smartQuery = smartQuery
        self.outerNames = outerNames
        smartBudget = budget
        self.conditionBudget = conditionBudget
        let lexer = QueryLexer(text)
        tokens = lexer.tokens
        self.today = today
        self.weekStart = weekStart
        for notice in lexer.notices { note(notice) }
        query = parseAll()
    }

    /// Adds a notice that only the library can know.
    public mutating func note(_ notice: QueryNotice) {
        if notices.count < Self.noticeLimit, !notices.contains(notice) { notices.append(notice) }
    }

    private static let noticeLimit = 20

    private mutating func parseAll() -> Query {
        var parts: [Query] = []
        while index < tokens.count {
            parts.append(parseOr(depth: 0))
            if index < tokens.count {
                note(.unopenedParenthesis)
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
            note(.emptyAlternative)
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
        case .and:
            let isJoining =
                index > 1 && tokens[index - 2].endsPart && index < tokens.count && tokens[index].beginsPart
            if !isJoining { note(.danglingOperator("AND")) }
            return nil
        case .or, .close: return nil
        case .not, .minus: return parseNegation(token, depth: depth)
        case .open:
            if depth >= Self.depthLimit {
                note(.parenthesesTooDeep(limit: Self.depthLimit))
                return nil
            }
            let inner = parseOr(depth: depth + 1)
            if index < tokens.count {
                index += 1
            } else {
                note(.unclosedParenthesis)
            }
            return inner
        case .quoted(let text): return counted { $0.phrase(text) }
        case .word(let text): return counted { $0.word(text) }
        case .filter("smart", let name, let isQuoted): return smart(name, isQuoted)
        case .filter(let key, let value, let isQuoted): return counted { $0.filter(key, value, isQuoted) }
        }
    }

    /// A condition, unless there are too many.
    private mutating func counted(_ condition: (inout QueryParser) -> Query?) -> Query? {
        if conditionBudget < 0 { return nil }
        conditionBudget -= 1
        return conditionBudget < 0 ? nil : condition(&self)
    }

    private mutating func parseNegation(_ token: QueryToken, depth: Int) -> Query? {
        guard index < tokens.count, tokens[index].beginsPart else {
            switch token {
            // At the end it is more likely a word: "to be or not".
            case .not("not"): return word("not")
            case .not(let spelling): note(.danglingOperator(spelling))
            default: note(.loneMinus)
            }
            return nil
        }
        if depth >= Self.depthLimit {
            note(.negationTooDeep(limit: Self.depthLimit))
            return nil
        }
        let next = tokens[index]
        if next.isNegation, token == .minus || next == .minus { note(.doubleNegation) }
        // Without a condition, as in "not ()", there is nothing to exclude.
        guard let part = parsePart(depth: depth + 1), part != .everything else { return nil }
        if case .filter("smart", _, _) = next { return .not(part) }
        exclusions += part.filters.prefix(max(0, Self.noticeLimit - exclusions.count))
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
        note(.wordless(text))
        return nil
    }

    private mutating func filter(_ key: String, _ value: String, _ isQuoted: Bool) -> Query? {
        if let filter = known(key, value, isQuoted) { return .filter(filter) }
        note(.unknownValue(key: key, value: value))
        return isQuoted ? .phrase(key + " " + value) : word(key + ":" + value)
    }

    /// The query of a smart folder, in place of `smart:name`.
    private mutating func smart(_ name: String, _ isQuoted: Bool) -> Query? {
        guard let smartQuery else { return isQuoted ? .phrase("smart " + name) : word("smart:" + name) }
        let folded = Folding.fold(name)
        guard !outerNames.contains(folded), outerNames.count < Self.smartDepthLimit, smartBudget > 0 else {
            return nothing(.smartFolderLoop(name))
        }
        guard let text = smartQuery(name) else { return nothing(.noSmartFolder(name)) }
        let inner = QueryParser(
            text, today: today, weekStart: weekStart, smartQuery: smartQuery,
            outerNames: outerNames + [folded], budget: smartBudget - 1, conditionBudget: conditionBudget)
        smartBudget = inner.smartBudget
        conditionBudget = inner.conditionBudget
        for notice in inner.notices { note(notice) }
        return inner.query
    }

    /// A condition that no item meets, so that a query that cannot be understood never matches too much.
    private mutating func nothing(_ why: QueryNotice) -> Query {
        note(why)
        return .or([])
    }

    private func known(_ key: String, _ value: String, _ isQuoted: Bool) -> Filter? {
        let lower = value.lowercased()
        func span(_ comparison: String = "") -> DateSpan? {
            if !comparison.isEmpty, let first = value.first, "<>=".contains(first) { return nil }
            return DateSpan(comparison + value, today: today, weekStart: weekStart)
        }
        let beginning = isQuoted || value.last != "*" ? nil : String(value.dropLast())
        switch key {
        case "type": return ["snippet", "link", "document"].contains(lower) ? .type(lower) : nil
        case "tag": return beginning.map(Filter.tagBeginning) ?? .tag(value)
        case "collection": return beginning.map(Filter.collectionBeginning) ?? .collection(value)
        case "source": return .source(value)
        case "site": return value.contains { "/:*?".contains($0) } ? nil : .site(lower)
        case "title": return words(value, beginning, isQuoted).map(Filter.title)
        case "author": return words(value, beginning, isQuoted).map(Filter.author)
        case "text": return words(value, beginning, isQuoted).map(Filter.text)
        case "url": return ValueTest.url(value).map { _ in .url(value) }
        case "lang":
            return lower.contains { !$0.isLetter && !$0.isNumber && !"-_".contains($0) } ? nil : .language(lower)
        case "is": return Filter.State(rawValue: Self.states[lower] ?? lower).map(Filter.state)
        case "has": return Filter.Part(rawValue: lower).map(Filter.part)
        case "status": return Filter.Status(rawValue: lower == "archived" ? "full" : lower).map(Filter.status)
        case "created", "date": return span().map(Filter.created)
        case "after": return span(">").map(Filter.created)
        case "before": return span("<").map(Filter.created)
        case "updated": return span().map(Filter.updated)
        default: return nil
        }
    }

    /// Alternative spellings of states.
    private static let states = ["favourite": "favorite", "uncategorised": "uncategorized"]

    private func words(_ value: String, _ beginning: String?, _ isQuoted: Bool) -> Filter.Words? {
        if WordRow((beginning ?? value).utf8).isEmpty { return nil }
        if let beginning { return .prefix(beginning) }
        return isQuoted ? .phrase(value) : .word(value)
    }
}

extension Query {
    /// The filter that it is, or those that it joins.
    fileprivate var filters: [Filter] {
        switch self {
        case .filter(let filter): [filter]
        case .and(let parts), .or(let parts): parts.flatMap(\.filters)
        default: []
        }
    }
}
