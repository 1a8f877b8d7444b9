/// A query given as arguments of a command line.
package struct QueryArguments: Sendable {
    /// The query in one line.
    package private(set) var text = ""
    /// One notice for each argument that got its quotes back.
    package private(set) var notices: [QueryNotice] = []

    /// Joins arguments by spaces.
    ///
    /// A shell removes the quotes of `tag:"swift ui"` and passes one argument, which must stay one value. An argument
    /// gets its quotes back if it is one filter with spaces in its value and contains no other syntax.
    package init(_ arguments: [String]) {
        var pieces: [String] = []
        for argument in arguments {
            if let quoted = Self.quoted(argument) {
                pieces.append(quoted)
                notices.append(.spacedValue(quoted))
            } else {
                pieces.append(argument)
            }
        }
        text = pieces.joined(separator: " ")
    }

    private static func quoted(_ argument: String) -> String? {
        guard let colon = argument.unicodeScalars.firstIndex(of: ":") else { return nil }
        let name = argument[..<colon].drop { QueryLexer.isMinus($0) }
        let value = argument[argument.unicodeScalars.index(after: colon)...]
        let words = value.split(whereSeparator: \.isWhitespace)
        guard FilterName.takesSpaces(name), words.count > 1, value.first?.isWhitespace == false,
            !value.contains(where: { QueryLexer.isQuote($0) || "()|".contains($0) }),
            !words.contains(where: isSyntax)
        else { return nil }
        let isBeginning = words[words.count - 1].hasSuffix("*")
        let trimmed = value[..<words[words.count - 1].endIndex].dropLast(isBeginning ? 1 : 0)
        return argument[...colon] + "\"" + trimmed + "\"" + (isBeginning ? "*" : "")
    }

    /// Whether a word after a space means that the query continues there.
    private static func isSyntax(_ word: Substring) -> Bool {
        if ["OR", "AND", "NOT", "not", "&&", "&"].contains(word) { return true }
        if let first = word.first, QueryLexer.isMinus(first) { return true }
        guard let colon = QueryLexer.colon(of: word) else { return false }
        return FilterName.isKnown(word[..<colon])
    }
}
