import JSONFormat
import Testing

struct AddOutputTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `JSON is one array of the items`() throws {
        let items = try sandbox.sbfs("add", "https://a.example", "https://b.example", "--json").array()
        #expect(items.map { $0["linkURL"] as? String } == ["https://a.example", "https://b.example"])
    }

    @Test func `NDJSON is one item a line, known ones too`() throws {
        let id = try sandbox.link("https://a.example")
        let items = try sandbox.sbfs("add", "https://a.example", "https://b.example", "--ndjson").stream()
        #expect(items.count == 2)
        #expect(items.first?["id"] as? String == id)
    }

    @Test(arguments: [["absent"], ["absent", "missing"], []])
    func `JSON is an array, or nothing, also if nothing could be added`(names: [String]) throws {
        let run = try sandbox.sbfs(words: ["add", "--json"] + names, exits: nil)
        #expect(run.status != 0)
        if !run.out.isEmpty { #expect(try run.array().isEmpty) }
    }

    @Test func `a document that is too large leaves a JSON array`() throws {
        try sandbox.sbfs("config", "maxFileSizeMB", "50")
        try sandbox.shell("truncate -s 51M large.bin")
        let run = try sandbox.sbfs("add", "--json", "large.bin", exits: 7)
        if !run.out.isEmpty { #expect(try run.array().isEmpty) }
    }

    @Test func `JSON of a dry run is an empty array`() throws {
        #expect(try sandbox.sbfs("add", "--json", "--dry-run", "https://a.example").array().isEmpty)
    }

    @Test func `a terminal gets a sentence`() throws {
        let run = try sandbox.onTerminal("add", "https://a.example", "--title", "Letters", "--color", "never")
        #expect(run.terminal.contains("added link "))
        #expect(run.terminal.contains("Letters"))
    }

    @Test func `quiet keeps ids and errors and drops the rest`() throws {
        try sandbox.link("https://a.example")
        let run = try sandbox.sbfs("add", "https://a.example", "--quiet")
        #expect(run.lines.count == 1)
        #expect(run.err.isEmpty)
        #expect(try sandbox.sbfs("-Q", "add", "absent", exits: 1).err.contains("absent is neither a URL nor a file"))
    }
}
