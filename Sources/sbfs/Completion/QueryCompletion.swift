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
        let value = word[word.index(after: colon)...].filter { $0 != "\"" }
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
        return CompletionAnswer(
            candidates: values.filter { !$0.word.contains("\"") }.map {
                CompletionCandidate(key + ":" + Self.quoted($0.word), $0.note)
            }
        ).behind(given)
    }

    /// The value in quotes if any character has a meaning in a query. A value cannot contain a quotation mark.
    private static func quoted(_ value: String) -> String {
        value.contains { !($0.isLetter || $0.isNumber || "-_./".contains($0)) } ? "\"" + value + "\"" : value
    }
}
