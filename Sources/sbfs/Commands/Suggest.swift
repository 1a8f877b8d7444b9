import StuffBucket

extension Commands {
    static let suggest = Command(
        "suggest", .find, "Complete a word from the library", arguments: "PREFIX",
        details: """
            PREFIX may be a filter and the beginning of its value (tag:c). Otherwise prints the items whose titles begin with PREFIX, each with the day of its last change. Then prints the \
            words, tags and collections that begin with it, most frequent first, as the library spells them; one a \
            line. Case and diacritics do not count. In a pipe, a tab separates title and day.
            """,
        options: [Option("limit", short: "l", value: "N", "print at most N items and N words (5)")],
        examples: [.init("sbfs suggest swi", "Swift by Example, Swift, Swiss …")]
    ) { invocation in
        guard invocation.positionals.count == 1, let prefix = invocation.positionals.first, !prefix.isEmpty else {
            throw invocation.usage("suggest needs the beginning of one word")
        }
        let limit = try invocation.count("limit") ?? 5
        let library = try invocation.library()
        if LeadingHyphen.isFilter(prefix) {
            // Updates the index from the files.
            _ = try library.suggest("", limit: 1)
            let values = QueryCompletion(prefix, LibraryNames(library)).answer().words.prefix(limit)
            for value in values { try invocation.output.line(value) }
            return values.isEmpty ? .nothingFound : .done
        }
        // First, because this updates the index from the files.
        let words = try library.suggest(prefix, limit: limit)
        let titles = library.titles(beginning: prefix, limit: limit)
        for title in titles {
            let day = if case .items(_, _, let day) = title.detail { "\(day)" } else { "" }
            try invocation.output.line(
                Terminal.isOutput
                    ? Printable.line(title.text) + "  " + invocation.style.dim(day)
                    : Printable.field(title.text) + "\t" + day)
        }
        for word in words {
            try invocation.output.line(Terminal.isOutput ? Printable.line(word) : Printable.field(word))
        }
        return words.isEmpty && titles.isEmpty ? .nothingFound : .done
    }
}
