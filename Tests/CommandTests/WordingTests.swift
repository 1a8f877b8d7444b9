import Testing

/// Exact wording for command lines that cannot be understood or carried out.
struct WordingTests {
    struct Line: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let words: [String]
        let status: Int32
        /// All of standard error after `sbfs: `, without the last line feed.
        let says: String
    }

    private static func usage(_ words: String..., says: String, help: String? = nil) -> Line {
        let help = help.map { " " + $0 } ?? ""
        return Line(
            testDescription: words.joined(separator: " "), words: words, status: 2,
            says: "\(says)\nSee \"sbfs help\(help)\".")
    }

    private static func failure(_ words: String..., status: Int32, says: String) -> Line {
        Line(testDescription: words.joined(separator: " "), words: words, status: status, says: says)
    }

    static let lines: [Line] = [
        usage("lst", says: "there is no command \"lst\"; did you mean \"list\"?"),
        usage("serach", "x", says: "there is no command \"serach\"; did you mean \"search\"?"),
        usage("Trash", says: "there is no command \"Trash\"; did you mean \"trash\"?"),
        usage("colection", "add", says: "there is no command \"colection\"; did you mean \"collection\"?"),
        usage("frobnicate", says: "there is no command \"frobnicate\""),
        usage("", says: "there is no command \"\""),
        usage("tag", says: "\"tag\" needs a second word: add, rm, set, rename, merge, delete, colour", help: "tag"),
        usage(
            "tag", "ad", "x", says: "\"tag\" needs a second word: add, rm, set, rename, merge, delete, colour",
            help: "tag"),
        usage(
            "list", "--formt", "json", says: "\"sbfs list\" has no option \"--formt\"; did you mean \"--format\"?",
            help: "list"),
        usage(
            "add", "--tags", "x", says: "\"sbfs add\" has no option \"--tags\"; did you mean \"--tag\"?", help: "add"),
        usage(
            "trash", "--zzzz",
            says: "\"sbfs trash\" has no option \"--zzzz\"; an argument that begins with \"-\" goes after \"--\"",
            help: "trash"),
        usage(
            "tag", "add", "-x",
            says: "\"sbfs tag add\" has no option \"-x\"; an argument that begins with \"-\" goes after \"--\"",
            help: "tag add"),
        usage(
            "--bogus", says: "\"sbfs\" has no option \"--bogus\"; an argument that begins with \"-\" goes after \"--\""
        ),
        usage("list", "--json=yes", says: "--json takes no value", help: "list"),
        usage("list", "--limit", says: "--limit needs a value: N", help: "list"),
        usage(
            "search", "-rf", says: "--format needs a value: FORMAT; to look for -rf, give it in both quotes: '\"-rf\"'",
            help: "search"),
        usage("list", "--limit", "0", says: "--limit needs a whole number from 1 on, not \"0\"", help: "list"),
        usage("list", "--limit", "many", says: "--limit needs a whole number from 1 on, not \"many\"", help: "list"),
        usage(
            "list", "--sort", "date",
            says: "--sort must be one of overview, recent, newest, oldest, title, manual, not \"date\"", help: "list"),
        usage("list", "-s", "title", "-s", "oldest", says: "--sort was given more than once", help: "list"),
        usage("search", says: "search needs a query", help: "search"),
        usage("add", says: "add needs a URL, a file, or - for standard input", help: "add"),
        usage(
            "add", "--type", "note", "x", says: "--type must be snippet, link or document, not \"note\"", help: "add"),
        usage("add", "--title", "T", "a", "b", says: "--title fits one item, not 2", help: "add"),
        usage("add", "--input", "list", "a", says: "give --input or names, not both", help: "add"),
        usage(
            "add", "-", "--type", "document", says: "a document needs a file name; save standard input to a file first",
            help: "add"),
        usage("init", "a", "b", says: "init takes one folder", help: "init"),
        failure("add", "--type", "link", "example", status: 1, says: "example is no http or https URL"),
        failure("add", "absent", status: 1, says: "absent is neither a URL nor a file"),
        failure(
            "trash", "nobody", status: 3,
            says:
                "nothing is named \"nobody\"; a name is an id, @row, URL or whole title, and \"sbfs search\" finds by words"
        ),
        failure("trash", "-q", "nobody", status: 3, says: "nothing matches nobody"),
        failure("show", "@1", status: 3, says: "@1: this terminal has shown no list of this library yet"),
    ]

    @Test(arguments: lines)
    func `errors have these words`(line: Line) throws {
        let sandbox = try Sandbox()
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs(words: line.words, exits: line.status)
        #expect(run.err == "sbfs: \(line.says)\n")
        #expect(run.out.isEmpty)
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
    }

    @Test func `options may be anywhere, and flags together`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("x", title: "Note")
        for words in [
            ["--color", "never", "list", "--ids"], ["list", "--limit=1", "--ids"], ["list", "-rl1", "--ids"],
            ["-Q", "list", "--ids"],
            ["list", "-fndjson", "--ids"],
        ] { #expect(try sandbox.sbfs(words: words).lines == [id], "\(words)") }
        try sandbox.sbfs("title", "Note", "--", "--dashed")
        #expect(try sandbox.title(id) == "--dashed")
        try sandbox.sbfs("title", "--", "--dashed", "-1")
        #expect(try sandbox.title(id) == "-1")
    }
}
