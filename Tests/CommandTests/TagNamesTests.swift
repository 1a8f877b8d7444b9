import Testing

/// Tags in the whole library: renamed, merged, deleted, coloured.
struct TagNamesTests {
    let sandbox: Sandbox
    let ids: [String]

    init() throws {
        sandbox = try Sandbox()
        ids = [
            try sandbox.snippet("1", title: "One", tags: "first,Swift,last"),
            try sandbox.snippet("2", title: "Two", tags: "swift"),
            try sandbox.snippet("3", title: "Three", tags: "SWIFT,food"),
        ]
        try sandbox.sbfs("trash", ids[2])
    }

    private func tagFiles() throws -> [String] { try sandbox.namedFiles("tags") }

    @Test func `a tag is renamed in its place in all items, in the trash too`() throws {
        #expect(
            try sandbox.sbfs("tag", "rename", "SWIFT", "Rust").err == "sbfs: renamed \"SWIFT\" to \"Rust\" in 3 items\n"
        )
        #expect(try sandbox.tags(ids[0]) == ["first", "Rust", "last"])
        #expect(try sandbox.tags(ids[1]) == ["Rust"])
        #expect(try sandbox.tags(ids[2]).prefix(2) == ["Rust", "food"])
        #expect(try sandbox.ids("tag:swift") == [])
        #expect(try sandbox.ids("tag:rust") == Set(ids[..<2]))
    }

    @Test func `another casing is a new name as well`() throws {
        #expect(
            try sandbox.sbfs("tag", "rename", "swift", "swift").err
                == "sbfs: renamed \"swift\" to \"swift\" in 2 items\n")
        for id in ids { #expect(try sandbox.tags(id).contains("swift")) }
        #expect(try sandbox.sbfs("tag", "rename", "Swift", "swift").err == "sbfs: nothing to change\n")
    }

    @Test func `what still has the former name is told`() throws {
        try sandbox.sbfs("smart", "add", "Birds", "fly -(tag:SWIFT)")
        try sandbox.sbfs("smart", "add", "Nested", "smart:Birds")
        try sandbox.sbfs("smart", "add", "Work", "collection:Work/Old")
        try sandbox.sbfs("config", "defaultTags", "swift, collection:Work")
        try sandbox.sbfs("collection", "add", ids[0], "Work/Old")
        let respelt = try sandbox.sbfs("tag", "rename", "swift", "Swift").err
        #expect(!respelt.contains("still"), "\(respelt)")
        for words in [["tag", "rename", "swift", "rust"], ["tag", "delete", "swift"]] {
            let told = try sandbox.sbfs(words: words).err
            #expect(told.contains("the smart folder \"Birds\" still asks for tag:SWIFT;"), "\(told)")
            #expect(told.contains("new items still get \"swift\"") && !told.contains("Nested"), "\(told)")
            try sandbox.sbfs("undo")
        }
        for words in [["collection", "rename", "Work", "Job"], ["collection", "delete", "Work", "--recursive"]] {
            let told = try sandbox.sbfs(words: words).err
            #expect(told.contains("the smart folder \"Work\" still asks for collection:Work/Old;"), "\(told)")
            #expect(told.contains("new items still get \"collection:Work\"") && !told.contains("Birds"), "\(told)")
            try sandbox.sbfs("undo")
        }
    }

    @Test func `the colour comes along, unless the new name has one`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "Red")
        #expect(try sandbox.sbfs("tag", "color", "SWIFT").lines == ["red"])
        try sandbox.sbfs("tag", "rename", "swift", "Rust")
        #expect(try sandbox.sbfs("tag", "colour", "rust").lines == ["red"])
        #expect(try tagFiles().count == 1)
        try sandbox.sbfs("tag", "colour", "food", "#00F")
        let run = try sandbox.sbfs("tag", "rename", "rust", "food")
        #expect(run.err.contains("1 item has \"food\" already; they become one tag\n"))
        #expect(try sandbox.sbfs("tag", "colour", "food").lines == ["#0000ff"])
        #expect(try tagFiles().count == 1)
        #expect(try sandbox.tags(ids[2]).filter { $0 == "food" }.count == 1)
    }

    @Test func `several tags become one`() throws {
        try sandbox.sbfs("tag", "colour", "last", "teal")
        try sandbox.sbfs("tag", "merge", "first", "swift", "LAST", "all")
        #expect(try sandbox.tags(ids[0]) == ["all"])
        #expect(try sandbox.tags(ids[1]) == ["all"])
        #expect(try sandbox.sbfs("tag", "colour", "all").lines == ["teal"])
        // An unknown tag is reported, and nothing is changed.
        for words in [["merge", "nosuch", "all", "food"], ["delete", "all", "nosuch"]] {
            let run = try sandbox.sbfs(words: ["tag"] + words, exits: 3)
            #expect(run.err.contains("no item has the tag \"nosuch\"") && run.err.contains("nothing was changed"))
            #expect(try sandbox.tags(ids[0]) == ["all"])
        }
    }

    @Test func `a tag is taken off all items, and its file goes`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "red")
        #expect(try sandbox.sbfs("tag", "delete", "Swift").err == "sbfs: took \"Swift\" off 3 items\n")
        #expect(try sandbox.tags(ids[0]) == ["first", "last"])
        #expect(try sandbox.item(ids[1])["tags"] == nil)
        #expect(try tagFiles().isEmpty)
        // Another command removes it from some items.
        #expect(try sandbox.sbfs("tag", "rm", "first", exits: 2).err.contains("sbfs tag delete"))
    }

    @Test func `an unknown name ends with 3 and a suggestion`() throws {
        for words in [
            ["rename", "swfit", "x"], ["merge", "swfit", "x"], ["delete", "swfit"], ["colour", "swfit", "red"],
        ] {
            let run = try sandbox.sbfs(words: ["tag"] + words, exits: 3)
            #expect(run.err.lowercased() == "sbfs: no item has the tag \"swfit\"; did you mean \"swift\"?\n")
        }
        #expect(try tagFiles().isEmpty)
    }

    @Test(arguments: [
        ["rename", "trashcan", "x"], ["rename", "swift", "TrashCan"], ["delete", "trashcan"],
        ["merge", "a", "trashcan"],
        ["colour", "trashcan", "red"], ["rename", "collection:Work", "x"], ["rename", "swift", "collection:Work"],
        ["delete", "collection:Work"], ["rename", "swift"], ["rename", "a", "b", "c"], ["rename", "swift", ""],
        ["rename", "swift", "a,b"], ["merge", "swift"], ["delete"], ["colour"], ["colour", "swift", "redd"],
        ["colour", "swift", "light", "red"],
    ])
    func `the mark of the trash, collections and bad names are refused`(words: [String]) throws {
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs(words: ["tag"] + words, exits: 2)
        if words.contains(where: { $0.lowercased() == "trashcan" }) { #expect(run.err.contains("sbfs trash")) }
        if words.contains("collection:Work") { #expect(run.err.contains("\"sbfs collection ")) }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
    }

    @Test func `a colour is removed with a file that says nothing else`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "red")
        try sandbox.sbfs("tag", "colour", "swift", "none")
        #expect(try tagFiles().isEmpty)
        #expect(try sandbox.sbfs("tag", "colour", "swift", "none").err == "sbfs: nothing to change\n")
        try sandbox.sbfs("tag", "colour", "swift", exits: 3)
    }

    @Test func `colours are shown where there are colours`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "#ff0000")
        let plain = try sandbox.sbfs("tags")
        #expect(plain.lines.first == "2\tSwift" || plain.lines.first == "2\tswift")
        #expect(try sandbox.sbfs("tags", "--color", "always").out.contains("\u{1B}[38;5;196m"))
        #expect(
            try sandbox.sbfs("list", "--color", "always", "--format", "table").out.contains(
                "\u{1B}[38;5;196m#swift\u{1B}"))
        sandbox.environment["COLORTERM"] = "truecolor"
        #expect(try sandbox.sbfs("tags", "--color", "always").out.contains("\u{1B}[38;2;255;0;0m"))
        #expect(try sandbox.sbfs("tags", "--json").out.contains("\"colour\": \"#ff0000\""))
    }

    @Test func `an item that cannot be changed keeps the tag, and the tag its colour`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "red")
        try sandbox.plant(ids[1], "{\"tags\": [\"swift\"]")
        let run = try sandbox.sbfs("tag", "rename", "swift", "rust", exits: 4)
        #expect(run.err.contains("item.json:1:"))
        #expect(try sandbox.tags(ids[0]) == ["first", "rust", "last"])
        #expect(try sandbox.sbfs("tag", "colour", "rust").lines == ["red"])
        // When the item can be read again, the same command finishes.
        try sandbox.plant(ids[1], "{\"tags\": [\"swift\"]}")
        try sandbox.sbfs("tag", "rename", "swift", "rust")
        #expect(try sandbox.tags(ids[1]) == ["rust"])
        #expect(try tagFiles().count == 1)
    }

    @Test func `undo takes a new name back, in items and files`() throws {
        try sandbox.sbfs("tag", "colour", "swift", "red")
        try sandbox.sbfs("tag", "merge", "swift", "food", "all")
        try sandbox.sbfs("undo")
        #expect(Set(try sandbox.tags(ids[0])) == ["first", "Swift", "last"])
        #expect(Set(try sandbox.tags(ids[2])) == ["SWIFT", "food", "trashcan"])
        #expect(try sandbox.sbfs("tag", "colour", "swift").lines == ["red"])
        #expect(try tagFiles().count == 1)
    }
}
