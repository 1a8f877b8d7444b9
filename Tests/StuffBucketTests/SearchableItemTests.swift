import Items
import StuffBucket
import Testing

/// Queries over real items: which parts of an item are searched.
struct SearchableItemTests {
    /// One item of each kind.
    private static func library() throws -> SampleLibrary {
        let sample = try SampleLibrary()
        try sample.put(
            1, "Sourdough", [("createdAt", .string("2025-03-09T12:00:00Z")), ("isFavorite", .bool(true))],
            tags: ["Baking", "collection:Kitchen/Bread"], text: "Feed the levain twice.\n\nPatience, Łukasz!\n")
        let link = try sample.put(
            2, "Actors",
            [
                ("type", .string("link")), ("linkURL", .string("https://www.Example.org/swift/isolation?x=1")),
                ("linkTitle", .string("Data races")), ("linkAuthor", .string("Doris Müller")),
                ("linkSite", .string("Evolution")), ("archiveStatus", .string("partial")),
                ("linkStatus", .string("dead")), ("description", .string("proposal")),
                ("source", .string("safari_bookmarks")), ("aiSummary", .string("serialises access")),
                ("isPinned", .bool(true)),
                (
                    "annotations",
                    .array([
                        .string("remember"),
                        .object([.init("quote", .string("reentrancy")), .init("note", .string("hm"))]),
                    ])
                ),
            ], tags: ["swift ui"])
        try sample.scratch.write(sample.folder(link) + "/page.html", "<p>page")
        let document = try sample.put(3, nil, [("documentRelativePath", .string("document/Tax_Return.pdf"))])
        try sample.scratch.write(sample.folder(document) + "/document/Tax_Return.pdf", "%PDF")
        let conflicted = try sample.put(
            4, "", [("textContent", .string("inline words")), ("linkURL", .string("http://h.example/"))])
        try sample.scratch.write(sample.folder(conflicted) + "/conflicts/x.item.json", "{}")
        return sample
    }

    private static let words = [
        ("sourdough", ["Sourdough"]), ("levain", ["Sourdough"]), ("lukasz", ["Sourdough"]),
        ("\"twice patience\"", ["Sourdough"]), ("baking", ["Sourdough"]), ("kitchen", ["Sourdough"]),
        ("\"levain baking\"", []), ("races", ["Actors"]), ("muller", ["Actors"]), ("evolution", ["Actors"]),
        ("isolation", ["Actors"]), ("proposal", ["Actors"]), ("serialises", ["Actors"]), ("remember", ["Actors"]),
        ("reentrancy hm", ["Actors"]), ("\"reentrancy hm\"", []), ("return", ["Tax_Return.pdf"]),
        ("tax pdf", ["Tax_Return.pdf"]), ("inline", ["inline words"]), ("absent", []),
    ]

    @Test func `words are looked for in every text of an item`() throws {
        let sample = try Self.library()
        for (query, titles) in Self.words { #expect(try sample.titles(query) == titles, "\(query)") }
    }

    private static let filters = [
        ("type:snippet", ["Sourdough"]), ("type:link", ["Actors", "inline words"]),
        ("type:document", ["Tax_Return.pdf"]), ("has:text", ["inline words", "Sourdough"]),
        ("has:link", ["Actors", "inline words"]), ("has:document", ["Tax_Return.pdf"]), ("has:archive", ["Actors"]),
        ("is:favorite", ["Sourdough"]), ("is:pinned", ["Actors"]), ("is:dead", ["Actors"]),
        ("is:untitled", ["inline words", "Tax_Return.pdf"]), ("is:conflicted", ["inline words"]), ("is:trashed", []),
        ("status:partial", ["Actors"]), ("status:dead", ["Actors"]), ("status:live", ["inline words"]),
        ("status:full", []), ("source:safari_bookmarks", ["Actors"]), ("site:example.org", ["Actors"]),
        ("site:www.example.org", ["Actors"]), ("site:h.example", ["inline words"]), ("site:org.example", []),
        ("tag:BAKING", ["Sourdough"]), ("tag:\"swift ui\"", ["Actors"]), ("tag:swift", []),
        ("collection:kitchen", ["Sourdough"]), ("collection:Kitchen/Bread", ["Sourdough"]), ("collection:Bread", []),
        ("created:2025", ["Sourdough"]), ("created:2025-03-01..2025-03-20 levain", ["Sourdough"]),
        ("created:<2025", []), ("updated:<1990", ["Actors", "inline words", "Sourdough"]),
        ("not has:text", ["Actors", "Tax_Return.pdf"]),
    ]

    @Test func `filters look at the item and at the files beside it`() throws {
        let sample = try Self.library()
        for (query, titles) in Self.filters { #expect(try sample.titles(query) == titles, "\(query)") }
    }
}
