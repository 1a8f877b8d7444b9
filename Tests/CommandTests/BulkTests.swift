import TestSupport
import Testing

/// `bulk`: items as lines of text.
struct BulkTests {
    let box: Sandbox

    init() throws { box = try Sandbox() }

    /// Lines of items without the header.
    private func lines(_ words: String...) throws -> [String] {
        try box.sbfs(words: ["bulk", "--print"] + words).lines.filter { !$0.hasPrefix("#") }
            .map { line in line.split(separator: "  ~", omittingEmptySubsequences: false).first.map(String.init) ?? "" }
    }

    @Test func `titles, marks, tags and collections are changed as one step`() throws {
        let first = try box.snippet("a", title: "one", tags: "soup,salt"), second = try box.snippet("b", title: "two")
        try box.useEditor(
            #"""
            sed -i -e 's/"one"/"eins \\"1\\""/' -e 's/#salt/#"sea salt" @Work\/Soups/' -e '/"two"/s/ -  / pf /' "$1"
            """#)
        let run = try box.sbfs("bulk", "--yes")
        #expect(run.out.contains("title: \"one\" -> \"eins \\\"1\\\"\""))
        #expect(run.out.contains("-#salt") && run.out.contains("+#sea salt") && run.out.contains("+@Work/Soups"))
        #expect(try box.title(first) == "eins \"1\"")
        #expect(try Set(box.tags(first)) == ["soup", "sea salt", "collection:Work/Soups"])
        #expect(try box.item(second)["isPinned"] as? Bool == true)
        #expect(try box.item(second)["isFavorite"] as? Bool == true)
        try box.sbfs("undo")
        #expect(try box.title(first) == "one")
        #expect(try Set(box.tags(first)) == ["soup", "salt"])
        #expect(try box.item(second)["isPinned"] == nil)
        try box.sbfs("check")
    }

    @Test func `odd titles and tags come back as they were`() throws {
        let titles = [
            "\u{1B}[31mred", "a\tb", "quo\"te \\ back", " ", "#no tag @none ; nothing", "é", "e\u{301}", "日本 語",
        ]
        var before: [String: String] = [:]
        for title in titles {
            let id = try box.snippet("x")
            try box.plant(
                id,
                "{\"title\": \(Self.json(title)), \"tags\": [\(Self.json("t" + title.filter { $0 != " " })), \"two words\"]}"
            )
            before[id] = try box.itemText(id)
        }
        let text = try box.sbfs("bulk", "--print", "--fields", "description,sortOrder").outBytes
        let run = try box.sbfs(words: ["bulk", "--apply", "-", "--yes"], input: text)
        #expect(run.err.contains("nothing was changed"), "\(run)")
        for (id, text) in before { #expect(try box.itemText(id) == text) }
    }

    private static func json(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                scalar == "\"" || scalar == "\\"
                    ? "\\" + String(scalar)
                    : scalar.value < 0x20
                        ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
            }.joined() + "\""
    }

    @Test func `x puts into the trash, and taking it away brings back`() throws {
        let id = try box.snippet("a", title: "one")
        for mark in ["x", "trash"] {
            let short = id.suffix(8)
            try box.sbfs("bulk", "--apply", "-", "--yes", input: "\(short) \(mark) \"one\"\n")
            #expect(try box.ids("is:trashed") == [id])
            try box.sbfs("bulk", "--apply", "-", "--yes", input: "\(id) - \"one\"\n")
            #expect(try box.ids("is:trashed").isEmpty)
        }
    }

    @Test func `deleting a line leaves its item alone`() throws {
        let first = try box.snippet("a", title: "one"), second = try box.snippet("b", title: "two")
        try box.useEditor(#"sed -i -e '/"one"/d' -e 's/"two"/"zwei"/' "$1""#)
        let run = try box.sbfs("bulk", "--yes")
        #expect(run.err.contains("1 item has no line"))
        #expect(try box.title(first) == "one")
        #expect(try box.title(second) == "zwei")
        #expect(try box.ids().count == 2)
    }

    @Test(arguments: [
        ("00000000 - \"x\"", "is not the id"), ("- - \"x\"", "is not the id"), ("ID", "flags are missing"),
        ("ID zz \"x\"", "are no flags"), ("ID - x", "title"), ("ID - \"x", "no string"), ("ID - \"x\" y", "neither"),
        ("ID - \"x\" #", "no tag"), ("ID - \"x\" @", "no collection"), ("ID - \"x\" #trashcan", "mark of the trash"),
        ("ID - \"x\" nosuch=1", "no field"), ("ID - \"x\" updatedAt=1", "not changed here"),
        ("ID - \"x\" sortOrder=abc", "must be a number"), ("ID - \"x\" sortOrder=1 sortOrder=2", "twice"),
        ("ID - \"x\"\nID - \"y\"", "line 2 too"), ("\"ID\" - \"x\"", "begin with an id"), ("ID - \"a\"b", "no string"),
    ])
    func `a line that does not fit is named, and nothing is changed`(_ line: String, _ message: String) throws {
        let id = try box.snippet("a", title: "one")
        let before = try box.itemText(id)
        let lines =
            "# comment\n" + line.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: id) + "\n"
        let run = try box.sbfs("bulk", "--apply", "-", "--yes", input: lines, exits: 1)
        #expect(run.err.contains("standard input:") && run.err.contains(message), "\(run)")
        #expect(run.err.contains(":2:") || run.err.contains(":3:"))
        #expect(try box.itemText(id) == before)
    }

    @Test func `without a terminal an unfit line keeps the draft, and the next run goes on with it`() throws {
        let id = try box.snippet("a", title: "one")
        try box.useEditor(#"sed -i 's/"one"/"two" nonsense/' "$1""#)
        let run = try box.sbfs("bulk", "--yes", exits: 1)
        #expect(run.err.contains("nonsense") && run.err.contains("kept in"))
        try box.useEditor(#"sed -i 's/ nonsense//' "$1""#)
        let next = try box.sbfs("bulk", "--yes")
        #expect(next.err.contains("continuing the unfinished edit"))
        #expect(try box.title(id) == "two")
        #expect(!box.scratch.exists(try box.draft("bulk", "items.txt")))
    }

    @Test func `a no at the question keeps the lines, and --discard forgets them`() throws {
        let id = try box.snippet("a", title: "one")
        try box.useEditor(#"sed -i 's/"one"/"two"/' "$1""#)
        let run = try box.ask("bulk", typing: "n\n", exits: 1)
        #expect(run.err.contains("kept in"))
        #expect(try box.title(id) == "one")
        try box.useEditor("true")
        let next = try box.sbfs("bulk", "--discard")
        #expect(next.err.contains("nothing was changed"))
        #expect(try box.title(id) == "one")
    }

    @Test func `an unfinished edit of other items goes on only if the person says so`() throws {
        let first = try box.snippet("a", title: "one", tags: "a"),
            second = try box.snippet("b", title: "two", tags: "b")
        try box.useEditor(#"sed -i 's/"one"/"uno"/' "$1"; exit 1"#)
        try box.sbfs("bulk", "tag:a", exits: 1)
        try box.useEditor("true")
        for query in ["tag:b", "tag:nothing"] {
            let told = try box.sbfs("bulk", query, "--yes", exits: 1).err
            #expect(told.contains("an unfinished edit of other items (1 item)"), "\(told)")
        }
        #expect(try box.ask("bulk", "tag:b", typing: "n\n", exits: 1).err.contains("there is an unfinished edit"))
        #expect(try box.title(first) == "one")
        // The same items, and no query, go on.
        #expect(try box.sbfs("bulk", "tag:a", "--yes").err.contains("continuing the unfinished edit"))
        #expect(try box.title(first) == "uno")
        try box.useEditor(#"sed -i 's/"two"/"due"/' "$1"; exit 1"#)
        try box.sbfs("bulk", "tag:b", exits: 1)
        try box.useEditor("true")
        #expect(try box.sbfs("bulk", "--discard").err.contains("deleted the unfinished edit"))
        try box.sbfs("bulk", "--discard", exits: 3)
        #expect(try box.title(second) == "two")
    }

    @Test func `a change by another program during editing is merged, or reported`() throws {
        let first = try box.snippet("a", title: "one"), second = try box.snippet("b", title: "two", tags: "x")
        try box.useEditor(
            """
            printf '{"title": "by hand"}' > '\(box.path(first, "item.json"))'
            printf '{"title": "two", "description": "by hand", "tags": ["x", "hand"]}' > '\(box.path(second, "item.json"))'
            sed -i -e 's/"one"/"eins"/' -e 's/"two"  #x/"zwei"  #y/' "$1"
            """)
        let run = try box.sbfs("bulk", "--yes", exits: 5)
        #expect(run.err.contains("title was changed since"))
        #expect(try box.title(first) == "by hand")
        #expect(try box.title(second) == "zwei")
        #expect(try box.item(second)["description"] as? String == "by hand")
        #expect(try Set(box.tags(second)) == ["y", "hand"])
    }

    @Test func `an edit that was killed half way goes on where it was`() throws {
        let ids = try (0..<20).map { try box.snippet("text \($0)", title: "item \($0)") }
        try box.useEditor(#"sed -i 's/"item /"thing /' "$1""#)
        // The draft as it is when the changes begin.
        try box.sbfs("bulk", exits: 1)
        for id in ids[..<10] { try box.sbfs("title", id, "thing \(try #require(ids.firstIndex(of: id)))") }
        try box.useEditor("true")
        let run = try box.sbfs("bulk", "--yes")
        #expect(run.err.contains("changed 10 items") && run.err.contains("10 items were so already"), "\(run)")
        #expect(try ids.allSatisfy { try box.title($0)?.hasPrefix("thing ") == true })
    }

    @Test func `a draft that nobody changed is made again`() throws {
        try box.snippet("a", title: "one", tags: "x")
        let second = try box.snippet("b", title: "two", tags: "y")
        box.environment["EDITOR"] = "false"
        try box.sbfs("bulk", "tag:x", exits: 1)
        try box.useEditor(#"sed -i 's/"two"/"zwei"/' "$1""#)
        let run = try box.sbfs("bulk", "tag:y", "--yes")
        #expect(!run.err.contains("continuing"))
        #expect(try box.title(second) == "zwei")
    }

    @Test func `a dry run in the editor leaves no draft`() throws {
        let id = try box.snippet("a", title: "one")
        try box.useEditor(#"sed -i 's/"one"/"two"/' "$1""#)
        #expect(try box.sbfs("bulk", "--dry-run").out.contains("\"one\" -> \"two\""))
        #expect(!box.scratch.exists(try box.draft("bulk", "items.txt")))
        #expect(try box.title(id) == "one")
    }

    @Test func `a base detects changes since it was printed`() throws {
        let id = try box.snippet("a", title: "one")
        let base = try box.sbfs("bulk", "--print").out
        let file = try box.file("base.txt", base)
        let edited = try box.file(
            "edited.txt", base.split(separator: "one", omittingEmptySubsequences: false).joined(separator: "two"))
        try box.sbfs("title", id, "other")
        try box.sbfs("bulk", "--apply", edited, "--base", file, "--yes", exits: 5)
        #expect(try box.title(id) == "other")
        // The printed lines say what they were printed from.
        try box.sbfs("bulk", "--apply", edited, "--yes", exits: 5)
        #expect(try box.title(id) == "other")
    }

    @Test func `lines from a file are refused where nobody can be asked`() throws {
        let id = try box.snippet("a", title: "one")
        let printed = try box.sbfs("bulk", "--print").out
        let edited = printed.split(separator: "one", omittingEmptySubsequences: false).joined(separator: "two")
        let refused = try box.sbfs("bulk", "--apply", "-", input: edited, exits: 1)
        #expect(refused.err.hasSuffix("There is no terminal to ask on; --yes answers yes. Nothing was changed\n"))
        #expect(try box.title(id) == "one")
    }

    @Test func `what changed since the lines were printed stays`() throws {
        let id = try box.snippet("a", title: "one", tags: "soup,salt")
        let printed = try box.sbfs("bulk", "--print").out
        try box.sbfs("title", id, "other")
        try box.sbfs("tag", "add", id, "pepper")
        let edited = printed.split(separator: "#soup", omittingEmptySubsequences: false).joined(separator: "#broth")
        try box.sbfs("bulk", "--apply", "-", "--yes", input: edited)
        #expect(try box.title(id) == "other")
        #expect(try Set(box.tags(id)) == ["broth", "salt", "pepper"])
        // A line that a person wrote says all of it.
        try box.sbfs("bulk", "--apply", "-", "--yes", input: "\(id) - \"mine\" #salt\n")
        #expect(try box.title(id) == "mine")
        #expect(try box.tags(id) == ["salt"])
    }

    @Test func `a printed line of a state that no version has is refused`() throws {
        let id = try box.snippet("a", title: "one")
        let printed = try box.sbfs("bulk", "--print").out
        try box.sbfs("title", id, "other")
        let name = try #require(printed.split(separator: "~").last?.prefix(12)).description
        let edited = printed.split(separator: name, omittingEmptySubsequences: false).joined(separator: "0123456789ab")
        let run = try box.sbfs("bulk", "--apply", "-", "--yes", input: edited, exits: 5)
        #expect(run.err.contains("\(id.suffix(8)) changed since"))
        #expect(try box.title(id) == "other")
    }

    @Test func `fields are set and removed`() throws {
        let id = try box.link("https://example.org/a", title: "one")
        let line = try lines("--fields", "linkURL,description")
        #expect(line == ["\(id.suffix(8))  -    \"one\"  linkURL=https://example.org/a  description="])
        let input = "\(id) - \"one\" linkURL=https://example.org/b description=\"two words\"\n"
        try box.sbfs("bulk", "--apply", "-", "--yes", input: input)
        #expect(try box.item(id)["linkURL"] as? String == "https://example.org/b")
        #expect(try box.item(id)["description"] as? String == "two words")
        try box.sbfs("bulk", "--apply", "-", "--yes", input: "\(id) - \"one\" description=\n")
        #expect(try box.item(id)["description"] == nil)
        #expect(try box.item(id)["linkURL"] as? String == "https://example.org/b")
        try box.sbfs("bulk", "--fields", "nosuch", exits: 2)
        try box.sbfs("bulk", "--fields", "tags", exits: 2)
    }

    @Test func `items are chosen by query, by name or from a pipe`() throws {
        let first = try box.snippet("a", title: "one", tags: "x"), second = try box.snippet("b", title: "two")
        #expect(try lines("tag:x").count == 1)
        #expect(try lines("--items", "one", "two").count == 2)
        #expect(try lines().count == 2)
        let piped = try box.shell("printf '\(second)\\n' | sbfs bulk --print -").lines.filter { !$0.hasPrefix("#") }
        #expect(piped.count == 1 && piped[0].hasPrefix(second.suffix(8)))
        try box.sbfs("bulk", "--print", "tag:nothing", exits: 3)
        _ = first
    }

    @Test func `a dry run shows the changes and makes none`() throws {
        let id = try box.snippet("a", title: "one")
        let before = try box.snapshot()
        let run = try box.sbfs("bulk", "--apply", "-", "--dry-run", input: "\(id) p \"two\"\n")
        #expect(run.out.contains("\"one\" -> \"two\"") && run.out.contains("pinned"))
        #expect(try box.changes(since: before).isEmpty)
    }
}
