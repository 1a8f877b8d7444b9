import Testing

/// Which folder is the library: `--library`, `$SBFS_LIBRARY`, the folder above, the setting, `~/StuffBucket`.
struct LibraryLocationTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox(isLibraryMade: false)
        sandbox.environment["SBFS_LIBRARY"] = nil
    }

    private func name(_ words: String..., in folder: String = ".") throws -> String {
        let run = try sandbox.shell("cd '\(folder)' && sbfs \(words.joined(separator: " ")) config name")
        return run.lines.first ?? ""
    }

    @Test func `the nearest way to name a library wins`() throws {
        for folder in ["a", "b", "c", "d"] { try sandbox.sbfs("init", folder) }
        try sandbox.sbfs("init")
        try sandbox.scratch.makeDirectory("desk/c/deep/down")
        #expect(try name() == "StuffBucket")
        try sandbox.sbfs("config", "library", sandbox.desk + "/d")
        #expect(try name() == "d")
        #expect(try name(in: "c/deep/down") == "c")
        sandbox.environment["SBFS_LIBRARY"] = sandbox.desk + "/b"
        #expect(try name(in: "c/deep/down") == "b")
        #expect(try name("--library", "'\(sandbox.desk)/a'", in: "c/deep/down") == "a")
        #expect(try name("--library='\(sandbox.desk)/a'") == "a")
    }

    @Test func `an empty variable is none`() throws {
        try sandbox.sbfs("init")
        sandbox.environment["SBFS_LIBRARY"] = ""
        #expect(try name() == "StuffBucket")
    }

    @Test func `a tilde is the home folder`() throws {
        try sandbox.sbfs("--library", "~/kept", "init")
        #expect(sandbox.scratch.exists("home/kept/library.json"))
        sandbox.environment["SBFS_LIBRARY"] = "~/kept"
        #expect(try name() == "kept")
    }

    @Test(arguments: ["HOME", "SBFS_LIBRARY", "XDG_STATE_HOME", "the current folder"])
    func `a folder whose name is not UTF-8 is refused, and nothing is made`(what: String) throws {
        try sandbox.shell("mkdir \"$(printf 'caf\\351')\"")
        let place =
            what == "the current folder"
            ? "cd \"$(printf 'caf\\351')\"" : "export \(what)=\"$PWD/$(printf 'caf\\351')\""
        let before = try sandbox.shell("find .. | LC_ALL=C sort | cksum").out
        for words in ["init", "init new", "list", "add https://example.org", "config editor vi"] {
            let run = try sandbox.shell("\(place) && sbfs \(words)", exits: 2)
            #expect(run.err.contains("is not UTF-8") && run.err.contains("Nothing was done"), "\(run)")
        }
        try sandbox.shell("\(place) && sbfs help && sbfs list --help")
        #expect(try sandbox.shell("find .. | LC_ALL=C sort | cksum").out == before)
    }

    @Test func `a library.json of another program above is passed over`() throws {
        try sandbox.sbfs("init")
        try sandbox.file("arduino/library.json", #"{"name": "Servo", "version": "1.2"}"#)
        #expect(try name(in: "arduino") == "StuffBucket")
    }

    @Test func `a damaged library above is named, and no other is used instead`() throws {
        try sandbox.sbfs("init")
        try sandbox.sbfs("init", "damaged")
        try sandbox.file("damaged/library.json", "{ oops")
        let run = try sandbox.shell("cd damaged && echo x | sbfs add -", exits: 1)
        #expect(run.err.contains("damaged/library.json:1:3: expected a key in double quotes"))
    }

    @Test func `without a library, the error says how to make one`() throws {
        for words in [["list"], ["add", "https://example.org"], ["check"]] {
            let run = try sandbox.sbfs(words: words, exits: 1)
            #expect(
                run.err == "sbfs: \(sandbox.home)/StuffBucket is not a library (it has no library.json); make one with "
                    + "\"sbfs init \(sandbox.home)/StuffBucket\"\n")
        }
        #expect(!sandbox.scratch.exists("home/StuffBucket"))
        #expect(try sandbox.sbfs("--library", "absent", "list", exits: 1).err.contains("absent is not a library"))
    }

    @Test func `the path to the library may lead through links`() throws {
        try sandbox.sbfs("init", "real")
        try sandbox.scratch.link("desk/linked", to: "real")
        let id = try #require(try sandbox.sbfs("--library", "linked", "add", "-", input: "x").lines.first)
        #expect(try sandbox.sbfs("--library", "real", "list", "--ids").lines == [id])
    }

    @Test func `the option needs a value, once`() throws {
        #expect(try sandbox.sbfs("list", "--library", exits: 2).err.contains("--library needs a value: DIR"))
        let twice = try sandbox.sbfs("list", "--library", "a", "--library", "b", exits: 2)
        #expect(twice.err.contains("--library was given more than once"))
    }

    @Test func `a library whose library json was lost is not to be made again`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("Text.")
        try sandbox.shell("rm \"$SBFS_LIBRARY/library.json\"")
        for words in [["list"], ["add", "https://example.org"], ["check"]] {
            let told = try sandbox.sbfs(words: words, exits: 1).err
            #expect(told.contains("it has items, so the file was lost. Copy it from another copy"), "\(told)")
            #expect(!told.contains("make one with"))
        }
    }
}
