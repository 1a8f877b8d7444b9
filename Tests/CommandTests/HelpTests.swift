import Testing

struct HelpTests {
    static let verbs = [
        "init", "add", "new", "append", "attach", "list", "search", "show", "path", "edit", "title", "set", "tag add",
        "tag rm", "tag set", "collection add", "collection rm", "collection set", "trash", "restore", "detach", "purge",
        "check", "reindex", "config", "help", "completion", "version", "pin", "unpin", "favorite", "unfavorite", "move",
        "tag rename", "tag merge", "tag delete", "tag colour", "collection new", "collection rename", "collection move",
        "collection delete", "collection colour", "collection icon", "collection order", "smart add", "smart list",
        "smart show", "smart rename", "smart rm",
    ]

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(isLibraryMade: false) }

    @Test(arguments: verbs)
    func `every verb explains itself with an example`(verb: String) throws {
        let run = try sandbox.sbfs(words: ["help"] + verb.split(separator: " ").map(String.init))
        #expect(run.lines.first?.hasPrefix("sbfs \(verb): ") == true)
        let examples = run.lines.drop { $0 != "Examples" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(examples.contains { $0.hasPrefix("  sbfs ") }, "\(examples)")
        #expect(run.out.contains("Usage\n  sbfs \(verb)"))
        #expect(run.out.contains("Options of every command\n"))
        #expect(run.lines.allSatisfy { $0.unicodeScalars.count <= 120 })
        #expect(run.err.isEmpty)
        if verb != "help" {
            for flag in ["--help", "-h"] {
                #expect(try sandbox.sbfs(words: verb.split(separator: " ").map(String.init) + [flag]).out == run.out)
            }
        }
    }

    @Test func `the overview names every verb`() throws {
        let run = try sandbox.sbfs()
        for verb in Self.verbs { #expect(run.lines.contains { $0.hasPrefix("  \(verb) ") }, "\(verb)") }
        for words in [["help"], ["--help"], ["-h"]] { #expect(try sandbox.sbfs(words: words).out == run.out) }
    }

    @Test func `a family explains its verbs`() throws {
        let run = try sandbox.sbfs("help", "tag")
        for verb in ["add", "rm", "set"] { #expect(run.out.contains("sbfs tag \(verb): ")) }
    }

    @Test func `topics explain what belongs to no verb`() throws {
        #expect(try sandbox.sbfs("help", "query").out.contains("collection:Work"))
        #expect(try sandbox.sbfs("help", "output").out.contains("--ndjson"))
        #expect(try sandbox.sbfs("help", "items").out.contains("@3"))
        let codes = try sandbox.sbfs("help", "exit-codes").lines.compactMap { line in
            line.hasPrefix("  ") ? line.dropFirst(2).first : nil
        }
        #expect(String(codes) == "012345678")
    }

    @Test func `help of what is not there is a usage error`() throws {
        #expect(try sandbox.sbfs("help", "serach", exits: 2).err.contains("did you mean \"search\"?"))
    }

    @Test func `version prints one line, however it is asked for`() throws {
        let run = try sandbox.sbfs("version")
        #expect(run.lines.count == 1)
        #expect(run.out.hasPrefix("sbfs "))
        #expect(try sandbox.sbfs("--version").out == run.out)
    }

    @Test func `help needs no library`() throws {
        sandbox.environment["SBFS_LIBRARY"] = "/nonexistent"
        try sandbox.sbfs("help", "add")
        try sandbox.sbfs("version")
        try sandbox.sbfs("completion", "bash")
    }
}
