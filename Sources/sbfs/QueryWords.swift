import Items
import Search

/// The filters of queries as help, the manual and completion tell them.
struct QueryWords {
    let key: String
    /// A filter as one would type it.
    let example: String
    /// What it asks for, without a full stop.
    let meaning: String
    /// All that may stand behind the colon; empty if that is free.
    let values: [String]

    private init(_ key: String, _ example: String, _ meaning: String, values: [String] = []) {
        self.key = key
        self.example = key + ":" + example
        self.meaning = meaning
        self.values = values
    }

    private static let spans = ["today", "yesterday", "week", "month", "year"]

    static let filters = [
        QueryWords("type", "link", "what an item started as", values: ["snippet", "link", "document"]),
        QueryWords("tag", "swift", "the whole tag; tag:\"swift ui\""),
        QueryWords("collection", "Work", "and what is nested in it"),
        QueryWords("smart", "Today", "what a smart folder finds"),
        QueryWords("source", "import", "where an item came from", values: ItemField.sources),
        QueryWords("site", "example.org", "a host and its subdomains"),
        QueryWords("is", "pinned", "a state", values: Filter.State.allCases.map(\.rawValue)),
        QueryWords("has", "document", "a part", values: Filter.Part.allCases.map(\.rawValue)),
        QueryWords(
            "status", "pending", "how far a page was saved, what a check of its link found",
            values: Filter.Status.allCases.map(\.rawValue)),
        QueryWords("created", "2025-03", "when it was made (also date:)", values: spans),
        QueryWords("updated", "week", "when it was changed last", values: spans),
    ]

    /// The meaning with the words that may stand there, where those are few.
    var help: String {
        values.isEmpty || Self.spans == values || values == ItemField.sources
            ? meaning : values.joined(separator: ", ")
    }
}
