import Testing

struct ListTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Three items, in the order of creation.
    private func three() throws -> [String] {
        [
            try sandbox.snippet("b", title: "Banana"), try sandbox.snippet("a", title: "apple"),
            try sandbox.snippet("c", title: "Cherry"),
        ]
    }

    private func order(_ options: String...) throws -> [String] {
        try sandbox.sbfs(words: ["list", "--ids"] + options).lines
    }

    @Test func `an empty library lists nothing and is no failure`() throws {
        #expect(try sandbox.sbfs("list").out.isEmpty)
        #expect(try sandbox.sbfs("list", "--json").array().isEmpty)
        #expect(try sandbox.sbfs("list", "--ndjson").out.isEmpty)
    }

    @Test func `the latest change comes first, after pinned items`() throws {
        let ids = try three()
        #expect(try order() == ids.reversed())
        try sandbox.sbfs("title", ids[0], "Berry")
        #expect(try order() == [ids[0], ids[2], ids[1]])
        try sandbox.sbfs("set", ids[1], "isPinned=true")
        try sandbox.sbfs("title", ids[2], "Currant")
        #expect(try order() == [ids[1], ids[2], ids[0]])
        #expect(try order("--sort", "recent") == [ids[2], ids[1], ids[0]])
    }

    @Test func `every order can be requested and reversed`() throws {
        let ids = try three()
        try sandbox.sbfs("set", ids[0], "sortOrder=2")
        try sandbox.sbfs("set", ids[2], "sortOrder=-1.5")
        #expect(try order("--sort", "newest") == ids.reversed())
        #expect(try order("--sort", "oldest") == ids)
        #expect(try order("-s", "title") == [ids[1], ids[0], ids[2]])
        #expect(try order("-s", "manual") == [ids[2], ids[0], ids[1]])
        #expect(try order("-rs", "title") == [ids[2], ids[0], ids[1]])
    }

    @Test func `a limit shows the first ones`() throws {
        let ids = try three()
        #expect(try order("--limit", "2", "-s", "oldest") == Array(ids[..<2]))
        #expect(try order("-l1", "-s", "oldest") == [ids[0]])
    }

    @Test func `a query chooses`() throws {
        let soup = try sandbox.snippet("tomato soup", tags: "food")
        let link = try sandbox.link("https://example.org/soup")
        try sandbox.snippet("other")
        #expect(try sandbox.ids("soup") == [soup, link])
        #expect(try sandbox.ids("soup", "type:link") == [link])
        #expect(try sandbox.ids("tag:FOOD") == [soup])
        #expect(try sandbox.ids("tomato OR site:example.org") == [soup, link])
        #expect(Set(try sandbox.sbfs("search", "--ids", "tom*").lines) == [soup])
    }

    @Test func `a query that matches nothing ends with 3`() throws {
        try sandbox.snippet("soup")
        for verb in ["list", "search"] {
            #expect(try sandbox.sbfs(words: [verb, "nothing-like-it"], exits: 3).out.isEmpty)
            #expect(try sandbox.sbfs(words: [verb, "nothing-like-it", "--json"], exits: 3).array().isEmpty)
        }
    }

    @Test func `the trash is hidden unless the query asks for it`() throws {
        let id = try sandbox.snippet("soup")
        let live = try sandbox.snippet("soup too")
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.ids() == [live])
        #expect(try sandbox.ids("soup") == [live])
        #expect(try sandbox.ids("trashcan") == [id])
        #expect(try sandbox.ids("is:trashed", "soup") == [id])
    }

    @Test func `explain says how the query was read`() throws {
        try sandbox.snippet("soup")
        let run = try sandbox.sbfs("list", "soup", "--explain")
        #expect(run.err.contains("read as: "))
        #expect(run.lines.count == 1)
    }

    @Test func `an item that cannot be read is named and the others are listed`() throws {
        let good = try sandbox.snippet("good")
        let bad = try sandbox.snippet("bad")
        try sandbox.plant(bad, "{\n  \"title\": oops\n}\n")
        let run = try sandbox.sbfs("list", "--ids")
        #expect(run.lines == [good])
        #expect(run.err.contains("\(sandbox.path(bad, "item.json")):2:12: expected"))
    }
}
