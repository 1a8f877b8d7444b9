import StuffBucket

/// The filters of queries, for help, the manual and completion.
struct QueryWords {
    let key: String
    /// A filter as one would type it.
    let example: String
    /// The filter's meaning, without a full stop.
    let meaning: String
    /// The values allowed after the colon; empty if any value is allowed.
    let values: [String]

    private init(_ key: String, _ example: String, _ meaning: String, values: [String] = []) {
        self.key = key
        self.example = key + ":" + example
        self.meaning = meaning
        self.values = values
    }

    private static let spans = ["today", "yesterday", "week", "month", "year"]

    static let filters = [
        QueryWords("type", "link", "how an item started", values: ["snippet", "link", "document"]),
        QueryWords("tag", "swift", "the whole tag; tag:\"swift ui\"; tag:sw* a prefix, tag:* any tag"),
        QueryWords("collection", "Work", "the collection and nested ones; collection:Wo* a prefix"),
        QueryWords("smart", "Today", "what a smart folder finds"),
        QueryWords("title", "soup", "words of the title; title:\"less salt\", title:sou*"),
        QueryWords("text", "soup", "words of the texts, not of title, tags and collections"),
        QueryWords("url", "example.org/a", "a part of the link, without its #fragment"),
        QueryWords("site", "example.org", "a host and its subdomains"),
        QueryWords("author", "knuth", "words of the page's author"),
        QueryWords("lang", "en", "the page's language, with variants such as en-GB"),
        QueryWords("source", "import", "where an item came from", values: ItemField.sources),
        QueryWords("is", "pinned", "a state", values: Filter.State.allCases.map(\.rawValue)),
        QueryWords("has", "document", "a part", values: Filter.Part.allCases.map(\.rawValue)),
        QueryWords(
            "status", "pending", "how far a page was saved, where its files are, what a check of its link found",
            values: Filter.Status.allCases.map(\.rawValue)),
        QueryWords("created", "2025-03", "when it was created (also date:)", values: spans),
        QueryWords("after", "2025-03", "created after the last day of it: created:>2025-03", values: spans),
        QueryWords("before", "2025-03", "created before the first day of it: created:<2025-03", values: spans),
        QueryWords("updated", "week", "when it last changed", values: spans),
    ]

    /// The allowed values if they are few, otherwise the meaning.
    var help: String {
        values.isEmpty || Self.spans == values || values == ItemField.sources
            ? meaning : values.joined(separator: ", ")
    }
}
