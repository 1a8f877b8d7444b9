import Testing

struct StatsTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.sbfs("add", "https://www.example.org/a", "--no-archive", "--tag", "Swift, desk work")
        try sandbox.sbfs(
            "add", "https://example.org/b", "--no-archive", "--tag", "swift", "--collection", "Work/Reading")
        try sandbox.sbfs("add", "https://docs.example.org/c", "--no-archive")
        let old = try sandbox.sbfs("add", "-", "--title", "<b>Old & \"odd\"</b>", input: "long ago")
        try sandbox.sbfs("set", String(old.out.prefix(36)), "createdAt=2024-12-31T12:00:00Z")
        let gone = try sandbox.sbfs("add", "-", input: "gone")
        try sandbox.sbfs("trash", String(gone.out.prefix(36)))
    }

    @Test func `totals are one a line in a pipe`() throws {
        let lines = try sandbox.sbfs("stats").lines
        for line in ["4\titems", "1\tsnippets", "3\tlinks", "1\tin the trash", "2\ttags", "2\tcollections"] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(try sandbox.sbfs("stats", "--sizes").lines.contains { $0.hasSuffix("\tbytes of texts and item.json") })
    }

    @Test func `JSON counts months, tags, sites and states`() throws {
        func query(_ filter: String, _ words: String...) throws -> String {
            try sandbox.shell("sbfs stats --json \(words.joined(separator: " ")) | python3 -c '\(Self.python(filter))'")
                .out
        }
        #expect(try query("d[\"byMonth\"][0]") == "{'name': '2024-12', 'count': 1}\n")
        // Months without items are included.
        #expect(try query("len(d[\"byMonth\"]) > 20") == "True\n")
        #expect(
            try query("[(t[\"name\"], t[\"count\"]) for t in d[\"byTag\"]]") == "[('Swift', 2), ('desk work', 1)]\n")
        #expect(
            try query("[(t[\"name\"], t[\"count\"]) for t in d[\"bySite\"]]")
                == "[('example.org', 2), ('docs.example.org', 1)]\n")
        #expect(
            try query("{t[\"name\"]: t[\"count\"] for t in d[\"byArchiveStatus\"]}[\"live\"]") == "3\n")
        #expect(try query("d[\"items\"]", "tag:swift") == "2\n")
        #expect(try query("d[\"bytes\"][\"text\"] > 100", "--sizes") == "True\n")
    }

    private static func python(_ expression: String) -> String {
        "import json, sys; d = json.load(sys.stdin); print(\(expression))"
    }

    @Test func `a terminal gets bars`() throws {
        let terminal = try sandbox.onTerminal("stats", "--color", "never").terminal
        #expect(terminal.contains("4 items, 1 in the trash"))
        #expect(terminal.contains("  example.org       2  ██"))
        #expect(terminal.contains("Live only  3  ██"))
    }

    @Test func `the page has every chart, escapes its text and needs nothing else`() throws {
        try sandbox.sbfs("stats", "--html", "stats.html")
        let page = try sandbox.shell("cat stats.html").out
        for heading in ["By month", "By kind", "By tag", "By site", "By collection", "Saved pages", "By size"] {
            #expect(page.contains("<h2>\(heading)"), "\(heading)")
        }
        #expect(page.contains("&lt;b&gt;Old &amp; &quot;odd&quot;&lt;/b&gt;"))
        #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
        let run = try sandbox.sbfs("stats", "--html", "missing/stats.html", exits: 1)
        #expect(run.err.contains("missing"))
    }

    @Test func `a query that matches nothing has its own exit code`() throws {
        #expect(try sandbox.sbfs("stats", "tag:nowhere", exits: 3).lines.first == "0\titems")
    }

    @Test func `a quote with a mark that combines with it ends no attribute of the page`() throws {
        try sandbox.plant(
            "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4",
            #"{"tags": ["x\"\u0301 onmouseover=alert(1) y<\u0338b"]}"#)
        try sandbox.sbfs("stats", "--html", "stats.html")
        let page = try sandbox.shell("cat stats.html").out
        #expect(page.contains("x&quot;\u{301} onmouseover=alert(1) y&lt;\u{338}b"))
    }
}
