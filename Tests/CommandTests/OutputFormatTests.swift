import JSONFormat
import Testing

struct OutputFormatTests {
    let sandbox: Sandbox
    let link: String
    let snippet: String

    init() throws {
        sandbox = try Sandbox()
        link = try #require(
            try sandbox.sbfs(
                "add", "https://example.org/a", "--title", "Letter", "--tag", "b,a", "-c", "Work/Projects", "-c", "Home"
            ).lines.first)
        snippet = try sandbox.snippet("# Soup\n\nwith salt\n")
    }

    @Test func `JSON is always one array, also of one item`() throws {
        let all = try sandbox.sbfs("list", "--json").array()
        #expect(all.map { $0["id"] as? String } == [snippet, link])
        #expect(try sandbox.sbfs("list", "--json", "type:link").array().count == 1)
        #expect(try sandbox.sbfs("show", "--json", link).array().count == 1)
        #expect(try sandbox.sbfs("search", "--format", "json", "soup").array().count == 1)
    }

    @Test func `an item in JSON has its own keys and derived values`() throws {
        try sandbox.plant(snippet, #"{"mood": {"a": [1.50e1]}, "title": null, "sbfs": "mine"}"#)
        let item = try #require(try sandbox.sbfs("show", "--json", snippet).array().first)
        let derived = try #require(item["sbfs"] as? [String: Any])
        #expect(item["id"] as? String == snippet)
        #expect((item["mood"] as? [String: [Double]])?["a"] == [15])
        #expect(derived["displayTitle"] as? String == "Soup")
        #expect(derived["kind"] as? String == "snippet")
        #expect(derived["isTrashed"] as? Bool == false)
        #expect(derived["text"] as? String == "# Soup\n\nwith salt\n")
        #expect(derived["textByteCount"] as? Int == 18)
        #expect(derived["folder"] as? String == "items/\(snippet.suffix(2))/\(snippet)")
        #expect(try sandbox.sbfs("show", "--json", snippet).out.contains("1.50e1"))
    }

    @Test func `collections are separate from tags`() throws {
        let item = try #require(try sandbox.sbfs("list", "--json", "type:link").array().first)
        let derived = try #require(item["sbfs"] as? [String: Any])
        #expect(derived["collections"] as? [String] == ["Work/Projects", "Home"])
        #expect(item["tags"] as? [String] == ["b", "a", "collection:Work/Projects", "collection:Home"])
    }

    @Test func `NDJSON is one object a line`() throws {
        let run = try sandbox.sbfs("list", "--ndjson")
        #expect(try run.stream().map { $0["id"] as? String } == [snippet, link])
        #expect(run.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func `rows of tabs begin with the id`() throws {
        let run = try sandbox.sbfs("list", "--format", "tsv", "type:link")
        let columns = run.out.dropLast().split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        #expect(columns.count == 7)
        #expect(columns.first == link)
        #expect(columns[1] == "link")
        #expect(Array(columns[3...]) == ["Letter", "b,a", "Work/Projects,Home", "https://example.org/a"])
        #expect(try sandbox.sbfs("list").out == (try sandbox.sbfs("list", "-f", "tsv").out))
    }

    @Test func `ids are ids alone`() throws {
        #expect(try sandbox.sbfs("list", "--ids").out == "\(snippet)\n\(link)\n")
    }

    @Test func `a table numbers its rows`() throws {
        let run = try sandbox.sbfs("list", "--format", "table")
        #expect(run.lines.count == 2)
        #expect(run.lines[0].hasPrefix("@1 \(snippet.suffix(8))  "))
        #expect(run.lines[0].contains("snippet   Soup"))
        #expect(run.lines[1].hasPrefix("@2 \(link.suffix(8))  "))
        #expect(run.lines[1].contains("link      Letter  #b #a "))
    }

    @Test func `a card has a preview and the URL`() throws {
        let run = try sandbox.sbfs("list", "--format", "card")
        #expect(run.out.contains("\n    # Soup with salt\n"))
        #expect(run.out.contains("\n    https://example.org/a  [Pending]\n"))
    }

    @Test func `tags in the query are shown in brackets`() throws {
        let run = try sandbox.sbfs("list", "--format", "table", "tag:B")
        #expect(run.out.contains("[#b] #a"))
    }

    @Test(arguments: [(60, 60), (51, 51), (30, 30), (7, 26)])
    func `long titles and tags fit into the terminal`(columns: Int, width: Int) throws {
        try sandbox.snippet(
            "x", title: String(repeating: "wörd 猫 ", count: 60), tags: String(repeating: "t", count: 90))
        sandbox.environment["COLUMNS"] = String(columns)
        let run = try sandbox.sbfs("list", "--format", "table")
        #expect(run.lines.allSatisfy { $0.unicodeScalars.count <= width }, "\(run)")
        #expect(run.out.contains("…"))
    }

    @Test func `a terminal is given a table`() throws {
        let run = try sandbox.onTerminal("list", "--color", "never")
        #expect(run.terminal.hasPrefix("@1 \(snippet.suffix(8))"))
    }

    @Test(arguments: ["yaml", "JSON"])
    func `an unknown format is a usage error`(format: String) throws {
        let run = try sandbox.sbfs("list", "--format", format, exits: 2)
        #expect(run.err.contains("--format must be table, card, tsv, json or ndjson, not \"\(format)\""))
    }

    @Test func `a reader that has enough ends the list quietly`() throws {
        let run = try sandbox.shell("sbfs list --ndjson | head -c 10 > /dev/null")
        #expect(run.err.isEmpty)
    }
}
