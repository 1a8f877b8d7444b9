import JSONFormat
import Testing

/// Text from a library can neither control a terminal nor change its writing direction.
struct EscapingTests {
    static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    /// ESC, BEL, CR, a C1 CSI, DEL, a right-to-left override, an isolate, a mark, a line separator, a byte order mark.
    static let evil = "a\u{1B}]0;b\u{7}c\rd\u{9B}31me\u{7F}f\u{202E}g\u{2066}h\u{200F}i\u{2028}j\u{FEFF}k\u{61C}l"
    static let json = #"a\u001b]0;b\u0007c\rd\u009b31me\u007ff\u202eg\u2066h\u200fi\u2028j\ufeffk\u061cl"#

    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.scratch.write("library/items/c4/\(Self.id)/document/\u{202E}gnp\u{1B}[2J.exe", "x")
        try sandbox.plant(
            Self.id,
            """
            {"title": "\(Self.json)", "tags": ["\(Self.json)", "collection:\(Self.json)"], "linkAuthor": "\(Self.json)",
             "description": "\(Self.json)", "linkSite": "\(Self.json)", "aiSummary": "\(Self.json)",
             "documentName": "\(Self.json)", "linkURL": "https://example.org/\\u202e\\u009b", "isPinned": "\(Self.json)",
             "\(Self.json)": "\(Self.json)"}
            """)
    }

    /// Forbidden characters; line feeds and tabs are the program's own.
    private func unsafe(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0x00..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
    }

    static let lines: [[String]] = [
        ["list"], ["list", "--format", "table"], ["list", "--format", "card"], ["list", "--format", "tsv"],
        ["list", "--json"], ["list", "--ndjson"], ["show", id], ["show", id, "--json"], ["check", "--notes"],
        ["check", "--json"], ["check", "--portable"], ["trash", id, "--dry-run"], ["detach", id, "document"],
        ["attach", id, "/etc/hostname", "--replace"], ["list", "--explain", evil], ["show", evil],
        ["title", id, "x", "--dry-run"],
        ["set", id, "linkURL=\(evil)"], ["add", evil], ["config", evil], [evil], ["list", "--\(evil)"],
        ["list", "--sort", evil],
        ["tag", "add", id, evil, "--json", "--dry-run"],
    ]

    @Test(arguments: lines)
    func `no control character and no bidirectional control is printed raw`(words: [String]) throws {
        let run = try sandbox.sbfs(words: words, exits: nil)
        #expect(unsafe(run.outBytes).isEmpty, "\(run)")
        #expect(unsafe(run.errBytes).isEmpty, "\(run)")
        #expect(!(run.out + run.err).isEmpty)
    }

    @Test func `a terminal is shown nothing raw, in questions neither`() throws {
        let list = try sandbox.onTerminal("list", "--color", "never")
        #expect(unsafe(Array(list.terminal.replacing("\r\n", with: "\n").utf8)).isEmpty, "\(list)")
        let question = try sandbox.ask("detach", Self.id, "document", typing: "n\n", exits: 1)
        #expect(unsafe(Array(question.terminal.replacing("\r\n", with: "\n").utf8)).isEmpty, "\(question)")
    }

    @Test func `the text of an item is shown escaped on a terminal`() throws {
        try sandbox.scratch.write("library/items/c4/\(Self.id)/text.md", "one\u{1B}[2Jtwo\u{202E}\n")
        let run = try sandbox.onTerminal("show", Self.id, "--color", "never")
        #expect(unsafe(Array(run.terminal.replacing("\r\n", with: "\n").utf8)).isEmpty, "\(run)")
        #expect(run.terminal.contains(#"one\x1b[2Jtwo\u202e"#))
    }

    @Test func `JSON means the same as before`() throws {
        let item = try #require(try sandbox.sbfs("show", "--json", Self.id).array().first)
        #expect((item["title"] as? String)?.unicodeScalars.elementsEqual(Self.evil.unicodeScalars) == true)
    }

    @Test func `a row of tabs can be read back`() throws {
        try sandbox.plant(Self.id, #"{"title": "x", "tags": ["a\\b"], "linkURL": "https://example.org/\\n"}"#)
        let columns = try sandbox.sbfs("list").out.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(columns[4] == #"a\\b"#)
        #expect(columns[6] == #"https://example.org/\\n"# + "\n")
    }

    @Test func `a JSON fault names a control character in words`() throws {
        try sandbox.scratch.write("library/items/c4/\(Self.id)/item.json", "{\"title\": \"a\u{1B}[2J\"}")
        let run = try sandbox.sbfs("check", exits: 1)
        #expect(unsafe(run.outBytes).isEmpty)
        #expect(run.out.contains("item.json:1:13: expected an escape"))
    }
}
