import Testing

/// library.json and folders that a hostile replica may bring.
struct HostileLibraryTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup", title: "Note")
    }

    private func addToLibraryFile(_ members: String) throws {
        let text = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write(
            "library/library.json", text.replacing("\"purgeDays\"", with: members + ",\n  \"purgeDays\""))
    }

    @Test func `settings that name a program, path or host are reported by check and ignored`() throws {
        try addToLibraryFile(
            """
            "editor": "touch \(sandbox.desk)/pwned; rm -rf",
              "pager": "touch \(sandbox.desk)/pwned",
              "library": "/etc",
              "proxy": "evil.example"
            """)
        try sandbox.useEditor(#"sed -i 's/"Note"/"Edited"/' "$1""#)
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.title(id) == "Edited")
        try sandbox.sbfs("list")
        #expect(!sandbox.scratch.exists("desk/pwned"))
        let lines = try sandbox.sbfs("check").lines
        for (index, key) in ["editor", "pager", "library", "proxy"].enumerated() {
            #expect(
                lines.contains {
                    $0.hasPrefix("warning: library.json:\(index + 6):")
                        && $0.contains(
                            "\(key): expected a setting of this format "
                                + "(it is ignored: programs, paths and hosts are never read from here)")
                }, "\(key): \(lines)")
        }
        #expect(try sandbox.sbfs("config", "editor").out == "\n")
    }

    struct Value: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let key: String
        let says: String
        let used: String
    }

    @Test(arguments: [
        Value(
            testDescription: "0", key: "purgeDays", says: "purgeDays: expected a whole number from 1 to 3650, found 0",
            used: "10"),
        Value(testDescription: "1.0", key: "purgeDays", says: "found 1.0", used: "10"),
        Value(testDescription: "null", key: "purgeDays", says: "found null", used: "10"),
        Value(
            testDescription: "99999999999999999999", key: "maxFileSizeMB",
            says: "expected a whole number from 50 to 4096", used: "512"),
        Value(
            testDescription: "[\"a\", 5]", key: "defaultTags", says: "defaultTags: expected an array of strings",
            used: ""),
        Value(
            testDescription: "\"friday\"", key: "weekStart", says: "weekStart: expected \"monday\" or \"sunday\"",
            used: "monday"),
    ])
    func `a setting out of range is named, and the default holds`(value: Value) throws {
        try sandbox.sbfs("config", value.key, "--unset")
        let text = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write(
            "library/library.json",
            text.replacing("\"createdAt\"", with: "\"\(value.key)\": \(value.testDescription),\n  \"createdAt\""))
        let run = try sandbox.sbfs("check")
        #expect(run.out.hasPrefix("warning: library.json:5:"), "\(run)")
        #expect(run.out.contains(value.says))
        #expect(try sandbox.sbfs("config", value.key).out == value.used + "\n")
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let says: String
    }

    @Test(arguments: [
        Refusal(testDescription: "{ oops", says: "library.json:1:3: expected a key in double quotes"),
        Refusal(testDescription: "", says: "library.json:1:1: expected a JSON value, found the end of the file"),
        Refusal(testDescription: "{}", says: "library.json: \"format\" must be a whole number from 1 on"),
        Refusal(testDescription: "[]", says: "library.json: \"format\" must be a whole number from 1 on"),
        Refusal(testDescription: #"{"format": 1}"#, says: "library.json: \"id\" must be a UUID"),
        Refusal(
            testDescription: #"{"format": 1.0, "id": "x"}"#,
            says: "library.json: \"format\" must be a whole number from 1 on"),
        Refusal(
            testDescription: #"{"format": 7}"#,
            says: "the library has format 7, this program reads up to 1; install a newer sbfs"),
    ])
    func `a library.json that cannot be used refuses the library, and nothing is written`(refusal: Refusal) throws {
        try sandbox.scratch.write("library/library.json", refusal.testDescription)
        let before = try sandbox.snapshot()
        for words in [["list"], ["add", "https://example.org"], ["check"], ["init"]] {
            #expect(try sandbox.sbfs(words: words, exits: 1).err.contains(refusal.says))
        }
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test(arguments: [
        "rm library.json && mkfifo library.json", "rm library.json && mkdir library.json",
        "mv library.json ../home/l.json && ln -s ../home/l.json library.json",
        "head -c 2000000 /dev/zero > library.json",
    ])
    func `a library.json that is no plain small file is not read`(script: String) throws {
        try sandbox.shell("cd '\(sandbox.library)' && \(script)")
        let run = try sandbox.sbfs("list", exits: 1)
        #expect(run.err.contains("library.json"))
        #expect(run.out.isEmpty)
    }

    @Test(arguments: ["tombstones", "smart", "inbox", "schema", "collections", "tags"])
    func `a folder of the library that is a link is named and not followed`(name: String) throws {
        try sandbox.shell("cd '\(sandbox.library)' && mv \(name) ../home/\(name) && ln -s ../home/\(name) \(name)")
        let before = try sandbox.scratch.names("home/\(name)")
        let run = try sandbox.sbfs("check", exits: 1)
        #expect(run.out.contains("error: \(name): is a symbolic link, not a folder; it is not followed"))
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("purge", id, "--now", "--yes", exits: name == "tombstones" ? 1 : 0)
        #expect(try sandbox.scratch.names("home/\(name)") == before)
    }

    @Test func `items and .sbfs that are links are not followed`() throws {
        try sandbox.shell("cd '\(sandbox.library)' && mv items ../home/items && ln -s ../home/items items")
        let list = try sandbox.sbfs("list", "--ids", exits: nil)
        #expect(list.out.isEmpty)
        #expect(list.status != 0 && list.err.contains("items"), "\(list)")
        try sandbox.shell(
            "cd '\(sandbox.library)' && rm items && mv ../home/items items && mv .sbfs ../home/s && ln -s ../home/s .sbfs"
        )
        let before = try sandbox.snapshot()
        let add = try sandbox.sbfs("add", "https://example.org", exits: nil)
        #expect(try sandbox.changes(since: before, in: "home/s").isEmpty)
        #expect(add.status == 0 || add.err.contains(".sbfs"), "\(add)")
    }
}
