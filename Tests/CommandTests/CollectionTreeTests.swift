import Testing

/// Whole collections: made, renamed, moved, deleted, with their nested ones.
struct CollectionTreeTests {
    let sandbox: Sandbox
    let ids: [String]

    init() throws {
        sandbox = try Sandbox()
        ids = [
            try sandbox.snippet("1", title: "One"), try sandbox.snippet("2", title: "Two"), try sandbox.snippet("3"),
        ]
        try sandbox.sbfs("collection", "add", ids[0], "Work/Projects,Home")
        try sandbox.sbfs("collection", "add", ids[1], "work")
        try sandbox.sbfs("collection", "add", ids[2], "Workshop")
        try sandbox.sbfs("trash", ids[1])
    }

    private func files() throws -> [String] {
        try sandbox.namedFiles("collections").map { String($0.prefix { $0 != "." }.dropLast(9)) }
    }

    @Test func `nested ones move with the outer one, and longer names do not`() throws {
        try sandbox.sbfs("collection", "colour", "Work/Projects", "blue")
        #expect(
            try sandbox.sbfs("collection", "rename", "Work", "Job").err
                == "sbfs: renamed \"Work\" to \"Job\" in 2 items\n")
        #expect(try sandbox.tags(ids[0]) == ["collection:Job/Projects", "collection:Home"])
        #expect(try sandbox.tags(ids[1]).contains("collection:Job"))
        #expect(try sandbox.tags(ids[2]) == ["collection:Workshop"])
        #expect(try sandbox.sbfs("collection", "colour", "job/projects").lines == ["blue"])
        #expect(try files() == ["job-projects"])
    }

    @Test func `into itself is refused, and another casing is not`() throws {
        let before = try sandbox.snapshot()
        for words in [["rename", "Work", "work/Old/Work"], ["move", "Work", "--into", "Work/Projects"]] {
            let run = try sandbox.sbfs(words: ["collection"] + words, exits: 1)
            #expect(run.err.lowercased() == "sbfs: \"work\" cannot be put into itself\n")
        }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        try sandbox.sbfs("collection", "rename", "Work", "WORK")
        #expect(try sandbox.tags(ids[0]).contains("collection:WORK/Projects"))
    }

    @Test func `into another one, out of it, and up by one level`() throws {
        try sandbox.sbfs("collection", "icon", "Work", "💼")
        try sandbox.sbfs("collection", "move", "work", "--into", "home")
        #expect(
            try sandbox.tags(ids[0]).map { $0.lowercased() } == ["collection:home/work/projects", "collection:home"])
        #expect(try files() == ["home-work"])
        try sandbox.sbfs("collection", "move", "Home/Work/Projects", "--top")
        #expect(try sandbox.tags(ids[0]).contains("collection:Projects"))
        try sandbox.sbfs("collection", "rename", "Home/Work", "Home")
        #expect(try sandbox.tags(ids[1]).map { $0.lowercased() }.contains("collection:home"))
        #expect(try sandbox.sbfs("collection", "icon", "Home").lines == ["💼"])
        #expect(try files() == ["home"])
        for words in [["move", "Home"], ["move", "Home", "--top", "--into", "x"], ["move"]] {
            try sandbox.sbfs(words: ["collection"] + words, exits: 2)
        }
    }

    @Test func `if the name is taken, the two become one, with a message`() throws {
        try sandbox.sbfs("collection", "colour", "Home", "red")
        try sandbox.sbfs("collection", "colour", "Work/Projects", "blue")
        try sandbox.sbfs("collection", "icon", "Work/Projects", "💼")
        let run = try sandbox.sbfs("collection", "rename", "Work/Projects", "Home")
        #expect(run.err.contains("there is a collection \"Home\" already; the two become one"))
        #expect(try sandbox.tags(ids[0]) == ["collection:Home"])
        #expect(try sandbox.sbfs("collection", "colour", "Home").lines == ["red"])
        #expect(try sandbox.sbfs("collection", "icon", "Home").lines == ["💼"])
    }

    @Test func `looks of collections that change places do not mix`() throws {
        try sandbox.sbfs("collection", "new", "a/a,a/a/a")
        try sandbox.sbfs("collection", "colour", "a/a", "red")
        try sandbox.sbfs("collection", "colour", "a/a/a", "blue")
        try sandbox.sbfs("collection", "rename", "a/a", "a")
        #expect(try sandbox.sbfs("collection", "colour", "a").lines == ["red"])
        #expect(try sandbox.sbfs("collection", "colour", "a/a").lines == ["blue"])
        #expect(try sandbox.namedFiles("collections").count == 2)
    }

    @Test func `a deleted collection leaves its items`() throws {
        try sandbox.sbfs("collection", "new", "Work/Empty")
        let run = try sandbox.sbfs("collection", "delete", "work", exits: 1)
        #expect(run.err.contains("\"Work/Empty\", \"Work/Projects\"") && run.err.contains("--recursive"))
        #expect(try sandbox.tags(ids[0]).count == 2)
        try sandbox.sbfs("collection", "delete", "work", "-r")
        #expect(try sandbox.tags(ids[0]) == ["collection:Home"])
        #expect(try sandbox.tags(ids[1]) == ["trashcan"])
        #expect(try sandbox.tags(ids[2]) == ["collection:Workshop"])
        #expect(try files().isEmpty)
        try sandbox.sbfs("collection", "delete", "Home")
        #expect(try sandbox.item(ids[0])["tags"] == nil)
        #expect(try sandbox.ids() == [ids[0], ids[2]])
        #expect(try sandbox.sbfs("collection", "rm", "Home", exits: 2).err.contains("sbfs collection delete"))
    }

    @Test func `an unknown name ends with 3`() throws {
        for words in [
            ["rename", "Hoem", "x"], ["move", "Hoem", "--top"], ["delete", "Hoem"], ["icon", "Hoem", "x"],
        ] {
            let run = try sandbox.sbfs(words: ["collection"] + words, exits: 3)
            #expect(run.err == "sbfs: there is no collection \"Hoem\"; did you mean \"Home\"?\n")
        }
    }

    @Test(arguments: [
        ["new"], ["new", "a//b"], ["new", " , "], ["rename", "Home"], ["rename", "Home", "a/"],
        ["rename", "Home", "/"],
        ["order", "Home", "first"], ["order", "Home", "nan"], ["icon", "Home", " "], ["colour", "Home", "5"],
    ])
    func `bad names and values are refused`(words: [String]) throws {
        // A / at the end is ignored.
        try sandbox.sbfs(words: ["collection"] + words, exits: words == ["rename", "Home", "a/"] ? 0 : 2)
    }

    @Test func `all are listed as a tree, with empty ones, in their order`() throws {
        try sandbox.sbfs("collection", "new", "Garden/Herbs, Attic")
        try sandbox.sbfs("collection", "order", "workshop", "1.50")
        try sandbox.sbfs("collection", "icon", "Work", "briefcase.fill")
        #expect(
            try sandbox.sbfs("collections").lines == [
                "1\tWorkshop\t1", "0\tAttic\t0", "0\tGarden\t0", "0\tGarden/Herbs\t0", "1\tHome\t1", "1\tWork\t0",
                "1\tWork/Projects\t1",
            ])
        let shown = try sandbox.onTerminal("collections", "--color", "never").terminal
        #expect(shown.contains("0  Garden\r\n0    Herbs\r\n"))
        #expect(shown.contains("1  Work  0 directly\r\n1    Projects\r\n"))
        let json = try sandbox.sbfs("collections", "--json").out
        #expect(json.contains("\"order\": 1.5\n") && json.contains("\"icon\": \"briefcase.fill\""))
        #expect(
            try sandbox.sbfs("collections", "collection:Home").lines == [
                "1\tHome\t1", "1\tWork\t0", "1\tWork/Projects\t1",
            ])
        try sandbox.sbfs("collections", "type:link", exits: 3)
        #expect(try sandbox.sbfs("collections", "--limit", "1").lines == ["1\tWorkshop\t1"])
    }

    @Test func `a slash within a name is no level`() throws {
        try sandbox.sbfs("collection", "set", ids[0], #"AI\/ML/Papers"#)
        #expect(try sandbox.sbfs("collections").out.contains("1\tAI\\\\/ML\t0\n1\tAI\\\\/ML/Papers\t1\n"))
        try sandbox.sbfs("collection", "rename", #"AI\/ML"#, "AI")
        #expect(try sandbox.tags(ids[0]) == ["collection:AI/Papers"])
    }

    @Test func `a file that an editor broke is left alone and named`() throws {
        try sandbox.sbfs("collection", "colour", "Home", "red")
        let file = "library/collections/" + (try sandbox.scratch.names("library/collections"))[0]
        try sandbox.scratch.write(file, "{\"name\": \"Home\",\n \"colour\": red}\n")
        let run = try sandbox.sbfs("collection", "colour", "Home", "blue", exits: 1)
        #expect(run.err.contains(".json:2:12: expected"))
        #expect(try sandbox.scratch.text(file).contains(": red}"))
    }

    @Test func `undo restores a deleted collection, with its look and its nested ones`() throws {
        try sandbox.sbfs("collection", "colour", "Work/Projects", "blue")
        try sandbox.sbfs("collection", "delete", "Work", "-r")
        try sandbox.sbfs("undo")
        #expect(Set(try sandbox.tags(ids[0])) == ["collection:Work/Projects", "collection:Home"])
        #expect(try sandbox.sbfs("collection", "colour", "Work/Projects").lines == ["blue"])
        try sandbox.sbfs("collection", "move", "Home", "--into", "Work")
        try sandbox.sbfs("undo")
        #expect(Set(try sandbox.tags(ids[0])) == ["collection:Work/Projects", "collection:Home"])
    }
}
