import Testing

struct InitTests {
    @Test func `init makes a library that check finds sound`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let run = try sandbox.sbfs("init", "--name", "Archive")
        #expect(run.out.isEmpty)
        #expect(run.err.contains("made the library \(sandbox.library)"))
        #expect(try sandbox.sbfs("config", "name").out == "Archive\n")
        #expect(try sandbox.sbfs("check", "--notes").out.isEmpty)
        for name in ["library.json", "items", "tombstones", "smart", "inbox/rejected", "schema/item-1.json"] {
            #expect(sandbox.scratch.exists("library/" + name), "\(name)")
        }
    }

    @Test func `init of a library changes nothing`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("kept")
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("init").err.contains("is a library already; nothing was changed"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `init adds missing parts`() throws {
        let sandbox = try Sandbox()
        try sandbox.scratch.removeFile("library/.gitattributes")
        try sandbox.scratch.removeEmptyDirectory("library/inbox/rejected")
        try sandbox.sbfs("init")
        #expect(try sandbox.scratch.text("library/.gitattributes") == "* -text\n")
        #expect(sandbox.scratch.exists("library/inbox/rejected"))
    }

    @Test func `init refuses a folder that holds other files`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        try sandbox.scratch.write("library/holiday.jpg", "x")
        let run = try sandbox.sbfs("init", exits: 1)
        #expect(run.err.contains("already holds other files (holiday.jpg)"))
        #expect(run.err.contains("--force"))
        #expect(!sandbox.scratch.exists("library/library.json"))
        try sandbox.sbfs("init", "--force")
        #expect(try sandbox.scratch.text("library/holiday.jpg") == "x")
        #expect(try sandbox.sbfs("list").out.isEmpty)
    }

    @Test func `init takes the folder as an argument and makes the folders above it`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        try sandbox.sbfs("init", "a/b/c")
        #expect(sandbox.scratch.exists("desk/a/b/c/library.json"))
        #expect(try sandbox.sbfs("--library", "a/b/c", "config", "name").out == "c\n")
        #expect(!sandbox.scratch.exists("library"))
    }

    @Test func `init refuses a folder inside a library, also by a link`() throws {
        let sandbox = try Sandbox()
        try sandbox.shell("ln -s '\(sandbox.library)/items' link")
        for path in [sandbox.library + "/sub", sandbox.library + "/items/ab/new", "link/new"] {
            for words in [[], ["--dry-run"], ["--from", "exchange"]] {
                let told = try sandbox.sbfs(words: ["init", path] + words, exits: 1).err
                #expect(told.contains("lies in the library"), "\(told)")
            }
        }
        // Only the name leads through it.
        try sandbox.sbfs("init", sandbox.library + "/../beside")
        try sandbox.sbfs("init", "--force", sandbox.library + "/sub")
        #expect(sandbox.scratch.exists("beside/library.json") && sandbox.scratch.exists("library/sub/library.json"))
    }

    @Test(arguments: [["a", "b"], [""]])
    func `init refuses other arguments`(words: [String]) throws {
        try Sandbox(isLibraryMade: false).sbfs(words: ["init"] + words, exits: 2)
    }
}
