import Testing

/// Typing errors and unusual states that must not lose anything.
struct SlipTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup\n", title: "Note")
        try sandbox.snippet("stew\n", title: "Other")
    }

    @Test(arguments: ["OR", "*", "-", "()"])
    func `a query that matches everything changes nothing`(query: String) throws {
        let before = try sandbox.snapshot()
        let refused = try sandbox.sbfs("title", "-q", query, "same", exits: 2).err
        #expect(refused.contains("matches all items") || refused.contains("may be a mistake"), "\(refused)")
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        try sandbox.sbfs("title", "-q", "not is:trashed", "same")
        #expect(try sandbox.title(id) == "same")
    }

    @Test(arguments: ["2400-01-01", "1850-01-01", "1960-01-01"])
    func `a file with a far time is read, changed and found`(day: String) throws {
        try sandbox.shell("touch -d '\(day)' '\(sandbox.path(id, "text.md"))' '\(sandbox.path(id, "item.json"))'")
        try sandbox.sbfs("check")
        #expect(try sandbox.ids("soup") == [id])
        try sandbox.sbfs("tag", "add", id, "far")
        #expect(try sandbox.tags(id) == ["far"])
    }

    @Test func `many items with the same text in item json all keep it`() throws {
        var ids: [String] = []
        for number in 0..<40 {
            let id = try sandbox.snippet("own \(number)\n")
            try sandbox.plant(id, #"{"textContent": "the same"}"#)
            ids.append(id)
        }
        try sandbox.sbfs("tag", "add", "-q", "own", "kept")
        for id in ids {
            #expect(try sandbox.tags(id) == ["kept"])
            #expect(try sandbox.conflicts(id).count == 1)
        }
    }

    @Test func `an item that does not parse is opened by edit and found by path`() throws {
        try sandbox.plant(id, "{\"title\": \"Note\",}\n")
        #expect(try sandbox.sbfs("path", id).out.hasSuffix("/\(id)\n"))
        try sandbox.useEditor(#"sed -i s/,}/}/ "$1""#)
        let run = try sandbox.sbfs("edit", id)
        #expect(run.err.contains("item.json:1:18: expected a key in double quotes, found \"}\" after a trailing comma"))
        #expect(try sandbox.title(id) == "Note")
    }

    @Test func `a dry run leaves an unfinished text alone`() throws {
        try sandbox.useEditor("echo precious > \"$1\"; exit 1")
        try sandbox.sbfs("new", exits: 1)
        try sandbox.useEditor("true")
        try sandbox.sbfs("new", "--dry-run")
        #expect(try sandbox.scratch.text(sandbox.draft("new", "text.md")) == "precious\n")
    }

    @Test func `a damaged folder of this device stops writers only`() throws {
        try sandbox.shell("rm -rf '\(sandbox.library)/.sbfs'; echo > '\(sandbox.library)/.sbfs'")
        #expect(try sandbox.ids("soup") == [id])
        #expect(try sandbox.sbfs("tag", "add", id, "x", exits: 1).err.contains(".sbfs"))
    }

    @Test func `add and tag read tags alike`() throws {
        let new = try sandbox.sbfs("add", "-", "--tag", "#a", input: "x").lines[0]
        #expect(try sandbox.tags(new) == ["a"])
        #expect(try sandbox.sbfs("add", "-", "--tag", "trashcan", input: "x", exits: 2).err.contains("sbfs trash"))
    }

    @Test func `a row after a list without rows has its own error`() throws {
        let run = try sandbox.shell("sbfs list; sbfs search nothing-of-it; sbfs show @1", screen: .whole, exits: 3)
        #expect(run.terminal.contains("@1: the last list in this terminal was empty; list again"), "\(run)")
        let first = try sandbox.shell("sbfs show @1", screen: .whole, exits: 3)
        #expect(first.terminal.contains("@1: this terminal has shown no list of this library yet"), "\(first)")
    }

    @Test func `restore and purge mean the item in the trash, others the one that is not`() throws {
        let link = "https://example.org/a"
        try sandbox.sbfs("add", link, "--title", "Old")
        try sandbox.sbfs("trash", link)
        try sandbox.sbfs("add", link, "--new", "--title", "New")
        #expect(try sandbox.sbfs("restore", link).err == "sbfs: restored 1 item\n")
        try sandbox.sbfs("trash", "Old")
        #expect(try sandbox.sbfs("show", link).out.contains("New"))
        #expect(try sandbox.sbfs("purge", link, "--now", "--yes").err == "sbfs: purged 1 item\n")
        #expect(try sandbox.sbfs("show", link).out.contains("New"))
    }

    @Test func `a full export comes through a pipe`() throws {
        try sandbox.shell(
            "sbfs export --full - > a.tar && rm -r '\(sandbox.library)'/items/*/* && sbfs import - < a.tar")
        #expect(try sandbox.ids("soup") == [id])
        try sandbox.shell("rm -r '\(sandbox.library)'/items/*/* && cat a.tar | sbfs import -")
        #expect(try sandbox.ids("soup") == [id])
    }

    @Test func `lists of steps have tabs between their columns in a pipe`() throws {
        let row = try #require(try sandbox.sbfs("log", "--limit", "1").lines.first).split(
            separator: "\t", omittingEmptySubsequences: false)
        #expect(row.count == 5 && row[0] == "2" && row[1].hasSuffix("Z") && row[3] == "1 new", "\(row)")
    }

    @Test func `notes and the source's own fields are shown`() throws {
        try sandbox.plant(id, #"{"annotations": ["mine", "second"], "sourceFields": {"mood": "good", "n": [1]}}"#)
        let shown = try sandbox.sbfs("show", id).out
        for line in ["notes       mine", "            second", "source's ownmood: good", "source's ownn: [1]"] {
            #expect(shown.contains(line.replacing("source's own", with: "of source   ")), "\(shown)")
        }
    }

    @Test func `a program that is started without even a name does nothing, and does not succeed`() throws {
        let run = try sandbox.shell("bash -c \"exec -a '' '\(Sbfs.binary)'\"", exits: 2)
        #expect(run.out.isEmpty && run.err.contains("cannot read this command line; nothing was done"), "\(run)")
        #expect(try sandbox.shell("bash -c \"exec -a '' '\(Sbfs.binary)' list --ids\"").lines.count == 2)
    }
}
