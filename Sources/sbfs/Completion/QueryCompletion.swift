/// The last word of an unfinished query.
struct QueryCompletion {
    private let given: String
    private let word: String
    private let names: any CompletionNames

    /// - Parameter typed: the query so far, or its last word.
    init(_ typed: String, _ names: any CompletionNames) {
        // A space within quotes does not end a word.
        var start = typed.startIndex
        var isQuoted = false
        for index in typed.indices {
            if typed[index] == "\"" { isQuoted.toggle() }
            if !isQuoted, " (".contains(typed[index]) { start = typed.index(after: index) }
        }
        if typed[start...].hasPrefix("-") { start = typed.index(after: start) }
        given = String(typed[..<start])
        word = String(typed[start...])
        self.names = names
    }

    func answer() -> CompletionAnswer {
        guard let colon = word.firstIndex(of: ":") else {
            let keys = QueryWords.filters.map { CompletionCandidate($0.key + ":", $0.meaning) }
                .filter { $0.word.hasPrefix(word) }
            return CompletionAnswer(candidates: keys + (word.isEmpty ? [] : names.words(beginning: word))).behind(given)
        }
        let key = String(word[..<colon])
        let typed = word[word.index(after: colon)...]
        let value = typed.filter { $0 != "\"" }
        let values: [CompletionCandidate]
        switch key {
        case "tag": values = names.tags(beginning: value)
        case "collection": values = names.collections(beginning: value)
        case "smart": values = names.smartFolders(beginning: value)
        case "author": values = names.authors(beginning: value)
        case "lang": values = names.languages(beginning: value)
        case "site": values = names.sites(beginning: value)
        default:
            values = (QueryWords.filters.first { $0.key == key }?.values ?? []).filter { $0.hasPrefix(value) }
                .map { CompletionCandidate($0) }
        }
        // A value cannot contain a quotation mark.
        let possible = values.filter { !$0.word.contains("\"") }
        // Shells show what begins alike. So either all values behind typed letters have quotes, or none.
        let areAllQuoted = typed.contains("\"") || !typed.isEmpty && possible.contains { Self.needsQuotes($0.word) }
        return CompletionAnswer(
            candidates: possible.map { value in
                let isQuoted = areAllQuoted || Self.needsQuotes(value.word)
                return CompletionCandidate(key + ":" + (isQuoted ? "\"\(value.word)\"" : value.word), value.note)
            }
        ).behind(given)
    }

    /// Whether any character of a value has a meaning in a query.
    private static func needsQuotes(_ value: String) -> Bool {
        value.contains { !($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    }
}
