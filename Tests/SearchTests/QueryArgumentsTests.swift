import Search
import Testing

struct QueryArgumentsTests {
    /// Arguments after the shell, and the query that they mean.
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let text: String
        let isSpaced: Bool

        init(_ arguments: String..., text: String, isSpaced: Bool = false) {
            self.arguments = arguments
            self.text = text
            self.isSpaced = isSpaced
        }

        var testDescription: String { "\(arguments)" }
    }

    @Test(arguments: [
        Case("smart:To Read", text: "smart:\"To Read\"", isSpaced: true),
        Case("-tag:to read", "soup", text: "-tag:\"to read\" soup", isSpaced: true),
        Case("tag:swift u*", text: "tag:\"swift u\"*", isSpaced: true),
        Case("collection:My Work/A B ", text: "collection:\"My Work/A B\"", isSpaced: true),
        Case("title:less salt", text: "title:\"less salt\"", isSpaced: true),
        Case("tag:a b\tc", text: "tag:\"a b\tc\"", isSpaced: true),
        Case("less salt", text: "less salt"),
        Case("soup tag:a b", text: "soup tag:a b"),
        Case("tag:a type:link", text: "tag:a type:link"),
        Case("tag:a -b", text: "tag:a -b"),
        Case("tag:a OR b", text: "tag:a OR b"),
        Case("tag:a not b", text: "tag:a not b"),
        Case("tag:a (b c)", text: "tag:a (b c)"),
        Case("tag:\"a b\" c", text: "tag:\"a b\" c"),
        Case("tag:“a b” c", text: "tag:“a b” c"),
        Case("tag: swift", text: "tag: swift"),
        Case("tag:swift ", text: "tag:swift "),
        Case("type:link soup", text: "type:link soup"),
        Case("created:2025 soup", text: "created:2025 soup"),
        Case("Note: a b", text: "Note: a b"),
        Case("https://x.org/ a", text: "https://x.org/ a"),
        Case("", text: ""),
    ])
    func `one argument with a space stays one value`(_ test: Case) {
        let parser = QueryParser(arguments: test.arguments, today: QueryReading.today)
        #expect(parser.text == test.text)
        let spaced = parser.notices.contains { if case .spacedValue = $0 { true } else { false } }
        #expect(spaced == test.isSpaced)
        if test.isSpaced { #expect(parser.notices.allSatisfy { $0.weight == .caution }) }
    }

    @Test func `a smart folder is found by its argument`() {
        let parser = QueryParser(arguments: ["smart:To Read", "-b"], today: QueryReading.today) { name in
            name == "To Read" ? "tag:a" : nil
        }
        #expect(parser.query.description == "(tag:a AND NOT b)")
    }
}
