import Testing

struct ColorTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.snippet("soup", title: "Note", tags: "food")
    }

    @Test func `a terminal is given colours, a pipe none`() throws {
        #expect(try sandbox.onTerminal("list").terminal.contains("\u{1B}[1mNote\u{1B}[0m"))
        #expect(!(try sandbox.sbfs("list", "--format", "table").out.contains("\u{1B}")))
    }

    @Test func `NO_COLOR is respected unless empty`() throws {
        sandbox.environment["NO_COLOR"] = "1"
        #expect(!(try sandbox.onTerminal("list").terminal.contains("\u{1B}")))
        #expect(try sandbox.onTerminal("list", "--color", "always").terminal.contains("\u{1B}[1mNote"))
        sandbox.environment["NO_COLOR"] = ""
        #expect(try sandbox.onTerminal("list").terminal.contains("\u{1B}[1mNote"))
    }

    @Test func `a terminal without colours is given none`() throws {
        sandbox.environment["TERM"] = "dumb"
        #expect(!(try sandbox.onTerminal("list").terminal.contains("\u{1B}")))
    }

    @Test func `--color decides`() throws {
        #expect(!(try sandbox.onTerminal("list", "--color", "never").terminal.contains("\u{1B}")))
        #expect(try sandbox.sbfs("list", "-f", "table", "--color=always").out.contains("\u{1B}[36m#food\u{1B}[0m"))
        #expect(
            try sandbox.sbfs("list", "--color", "sometimes", exits: 2).err.contains(
                "--color must be auto, always or never, not \"sometimes\""))
    }

    @Test(arguments: [["--json"], ["--ndjson"], ["--ids"], ["--format", "tsv"]])
    func `data for programs is never coloured`(words: [String]) throws {
        #expect(!(try sandbox.sbfs(words: ["list", "--color", "always"] + words).out.contains("\u{1B}")))
    }
}
