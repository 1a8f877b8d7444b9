import Testing

/// The comment grammar of `add --comment`.
struct AddCommentTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let comment: String
        let text: String?
        let tags: [String]
    }

    static let cases = [
        Case(testDescription: "words are tags", comment: "recipe #soup", text: nil, tags: ["recipe", "soup"]),
        Case(
            testDescription: "straight double quotes", comment: "recipe \"with less salt\"", text: "with less salt\n",
            tags: ["recipe"]),
        Case(
            testDescription: "smart double quotes", comment: "\u{201C}with less salt\u{201D} soup",
            text: "with less salt\n", tags: ["soup"]),
        Case(
            testDescription: "single quotes at word boundaries", comment: "'with less salt' soup",
            text: "with less salt\n", tags: ["soup"]),
        Case(
            testDescription: "an apostrophe is a letter", comment: "don't worry", text: nil, tags: ["don't", "worry"]),
        Case(
            testDescription: "quotes inside quotes are text", comment: "\"the 'best' soup\"",
            text: "the 'best' soup\n", tags: []),
        Case(
            testDescription: "several runs are lines", comment: "\"one\" a \"two\" b", text: "one\ntwo\n",
            tags: ["a", "b"]),
        Case(testDescription: "doubles collapse", comment: "Soup #soup SOUP", text: nil, tags: ["Soup"]),
        Case(testDescription: "nothing", comment: "  ", text: nil, tags: []),
    ]

    @Test(arguments: cases)
    func `quoted runs are text and other words are tags`(_ one: Case) throws {
        let sandbox = try Sandbox()
        let id = try #require(try sandbox.sbfs("add", "https://example.org", "--comment", one.comment).lines.first)
        #expect(try sandbox.tags(id) == one.tags)
        #expect(sandbox.scratch.exists(sandbox.folder(id) + "/text.md") == (one.text != nil))
        if let text = one.text { #expect(try sandbox.text(id) == text) }
    }

    @Test func `a snippet's comment is below its text`() throws {
        let sandbox = try Sandbox()
        let id = try #require(try sandbox.sbfs("add", "-", "-m", "a \"note\"", input: "body").lines.first)
        #expect(try sandbox.text(id) == "body\n\nnote\n")
        #expect(try sandbox.tags(id) == ["a"])
    }
}
