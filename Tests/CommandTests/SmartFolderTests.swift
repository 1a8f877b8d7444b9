import Testing

struct SmartFolderTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup", title: "Note", tags: "food")
        try sandbox.link("https://example.org", title: "Link")
    }

    @Test func `a query is kept, counted, shown, renamed and removed`() throws {
        #expect(
            try sandbox.sbfs("smart", "add", "My Soups", "soup", "tag:food").err
                == "sbfs: made \"My Soups\"; 1 item matches\n")
        #expect(
            try sandbox.sbfs("smart", "list").lines == [
                "1\tMy Soups\tsoup tag:food", "0\tPinned\tis:pinned", "2\tThis Week\tupdated:week",
                "2\tToday\tupdated:today",
            ])
        #expect(try sandbox.sbfs("smart", "show", "my", "soups", "--ids").lines == [id])
        try sandbox.sbfs("smart", "rename", "my soups", "Soups")
        #expect(try sandbox.namedFiles("smart").filter { $0.hasPrefix("soups-") }.count == 1)
        #expect(try sandbox.sbfs("smart", "rm", "SOUPS").err == "sbfs: removed \"Soups\" (soup tag:food)\n")
        #expect(try sandbox.namedFiles("smart").count == 3)
        try sandbox.sbfs("undo")
        #expect(try sandbox.sbfs("smart", "list").lines.contains("1\tSoups\tsoup tag:food"))
    }

    @Test func `an existing name is refused in any case`() throws {
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("smart", "add", "TODAY", "x", exits: 1).err.contains("--replace gives"))
        #expect(try sandbox.sbfs("smart", "rename", "today", "pinned", exits: 1).err.contains("\"Pinned\" already"))
        #expect(try sandbox.sbfs("smart", "add", "today", "updated:today").err == "sbfs: nothing to change\n")
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        try sandbox.sbfs("smart", "add", "today", "created:today", "--replace")
        #expect(try sandbox.sbfs("smart", "list").out.contains("2\tToday\tcreated:today\n"))
        #expect(try sandbox.namedFiles("smart").count == 3)
    }

    @Test func `a file by hand works, and a broken one is named with its place`() throws {
        try sandbox.scratch.write(
            "library/smart/mine.json", #"{"query": "type:link", "name": "Mine", "order": 1, "x": 2}"#)
        try sandbox.scratch.write("library/smart/broken.json", "{\n  \"name\": \"Broken\"\n  \"query\": \"x\"\n}\n")
        let run = try sandbox.sbfs("smart", "list", exits: 4)
        #expect(run.lines[0] == "1\tMine\ttype:link")
        #expect(run.lines.count == 4)
        #expect(run.err.contains("smart/broken.json:3:3: expected"))
        #expect(try sandbox.sbfs("smart", "show", "broken", exits: 3).err.contains("smart/broken.json:3:3"))
        try sandbox.sbfs("smart", "add", "mine", "type:snippet", "--replace")
        #expect(try sandbox.scratch.text("library/smart/mine.json").contains("\"x\": 2"))
        try sandbox.sbfs("check", exits: nil)
    }

    @Test func `a smart folder is a filter in other queries`() throws {
        try sandbox.sbfs("smart", "add", "Links", "type:link")
        #expect(try sandbox.ids("smart:links") != [id])
        #expect(try sandbox.ids("not smart:links") == [id])
        #expect(try sandbox.ids("smart:\"this week\" tag:food") == [id])
        #expect(try sandbox.sbfs("list", "smart:nosuch", exits: 3).err.contains("there is no smart folder \"nosuch\""))
        try sandbox.sbfs("trash", "-q", "smart:nosuch", exits: 2)
    }

    @Test func `smart folders that name each other end`() throws {
        try sandbox.sbfs("smart", "add", "A", "type:link OR smart:B")
        try sandbox.sbfs("smart", "add", "B", "tag:food OR smart:A")
        #expect(try sandbox.ids("smart:A").count == 2)
        let many = String(repeating: "smart:Z ", count: 2000)
        for name in ["X", "Y", "Z"] {
            let next = ["X": "Y", "Y": "Z", "Z": "X"][name] ?? ""
            try sandbox.scratch.write(
                "library/smart/\(name).json", #"{"name": "\#(name)", "query": "\#(many.replacing("Z", with: next))"}"#)
        }
        #expect(try sandbox.sbfs("list", "smart:X", exits: 3).err.contains("it matches nothing"))
    }

    @Test(
        arguments: [
            (["add"], 2), (["add", "x"], 2), (["add", "x", " "], 2), (["add", " ", "x"], 2), (["rename", "today"], 2),
            (["rename", "nosuch", "x"], 3), (["rm"], 2), (["rm", "nosuch"], 3), (["show", "tody"], 3), (["show"], 2),
            (["list", "x"], 2),
        ] as [([String], Int32)])
    func `names and queries are needed`(_ words: [String], _ status: Int32) throws {
        let run = try sandbox.sbfs(words: ["smart"] + words, exits: status)
        if words.contains("tody") { #expect(run.err.contains("did you mean \"Today\"?")) }
        #expect(try sandbox.namedFiles("smart").count == 3)
    }
}
