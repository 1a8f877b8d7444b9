import StuffBucket

extension Commands {
    static let suggest = Command(
        "suggest", .find, "Complete a word from what is in the library", arguments: "PREFIX",
        details: """
            Prints the words, tags and collections that begin so, most frequent first, one a line, folded: without case \
            and diacritics.
            """,
        options: [Option("limit", short: "l", value: "N", "print at most N (5)")],
        examples: [.init("sbfs suggest swi", "swift, swiss …")]
    ) { invocation in
        guard invocation.positionals.count == 1, let prefix = invocation.positionals.first, !prefix.isEmpty else {
            throw invocation.usage("suggest takes the beginning of one word")
        }
        let found = try invocation.library().suggest(prefix, limit: invocation.count("limit") ?? 5)
        for word in found { try invocation.output.line(Printable.line(word)) }
        return found.isEmpty ? .nothingFound : .done
    }
}
