import Testing

struct AppendTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let result: String
    }

    @Test(arguments: [
        Case(testDescription: "no line end", text: "milk", result: "milk\n\nbread\n"),
        Case(testDescription: "a line end", text: "milk\n", result: "milk\n\nbread\n"),
        Case(testDescription: "a blank line", text: "milk\n\n", result: "milk\n\nbread\n"),
        Case(testDescription: "CRLF", text: "milk\r\n", result: "milk\r\n\nbread\n"),
    ])
    func `a paragraph follows a blank line`(_ one: Case) throws {
        let id = try sandbox.snippet(one.text, title: "Shopping")
        let run = try sandbox.sbfs("append", "Shopping", "bread")
        #expect(run.err == "sbfs: appended to 1 item\n")
        #expect(try sandbox.text(id) == one.result)
    }

    @Test func `an item without a text gets one`() throws {
        let id = try sandbox.link("https://example.org")
        try sandbox.sbfs("append", "https://example.org", "read it\n\n")
        #expect(try sandbox.text(id) == "read it\n")
    }

    @Test func `the text comes from standard input`() throws {
        let id = try sandbox.snippet("milk")
        try sandbox.sbfs("append", id, "-", input: "bread\nand butter\n")
        #expect(try sandbox.text(id) == "milk\n\nbread\nand butter\n")
    }

    @Test func `several items get it, as a query names them`() throws {
        let one = try sandbox.snippet("one", tags: "x"), two = try sandbox.snippet("two", tags: "x")
        try sandbox.sbfs("append", "-q", "tag:x", "three")
        #expect(try [one, two].map { try sandbox.text($0) } == ["one\n\nthree\n", "two\n\nthree\n"])
    }

    @Test func `items and text cannot both be standard input`() throws {
        #expect(
            try sandbox.sbfs("append", "-", "-", exits: 2).err.contains("standard input cannot be both items and text"))
        #expect(try sandbox.sbfs("append", "text", exits: 2).err.contains("append needs an item and a text"))
        #expect(try sandbox.sbfs("append", exits: 2).err.contains("append needs an item and a text"))
    }

    @Test func `an empty or binary text changes nothing`() throws {
        let id = try sandbox.snippet("milk")
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("append", id, "", exits: 1).err.contains("the text is empty; nothing was changed"))
        #expect(try sandbox.sbfs("append", id, "-", input: "\n", exits: 1).err.contains("the text is empty"))
        let run = try sandbox.sbfs(words: ["append", id, "-"], input: [0x61, 0x00], exits: 1)
        #expect(run.err.contains("the text is not UTF-8; nothing was changed"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `a text in item.json moves to text.md first`() throws {
        let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
        try sandbox.plant(id, #"{"textContent": "old", "mood": "calm"}"#)
        try sandbox.sbfs("append", id, "new")
        #expect(try sandbox.text(id) == "old\n\nnew\n")
        #expect(try sandbox.item(id)["textContent"] == nil)
        #expect(try sandbox.item(id)["mood"] as? String == "calm")
    }
}
