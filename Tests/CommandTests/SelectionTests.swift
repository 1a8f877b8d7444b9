import JSONFormat
import Testing

/// Items selected by a query or by ids on standard input.
struct SelectionTests {
    let sandbox: Sandbox
    let first: String
    let second: String
    let third: String

    init() throws {
        sandbox = try Sandbox()
        first = try sandbox.snippet("soup", title: "First", tags: "food")
        second = try sandbox.snippet("stew", title: "Second", tags: "food")
        third = try sandbox.snippet("soap", title: "Third")
    }

    @Test func `a query takes all that match`() throws {
        let run = try sandbox.sbfs("tag", "add", "-q", "tag:food", "eaten")
        #expect(run.err == "sbfs: tagged 2 items\n")
        #expect(try sandbox.ids("tag:eaten") == [first, second])
    }

    @Test func `a word after a hyphen is excluded, though letters after one are options`() throws {
        #expect(try sandbox.sbfs("list", "tag:food", "-soup", "--ids").lines == [second])
        #expect(try sandbox.sbfs("search", "so*", "-tag:food", "--ids").lines == [third])
        #expect(try sandbox.sbfs("list", "type:snippet", "-\"stew\"", "-first", "--ids").lines == [third])
        #expect(try sandbox.sbfs("list", "-fids", "-l1", "-stitle").lines == [first])
        #expect(try sandbox.sbfs("list", "-x", exits: 2).err.contains("no option \"-x\""))
        try sandbox.sbfs("smart", "add", "Others", "tag:food", "-stew")
        #expect(try sandbox.sbfs("smart", "show", "Others", "--ids").lines == [first])
    }

    @Test func `a query that matches nothing ends with 3`() throws {
        #expect(try sandbox.sbfs("trash", "--query", "tag:none", exits: 3).err.contains("nothing matches tag:none"))
    }

    @Test func `names and a query together are a usage error`() throws {
        let run = try sandbox.sbfs("trash", "First", "-q", "tag:food", exits: 2)
        #expect(run.err.contains("name the items or use --query, not both"))
        #expect(try sandbox.ids().count == 3)
    }

    @Test func `no items at all are a usage error`() throws {
        #expect(try sandbox.sbfs("trash", exits: 2).err.contains("which items? Name them by id, title, URL or @row"))
    }

    @Test func `ids come from standard input`() throws {
        try sandbox.sbfs("tag", "add", "-", "piped", input: "\(first)\n\(third)\r\n\n")
        #expect(try sandbox.ids("tag:piped") == [first, third])
    }

    @Test func `rows of tabs can be piped in`() throws {
        try sandbox.shell("sbfs list tag:food | sbfs tag add - piped")
        #expect(try sandbox.ids("tag:piped") == [first, second])
    }

    @Test func `standard input and names mix`() throws {
        try sandbox.sbfs("trash", "Third", "-", input: first)
        #expect(try sandbox.ids() == [second])
    }

    @Test func `empty standard input names nothing`() throws {
        try sandbox.sbfs("trash", "-", input: "\n", exits: 3)
        #expect(try sandbox.ids().count == 3)
    }

    @Test func `ids on standard input leave the terminal to the question`() throws {
        let kept = try sandbox.ask("detach", "-", "text", typing: "n\n", input: first + "\n", exits: 1)
        #expect(kept.terminal.contains("Take the text out of \"First\" (\(first.suffix(8)))? [y/N]"))
        #expect(try sandbox.text(first) == "soup")
        try sandbox.ask("detach", "-", "text", typing: "y\n", input: first + "\n")
        #expect(!sandbox.scratch.exists(sandbox.folder(first) + "/text.md"))
    }

    @Test func `JSON has an object for each item`() throws {
        let results = try sandbox.sbfs("tag", "add", "--json", first, third, "food").array()
        #expect(results.map { $0["id"] as? String } == [first, third])
        #expect(results.map { $0["result"] as? String } == ["unchanged", "changed"])
    }

    @Test func `JSON carries the error of an item that failed`() throws {
        try sandbox.plant(second, "{\n\"tags\": 5\n}")
        let run = try sandbox.sbfs("tag", "add", "--json", first, second, "new", exits: 4)
        let results = try run.array()
        #expect(results.map { $0["result"] as? String } == ["changed", "failed"] || results.count == 2)
        let error = try #require(results.first { $0["id"] as? String == second }?["error"] as? String)
        #expect(error.contains("item.json:2:9: tags: expected an array of strings, found a number"))
    }
}
