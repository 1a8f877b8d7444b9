import StuffBucket

extension QueryNotice {
    /// How the query was read, and what to write instead. One line without a full stop.
    var wording: String {
        switch self {
        case .unclosedQuote: "a quote without its partner is ignored"
        case .unopenedParenthesis: "a \")\" without \"(\" is ignored"
        case .unclosedParenthesis: "a \"(\" is closed at the end"
        case .parenthesesTooDeep(let limit): "parentheses nested deeper than \(limit) are ignored"
        case .negationTooDeep(let limit): "a \"not\" nested deeper than \(limit) is ignored"
        case .tooManyConditions(let limit): "a query with more than \(limit) words and filters finds nothing"
        case .emptyAlternative: "an \"OR\" with nothing on one side is ignored"
        case .danglingOperator("NOT"): "a \"NOT\" with nothing after it is ignored"
        case .danglingOperator(let word): "an \"\(word)\" with nothing on one side is ignored"
        case .lowercaseOperator("or"):
            "\"or\" is searched as a word; write OR for one of both, or the word in quotes"
        case .lowercaseOperator(let word):
            "\"\(word)\" is searched as a word; leave it out or write AND for both, or write the word in quotes"
        case .loneMinus: "a \"-\" with nothing directly after it excludes nothing"
        case .dash(let dash): "\"\(dash)\" is read as \"-\": what follows is excluded"
        case .severalMinuses(let run): "\"\(run)\" is read as one \"-\": what follows is excluded"
        case .doubleNegation: "an exclusion of an exclusion asks for it: write what is wanted without both"
        case .excludesNothing(let filter, let suggestion):
            "-\(filter) excludes nothing, because nothing has it" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .selectsEverything(let excluded, let count):
            "nothing has \(excluded), so the query selects \(count == 1 ? "the one item" : "all \(count) items")"
        case .exclamation: "a \"!\" is ignored; \"-\" excludes"
        case .wordless(let text): "\"\(text)\" has no letters or digits and is ignored"
        case .valueless(let text):
            "\"\(text)\" has no value and is searched as text; the value must directly follow the colon"
        case .unknownValue(let key, let value): Self.unknown(key, value)
        case .unknownFilter(let key, let suggestion):
            "there is no filter \"\(key):\"" + (suggestion.map { "; did you mean \"\($0):\"?" } ?? ".")
                + " It is searched as text"
        case .comparison(let text): "\"\(text)\" is searched as text; as a filter it is \(Self.filter(text))"
        case .hash(let text): "\"\(text)\" is searched as a word; tag:\(text.dropFirst()) asks for the tag"
        case .innerStar(let text): "\"\(text)\": a \"*\" counts only at the end"
        case .barBehindFilter(let filter):
            "\"|\" joins whole conditions: what follows \(filter)| is a word; write \(filter.prefix { $0 != ":" }): again"
        case .spacedValue(let filter):
            "one argument is one value: \(filter); put other words before the filter or in other arguments"
        case .noSmartFolder(let name): "there is no smart folder \"\(name)\"; it matches nothing"
        case .smartFolderLoop(let name):
            "\"smart:\(name)\" leads back to itself, or there are too many; it matches nothing"
        }
    }

    private static func unknown(_ key: String, _ value: String) -> String {
        let filter = QueryWords.filters.first { $0.key == key }
        let what =
            switch key {
            case "is", "has", "status", "type": (filter?.values ?? []).joined(separator: ", ")
            case "created", "date", "updated": "dates such as 2025-03, >2024, 2025..2026, today"
            case "after", "before": "a date such as 2025-03"
            case "site": "a host such as example.org"
            case "lang": "a language such as en"
            default: "words"
            }
        return "\"\(key):\(value)\" is searched as text; \(key): takes \(what)"
    }

    /// `created>2025` as a filter; a colon replaces `=`.
    private static func filter(_ text: String) -> String {
        let key = text.prefix { !"<>=".contains($0) }
        let value = text.dropFirst(key.count)
        return key + ":" + (value.hasPrefix("=") ? value.dropFirst() : value)
    }
}
