import Testing

/// `add` of a URL that the library already has.
struct KnownLinkTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try #require(
            try sandbox.sbfs("add", "https://example.org/a", "--title", "First", "-c", "Work", "--tag", "Swift").lines
                .first)
    }

    @Test(arguments: ["https://example.org/a", "HTTPS://EXAMPLE.org:443/%61#top"])
    func `it is shown and not changed`(url: String) throws {
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("add", url)
        #expect(run.out == id + "\n")
        #expect(run.err.contains("\(id.suffix(8)) is in the library since "))
        #expect(run.err.contains(", in Work"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `it gets the tags, collections and comment, and nothing else`() throws {
        let run = try sandbox.sbfs(
            "add", "https://example.org/a", "--tag", "SWIFT,new", "-c", "Home", "--title", "Second", "-m",
            "#later 'a note'", "--no-archive")
        #expect(run.out == id + "\n")
        #expect(try sandbox.tags(id) == ["Swift", "collection:Work", "new", "collection:Home", "later"])
        #expect(try sandbox.title(id) == "First")
        #expect(try sandbox.item(id)["archiveStatus"] as? String == "pending")
        #expect(try sandbox.text(id) == "a note\n")
    }

    @Test func `--new makes a second item`() throws {
        let second = try #require(try sandbox.sbfs("add", "https://example.org/a", "--new").lines.first)
        #expect(second != id)
        #expect(try sandbox.ids() == [id, second])
    }

    @Test func `twice in one command it is one item`() throws {
        let run = try sandbox.sbfs("add", "https://example.org/b", "https://example.org/b#x")
        #expect(Set(run.lines).count == 1)
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `in the trash it stays there, and the message says what to do`() throws {
        try sandbox.sbfs("trash", id)
        let run = try sandbox.sbfs("add", "https://example.org/a", exits: 1)
        #expect(run.out.isEmpty)
        #expect(run.err.contains("\(id.suffix(8)) has this URL and is in the trash"))
        #expect(run.err.contains("sbfs restore \(id.suffix(8))"))
        #expect(run.err.contains("--restore or --new"))
        #expect(try sandbox.ids().isEmpty)
        #expect(try sandbox.ids("is:trashed") == [id])
    }

    @Test func `--restore takes it out of the trash`() throws {
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.sbfs("add", "https://example.org/a", "--restore", "--tag", "back").out == id + "\n")
        #expect(try sandbox.ids("tag:back") == [id])
        #expect(try sandbox.item(id)["trashedAt"] == nil)
    }

    @Test func `the offer to restore names the item, and yes is the default`() throws {
        try sandbox.sbfs("trash", id)
        let refused = try sandbox.ask("add", "https://example.org/a", typing: "n\n", exits: 1)
        #expect(refused.terminal.contains("\"First\" (\(id.suffix(8))) is in the trash. Restore it? [Y/n]"))
        #expect(try sandbox.ids().isEmpty)
        try sandbox.ask("add", "https://example.org/a", typing: "\n")
        #expect(try sandbox.ids() == [id])
    }

    @Test func `--dry-run does not ask`() throws {
        try sandbox.sbfs("trash", id)
        let before = try sandbox.snapshot()
        let run = try sandbox.ask("add", "https://example.org/a", "--dry-run", typing: "y\n", exits: nil)
        #expect(!run.terminal.contains("Restore it?"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `a live item is preferred to one in the trash`() throws {
        let second = try #require(try sandbox.sbfs("add", "https://example.org/a", "--new").lines.first)
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.sbfs("add", "https://example.org/a").out == second + "\n")
    }

    @Test(arguments: [
        ["attach", "", "HTTPS://EXAMPLE.org/a#x", "--no-archive"], ["set", "", "linkURL=https://example.org/a"],
    ])
    func `a link that another item has is given all the same, and the other one is named`(words: [String]) throws {
        let other = try sandbox.snippet("words", title: "Second")
        let typed = words.map { $0.isEmpty ? String(other) : $0 }
        #expect(try sandbox.sbfs(words: typed).err.contains("note: \(id.suffix(8)) has this link too: First\n"))
        #expect(try sandbox.item(other)["linkURL"] as? String == typed[2].split(separator: "=").last.map(String.init))
        try sandbox.sbfs("undo")
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.sbfs(words: typed).err.contains("has this link too, and is in the trash: First\n"))
        #expect(
            try !sandbox.sbfs("attach", other, "https://example.org/z", "--replace", "--yes", "--no-archive").err
                .contains("note"))
    }
}
