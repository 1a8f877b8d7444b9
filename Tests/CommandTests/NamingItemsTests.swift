import Testing

/// How a person names an item: id, digits, title, URL, row.
struct NamingItemsTests {
    static let one = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    static let two = "01a19b7c-ffff-7000-8f3e-5d2c9b7a0000"
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.plant(Self.one, #"{"title": "Łódź at Night", "linkURL": "https://example.org/a"}"#)
        try sandbox.plant(Self.two, #"{"title": "Shopping", "tags": ["list"]}"#)
    }

    @Test(arguments: [
        one, one.uppercased(), "9b7a61c4", "9B7A61C4", "61c4", "5d2c9b7a61c4", "5d2c-9b7a61c4", "01a19b7ca680",
        "01a19b7c-a680", "Łódź at Night", "lodz AT night", "https://example.org/a", "HTTPS://EXAMPLE.ORG:443/a#top",
    ])
    func `an item answers to each of its names`(name: String) throws {
        let found = try sandbox.sbfs("show", "--json", name).array()
        #expect(found.map { $0["id"] as? String } == [Self.one])
    }

    @Test(arguments: ["1c4", "deadbeef", "Łódź", "https://example.org/b", "01a19b7c-a680-7000-8f3e-000000000001"])
    func `a name that nothing has ends with 3`(name: String) throws {
        let run = try sandbox.sbfs("show", name, exits: 3)
        #expect(run.out.isEmpty)
        #expect(run.err.hasPrefix("sbfs: nothing is named \"\(name)\""))
        #expect(run.err.split(separator: "\n").count == 1)
        // Words that may be in a title.
        #expect(run.err.contains("sbfs search") == ["Łódź", "deadbeef", "1c4"].contains(name))
    }

    @Test func `digits of several items are refused and the items shown`() throws {
        let run = try sandbox.sbfs("trash", "01a19b7c", exits: 1)
        #expect(run.err.contains("\"01a19b7c\" names 2 items; say which:\n"))
        #expect(run.err.contains("  9b7a61c4  Łódź at Night\n"))
        #expect(run.err.contains("  9b7a0000  Shopping\n"))
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `a title of several items is refused`() throws {
        try sandbox.snippet("x", title: "shopping")
        let run = try sandbox.sbfs("show", "Shopping", exits: 1)
        #expect(run.err.contains("\"Shopping\" names 2 items; say which:"))
    }

    @Test func `digits that are a title too are refused unless one is meant`() throws {
        let year = try sandbox.snippet("x", title: "61c4")
        #expect(try sandbox.sbfs("show", "61c4", exits: 1).err.contains("names 2 items"))
        try sandbox.sbfs("title", year, "2026")
        let found = try sandbox.sbfs("show", "--json", "2026").array()
        #expect(found.map { $0["id"] as? String } == [year])
    }

    @Test func `a live item is meant rather than one in the trash`() throws {
        let other = try sandbox.snippet("x", title: "Shopping")
        try sandbox.sbfs("trash", other)
        #expect(try sandbox.sbfs("show", "--json", "Shopping").array().first?["id"] as? String == Self.two)
    }

    @Test func `known and unknown names together are shown in part`() throws {
        #expect(try sandbox.sbfs("show", "--json", "Shopping", "nobody", exits: 4).array().count == 1)
    }

    @Test func `rows of the last list have numbers`() throws {
        let run = try sandbox.shell("sbfs list --sort title --ids; sbfs show --ndjson @2; sbfs show --ndjson @1-2")
        #expect(run.lines.prefix(2) == [Self.one, Self.two])
        #expect(run.lines.count == 5)
        #expect(run.lines[2].contains(Self.two))
        #expect(run.lines[3].contains(Self.one) && run.lines[4].contains(Self.two))
    }

    @Test func `each terminal has rows of its own`() throws {
        let run = try sandbox.shell("sbfs list --ids -s title; sbfs title @1 'First row'", screen: .whole)
        #expect(run.terminal.contains("titled 1 item"))
        #expect(try sandbox.title(Self.one) == "First row")
    }

    @Test func `a row that was not shown ends with 3`() throws {
        #expect(
            try sandbox.sbfs("show", "@1", exits: 3).err.contains(
                "@1: this terminal has shown no list of this library yet"))
        let run = try sandbox.shell("sbfs list > /dev/null; sbfs show @7", exits: 3)
        #expect(run.err.contains("@7: the last list in this terminal had 2 rows"))
    }

    @Test func `rows of another library are not believed`() throws {
        try sandbox.sbfs("init", "other")
        let run = try sandbox.shell("sbfs list > /dev/null; sbfs --library other show @1", exits: 3)
        #expect(run.err.contains("this terminal has shown no list of this library yet"))
    }
}
