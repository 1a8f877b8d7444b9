import Testing

/// The meaning of an argument that starts with a hyphen: an option, a part of the query, or an error.
struct LeadingHyphenTests {
    let sandbox: Sandbox
    let kept: String
    let other: String

    init() throws {
        sandbox = try Sandbox()
        kept = try sandbox.snippet("soup", title: "First", tags: "keep")
        other = try sandbox.snippet("stew", title: "Second")
    }

    /// Arguments of a command that takes a query, and the parsed query; empty if there is none.
    struct Case: Sendable, CustomTestStringConvertible {
        let words: [String]
        let reading: String

        init(_ words: String..., reading: String) {
            self.words = words
            self.reading = reading
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    @Test func `the name of an option with a value behind one hyphen is an error`() throws {
        let run = try sandbox.sbfs("list", "-limit", "3", exits: 2)
        #expect(run.err.contains("--limit") && run.out.isEmpty)
        #expect(try sandbox.sbfs("list", "--", "-limit").lines.count == 2)
    }

    @Test(arguments: [
        Case("list", "-tag:keep", reading: "NOT tag:keep"),
        Case("list", "-TAG:keep", reading: "NOT tag:keep"),
        Case("list", "-smart:x", "-title:y", reading: "(NOT nothing AND NOT title:y)"),
        Case("recent", "-is:pinned", reading: "NOT is:pinned"),
        Case("search", "-cats", reading: "NOT cats"),
        Case("search", "-salt", reading: "NOT salt"),
        Case("search", "-all", reading: "NOT all"),
        Case("search", "-har", reading: "NOT har"),
        Case("search", "-haha", reading: "NOT haha"),
        Case("search", "-raar", reading: "NOT raar"),
        Case("search", "-l20x", reading: "NOT l20x"),
        Case("search", "-fancy", reading: "NOT fancy"),
        Case("search", "-ł", reading: "NOT ł"),
        Case("search", "-\"a b\"", reading: "NOT \"a b\""),
        Case("search", "-(a OR b)", reading: "NOT (a OR b)"),
        Case("search", "-5", reading: "NOT 5"),
        Case("search", "-2025-03", reading: "NOT 2025-03"),
        Case("search", "a", "-ra", reading: "a"),
        Case("search", "a", "-raQ", reading: "a"),
        Case("search", "a", "-l20", reading: "a"),
        Case("search", "a", "-rl", "20", reading: "a"),
        Case("search", "a", "-l", "20", reading: "a"),
        Case("search", "a", "-fjson", reading: "a"),
        Case("search", "a", "-srelevance", reading: "a"),
        Case("search", "a", "-rstitle", reading: "a"),
        Case("list", "-stitle", "-n5", reading: "NOT n5"),
        Case("list", "-fids", reading: "everything"),
        Case("search", "--", "-ra", reading: "NOT ra"),
        Case("search", "--", "-tag:keep", reading: "NOT tag:keep"),
        Case("search", "--", "--tag", reading: "NOT tag"),
        Case("list", "–tag:keep", reading: "NOT tag:keep"),
    ])
    func `in a command with a query, a hyphen excludes any word that is no option`(_ test: Case) throws {
        // The order of options does not matter, except after "--".
        let run = try sandbox.sbfs(words: [test.words[0], "--explain"] + test.words.dropFirst(), exits: nil)
        #expect(run.err.contains("sbfs: read as: \(test.reading)\n"), "\(run.err)")
    }

    @Test(
        arguments: [
            (
                ["list", "-x"],
                "\"sbfs list\" has no option \"-x\"; to look for -x, give it in both quotes: '\"-x\"'"
            ),
            (
                ["search", "-c"],
                "\"sbfs search\" has no option \"-c\"; to look for -c, give it in both quotes: '\"-c\"'"
            ),
            (
                ["list", "--tag:keep"],
                "has no option \"--tag:keep\"; to look for --tag:keep, give it in both quotes: '\"--tag:keep\"'"
            ),
            (["list", "--fromat=json"], "has no option \"--fromat\"; did you mean \"--format\"?"),
            (["trash", "-tag:keep"], "\"sbfs trash\" has no option \"-t\"; a query goes with -q: -q '-tag:keep'"),
            (["tag", "add", "-tag:keep", "x"], "a query goes with -q: -q '-tag:keep'"),
            (["show", "-keep"], "has no option \"-k\"; an argument that begins with \"-\" goes after \"--\""),
            (["tag", "add", "-nz", "a", "b"], "has no option \"-z\""),
            (
                ["export", "-obk.html"],
                "\"-obk.html\" is --output bk.html, or leaves out \"obk.html\"; write --output bk.html"
            ),
        ] as [([String], String)])
    func `a word that is neither option nor query is an error with advice`(words: [String], says: String) throws {
        let run = try sandbox.sbfs(words: words, exits: nil)
        #expect(run.err.contains(says), "\(run.err)")
        #expect(run.status == 2)
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `exclusions alone select everything else, in every command with a query`() throws {
        #expect(try sandbox.sbfs("list", "-tag:keep", "--ids").lines == [other])
        #expect(try sandbox.sbfs("search", "-soup", "--ids").lines == [other])
        #expect(try sandbox.sbfs("export", "--format", "ndjson", "-tag:keep").lines.count == 1)
        #expect(try sandbox.sbfs("export", "-fndjson", "-tag:keep").lines.count == 1)
        #expect(try sandbox.sbfs("pick", "--lines", "-tag:keep").lines.count == 1)
        #expect(try sandbox.sbfs("bulk", "--print", "-tag:keep").out.contains("Second"))
        #expect(try !sandbox.sbfs("bulk", "--print", "-tag:keep").out.contains("First"))
        #expect(try sandbox.sbfs("smart", "add", "Not kept", "-tag:keep").err.contains("1 item matches"))
        #expect(try sandbox.sbfs("smart", "show", "Not kept", "--ids").lines == [other])
        #expect(try sandbox.sbfs("list", "smart:Not kept", "--ids").lines == [other])
        #expect(try sandbox.sbfs("tags", "-tag:keep", exits: nil).out.isEmpty)
        #expect(try sandbox.sbfs("trash", "-q", "-tag:keep").err == "sbfs: trashed 1 item\n")
        #expect(try sandbox.ids() == [kept])
    }
}
