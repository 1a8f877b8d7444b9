import Testing

@testable import sbfs

struct HelpTests {
    static let verbs = CommandTable.commands.map(\.name)

    @Test(arguments: verbs) func `each command is found by its words, those too that are found without the table`(
        _ verb: String
    ) throws {
        let words = verb.split(separator: " ").map(String.init)
        let found = try CommandTable.find(words + ["an argument"])
        #expect(found.command.name == verb)
        #expect(found.wordCount == words.count)
    }

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

    /// A screen: 24 lines of 80 columns, one of them for the next prompt.
    private func fitsScreen(_ run: Run) -> Bool {
        run.lines.count <= 23 && run.lines.allSatisfy { $0.unicodeScalars.count <= 80 }
    }

    @Test func `help fits a screen, and says where the rest is`() throws {
        let run = try sandbox.sbfs()
        for words in [["help"], ["--help"], ["-h"]] { #expect(try sandbox.sbfs(words: words).out == run.out) }
        #expect(fitsScreen(run), "\(run.out)")
        let named = Self.verbs.filter { verb in run.lines.contains { $0.dropFirst(10).hasPrefix(verb + " ") } }
        #expect(named.count == 12, "\(named)")
        for topic in ["commands", "query", "items", "output"] { #expect(run.out.contains("sbfs help \(topic) ")) }
    }

    @Test func `the list of commands has every verb`() throws {
        let run = try sandbox.sbfs("help", "commands")
        for verb in Self.verbs { #expect(run.lines.contains { $0.hasPrefix("  \(verb) ") }, "\(verb)") }
    }

    /// The first words of commands of two words.
    private static let families = Set(verbs.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })
        .sorted()

    @Test(arguments: families)
    func `a family fits a screen, and names its verbs with examples`(family: String) throws {
        let run = try sandbox.sbfs("help", family)
        let first = try #require(run.lines.first)
        #expect(first.hasPrefix("sbfs \(family): ") && first.last != " ", "\(first)")
        #expect(fitsScreen(run), "\(run.out)")
        let verbs = Self.verbs.filter { $0.hasPrefix(family + " ") }
        for verb in verbs { #expect(run.lines.contains { $0.hasPrefix("  \(verb) ") }, "\(verb)") }
        let examples = run.lines.drop { $0 != "Examples" }.map { $0 + " " }
        for verb in verbs.prefix(6) { #expect(examples.contains { $0.contains("sbfs \(verb) ") }, "\(verb)") }
        #expect(try sandbox.sbfs(family, "--help").out == run.out)
    }

    @Test func `everything fits 80 columns`() throws {
        let topics = ["commands", "query", "items", "output", "exit-codes", "privacy"]
        for words in topics.map({ [$0] }) + Self.verbs.map({ $0.split(separator: " ").map(String.init) }) {
            let run = try sandbox.sbfs(words: ["help"] + words)
            // Usage and examples are lines to type, and are not broken.
            let long = run.lines.filter {
                $0.unicodeScalars.count > 80 && !$0.hasPrefix("  sbfs ") && !$0.contains(" | sbfs ")
            }
            #expect(long.isEmpty, "\(words): \(long)")
        }
    }

    @Test func `topics explain what belongs to no command`() throws {
        #expect(try sandbox.sbfs("help", "query").out.contains("collection:Work"))
        #expect(try sandbox.sbfs("help", "output").out.contains("--ndjson"))
        #expect(try sandbox.sbfs("help", "items").out.contains("@3"))
        #expect(try sandbox.sbfs("help", "privacy").out.contains("config ai.never QUERY"))
        let codes = try sandbox.sbfs("help", "exit-codes").lines.compactMap { line in
            line.hasPrefix("  ") ? line.dropFirst(2).first : nil
        }
        #expect(String(codes) == "012345678")
    }

    @Test func `help for an unknown name is a usage error`() throws {
        #expect(try sandbox.sbfs("help", "serach", exits: 2).err.contains("did you mean \"search\"?"))
        #expect(try sandbox.sbfs("help", "exit", exits: 2).err.contains("did you mean \"sbfs help exit-codes\"?"))
    }

    @Test func `version prints one line, in every spelling`() throws {
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
