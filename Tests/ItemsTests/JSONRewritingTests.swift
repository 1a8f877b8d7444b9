import JSONFormat
import Testing

@testable import Items

/// Setting and removing members of a document.
struct JSONRewritingTests {
    private func rewrite(_ text: String, _ changes: [(key: String, value: JSON?)]) throws -> String {
        let json = try JSONDocument(parsing: Array(text.utf8))
        let bytes = try json.rewriting(changes) { key in ItemField(rawValue: key)?.rank }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `members keep their order, unknown ones their place and spelling`() throws {
        let text = #"{"x-first":1.0e+2,"tags":["a"],"unknown":{"b":-0},"title":"old","id":"z"}"#
        #expect(
            try rewrite(text, [("title", .string("new"))]) == """
                {
                  "x-first": 1.0e+2,
                  "tags": [
                    "a"
                  ],
                  "unknown": {
                    "b": -0
                  },
                  "title": "new",
                  "id": "z"
                }

                """)
    }

    struct Insertion: CustomStringConvertible {
        let description: String
        let keys: [String]
        let new: String
        let result: [String]

        init(_ name: String, _ keys: [String], _ new: String, _ result: [String]) {
            (description, self.keys, self.new, self.result) = (name, keys, new, result)
        }
    }

    @Test(arguments: [
        Insertion("into nothing", [], "title", ["title"]),
        Insertion(
            "behind what precedes it", ["id", "tags", "createdAt"], "title", ["id", "title", "tags", "createdAt"]),
        Insertion("to the front", ["tags", "createdAt"], "id", ["id", "tags", "createdAt"]),
        Insertion("to the end", ["id", "tags"], "trashedAt", ["id", "tags", "trashedAt"]),
        Insertion(
            "unknown keys stay with what is before them", ["id", "mine", "tags"], "title",
            ["id", "title", "mine", "tags"]),
        Insertion(
            "order by hand is kept", ["tags", "id", "createdAt"], "title", ["tags", "id", "title", "createdAt"]),
        Insertion("an unknown key goes last", ["id", "tags"], "mine", ["id", "tags", "mine"]),
        Insertion("only unknown keys are there", ["mine", "yours"], "title", ["title", "mine", "yours"]),
    ])
    func `a new member goes to its place in the canonical order`(_ insertion: Insertion) throws {
        let text = "{" + insertion.keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let rewritten = try rewrite(text, [(insertion.new, .integer(1))])
        let json = try JSONDocument(parsing: Array(rewritten.utf8))
        #expect(json.members(json.root).map { json.string($0.key) } == insertion.result)
    }

    @Test func `a member is removed with its value, an absent one is no matter`() throws {
        #expect(try rewrite(#"{"a":{"b":[1,2]},"c":2}"#, [("a", nil), ("z", nil)]) == "{\n  \"c\": 2\n}\n")
        #expect(try rewrite(#"{"a":1}"#, [("a", nil)]) == "{}\n")
    }

    @Test func `a removed member that is set again goes to its canonical place`() throws {
        let text = try rewrite(#"{"tags":[],"title":"x"}"#, [("title", nil), ("title", .string("y"))])
        #expect(text == "{\n  \"title\": \"y\",\n  \"tags\": []\n}\n")
    }

    @Test func `a key spelt with escapes is the same key`() throws {
        #expect(try rewrite(#"{"\u0074itle":"x"}"#, [("title", .string("y"))]) == "{\n  \"title\": \"y\"\n}\n")
    }

    @Test func `rewriting nothing twice gives the same bytes`() throws {
        let once = try rewrite(#"{"b":[1,{"c":"\u00e9"}],"a":null}"#, [])
        #expect(try rewrite(once, []) == once)
    }

    @Test func `the canonical order is that of the field table`() {
        #expect(ItemField.allCases.map(\.rank) == Array(0..<ItemField.allCases.count))
        #expect(ItemField.allCases.first == .id)
        #expect(ItemField.allCases.last == .trashedAt)
    }
}
