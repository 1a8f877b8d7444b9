import Testing

/// Slips and odd states that must cost nothing.
struct SlipTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup\n", title: "Note")
        try sandbox.snippet("stew\n", title: "Other")
    }

    @Test(arguments: ["", "OR", "*", "-", "()"])
    func `a query that stands for everything changes nothing`(query: String) throws {
        let before = try sandbox.snapshot()
        let refused = try sandbox.sbfs("title", "-q", query, "same", exits: 2).err
        #expect(refused.contains("stands for all items") || refused.contains("may mean something else"), "\(refused)")
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        try sandbox.sbfs("title", "-q", "not is:trashed", "same")
        #expect(try sandbox.title(id) == "same")
    }

    @Test(arguments: ["2400-01-01", "1850-01-01", "1960-01-01"])
    func `a file with a far time is read, changed and found`(day: String) throws {
        try sandbox.shell("touch -d '\(day)' '\(sandbox.path(id, "text.md"))' '\(sandbox.path(id, "item.json"))'")
        try sandbox.sbfs("check")
        #expect(try sandbox.ids("soup") == [id])
        try sandbox.sbfs("tag", "add", id, "far")
        #expect(try sandbox.tags(id) == ["far"])
    }

    @Test func `many items with the same text in item json all keep it`() throws {
        var ids: [String] = []
        for number in 0..<40 {
            let id = try sandbox.snippet("own \(number)\n")
            try sandbox.plant(id, #"{"textContent": "the same"}"#)
            ids.append(id)
        }
        try sandbox.sbfs("tag", "add", "-q", "own", "kept")
        for id in ids {
            #expect(try sandbox.tags(id) == ["kept"])
            #expect(try sandbox.conflicts(id).count == 1)
        }
    }

    @Test func `an item that does not parse is opened by edit and found by path`() throws {
        try sandbox.plant(id, "{\"title\": \"Note\",}\n")
        #expect(try sandbox.sbfs("path", id).out.hasSuffix("/\(id)\n"))
        try sandbox.useEditor(#"sed -i s/,}/}/ "$1""#)
        let run = try sandbox.sbfs("edit", id)
        #expect(run.err.contains("item.json:1:18: expected a key in double quotes, found \"}\" after a trailing comma"))
        #expect(try sandbox.title(id) == "Note")
    }

    @Test func `a dry run leaves an unfinished text alone`() throws {
        try sandbox.useEditor("echo precious > \"$1\"; exit 1")
        try sandbox.sbfs("new", exits: 1)
        try sandbox.useEditor("true")
        try sandbox.sbfs("new", "--dry-run")
        #expect(try sandbox.scratch.text(sandbox.draft("new", "text.md")) == "precious\n")
    }

    @Test func `a damaged folder of this device stops writers only`() throws {
        try sandbox.shell("rm -rf '\(sandbox.library)/.sbfs'; echo > '\(sandbox.library)/.sbfs'")
        #expect(try sandbox.ids("soup") == [id])
        #expect(try sandbox.sbfs("tag", "add", id, "x", exits: 1).err.contains(".sbfs"))
    }

    @Test func `add and tag read tags alike`() throws {
        let new = try sandbox.sbfs("add", "-", "--tag", "#a", input: "x").lines[0]
        #expect(try sandbox.tags(new) == ["a"])
        #expect(try sandbox.sbfs("add", "-", "--tag", "trashcan", input: "x", exits: 2).err.contains("sbfs trash"))
    }
}
