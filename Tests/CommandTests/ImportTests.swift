import Foundation
import Testing

/// `sbfs import` and `sbfs export` as a person uses them.
struct ImportTests {
    private static let bookmarks = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file. -->
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>
        <DT><A HREF="https://example.org/soup" ADD_DATE="1700000000" TAGS="food">Soup</A>
        <DD>Hot.
        <DT><H3>Work</H3>
        <DL><p>
        <DT><A HREF="https://example.org/soup">Soup</A>
        <DT><A HREF="https://example.org/=1">=1+1</A>
        <DT><A HREF="javascript:alert(1)">Bad</A>
        </DL><p>
        </DL>
        """

    @Test func `a file is imported and reported, and a second import changes nothing`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("any name", Self.bookmarks)
        let first = try sandbox.sbfs(
            "import", "any name", "--report", "report.tsv", "--tag", "moved", "-c", "Old", exits: 4)
        #expect(first.err.contains("any name (bookmark HTML): "))
        #expect(first.err.contains("2 new, 1 merged, 0 same, 1 skipped"))
        #expect(first.err.contains("line 12: javascript: is no web address"))
        #expect(try sandbox.ids("tag:moved", "collection:Old", "source:import").count == 2)
        #expect(try sandbox.ids("tag:Chrome").isEmpty)
        #expect(try sandbox.ids("collection:Work").count == 2)
        #expect(try sandbox.ids("status:live").count == 2)
        let report = try sandbox.scratch.text("desk/report.tsv").split(separator: "\n")
        #expect(report.count == 4)
        #expect(report.contains { $0.hasPrefix("skipped\tline 12\tjavascript:alert(1)\tBad\t") })
        let before = try sandbox.snapshot()
        let second = try sandbox.sbfs("import", "any name", "--tag", "moved", "-c", "Old", "--json", exits: 4)
        #expect(second.out.contains(#""new":0,"merged":0,"same":3,"skipped":1"#))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `an exported item that was changed in the file is named, and stays as it is here`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("Text.", title: "Bread")
        _ = try sandbox.snippet("Other.", title: "Rye")
        try sandbox.sbfs("tag", "add", id, "may")
        try sandbox.sbfs("export", "-o", "out.ndjson")
        let untouched = try sandbox.sbfs("import", "out.ndjson")
        #expect(untouched.err == "sbfs: out.ndjson (items in JSON): 0 new, 0 merged, 2 same, 0 skipped\n")
        for change in ["s/Bread/Loaf/", "s/Text\\./Words./", "s/\"may\"/\"may\",\"june\"/"] {
            try sandbox.shell("sed '\(change)' out.ndjson >changed.ndjson; ! cmp -s out.ndjson changed.ndjson")
            let run = try sandbox.sbfs("import", "changed.ndjson")
            let told = run.err.split(separator: "\n").filter { $0.contains("has this item with other values") }
            #expect(told.count == 1, "\(run)")
        }
        #expect(try sandbox.sbfs("show", id).lines.first == "Bread")
    }

    @Test func `a dry run changes not one byte`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("b.html", Self.bookmarks)
        // The first command makes the device folder.
        try sandbox.sbfs("list")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("import", "b.html", "--dry-run", exits: 4)
        #expect(run.err.contains("would import b.html"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `files of unknown kinds are refused, and the others are imported`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("b.html", Self.bookmarks)
        try sandbox.scratch.write("desk/noise", [0, 1, 2, 0xFF, 0xFE, 0])
        try sandbox.file("empty", "")
        try sandbox.sbfs("import", exits: 2)
        try sandbox.sbfs("import", "absent", exits: 1)
        try sandbox.sbfs("import", "empty", exits: 1)
        try sandbox.sbfs("import", "--from", "mosaic", exits: 2)
        let run = try sandbox.sbfs("import", "noise", "b.html", exits: 4)
        #expect(
            run.err.contains(
                "noise: import does not read it: it looks like a binary file. To keep it as a document: sbfs add noise")
        )
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `white space and noise are no text`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("blank.txt", " \n\t\r\n")
        try sandbox.scratch.write("desk/noise", (1...255).map { UInt8($0 * 7 % 255 + 1) })
        try sandbox.scratch.write("desk/mark", [0xEF, 0xBB, 0xBF, 0x0A])
        for name in ["blank.txt", "mark"] {
            #expect(
                try sandbox.sbfs("import", name, exits: 1).err
                    == "sbfs: \(name): the file has nothing but white space\n")
        }
        #expect(
            try sandbox.sbfs("import", "noise", exits: 1).err.hasPrefix(
                "sbfs: noise: import does not read it: it looks like a binary file. "))
        #expect(try sandbox.sbfs("import", "-", input: "\n", exits: 1).err.contains("nothing but white space"))
        #expect(try sandbox.ids().isEmpty)
        // A text in another encoding, and one with escapes for colours.
        try sandbox.scratch.write("desk/letter", Array("Gr".utf8) + [0xFC] + Array("sse aus der Ferne\r\n".utf8))
        try sandbox.file("log", "It is \u{1B}[1mdone\u{1B}[0m\u{7}\n")
        try sandbox.sbfs("import", "letter", "log")
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `an import that ends on a full disk says what is in, and goes on`() throws {
        let sandbox = try Sandbox()
        // Files are written in groups of 2,000; the large one is in the second group.
        try sandbox.shell("mkdir many && cd many && for n in $(seq 1000 3100); do echo \"note $n\" >n$n.txt; done")
        try sandbox.shell("head -c 30000000 /dev/zero >many/z.bin")
        let run = try sandbox.shell("ulimit -f 40000; sbfs import many", exits: 1)
        #expect(
            run.err.contains("; 2000 items were imported before, and stay. The same command goes on from there"),
            "\(run)")
        #expect(try sandbox.ids().count == 2000)
        let rest = try sandbox.sbfs("import", "many")
        #expect(rest.err.contains("102 new, 0 merged, 2000 same, 0 skipped"), "\(rest)")
        try sandbox.shell("mkdir big && (cat many/z.bin; echo x) >big/y.bin")
        let none = try sandbox.shell("ulimit -f 40000 && sbfs import big", exits: 1)
        #expect(none.err.contains("; nothing was imported. The same command goes on from there"), "\(none)")
        try sandbox.sbfs("export", "--full", "all.tar")
        let other = try Sandbox()
        let packed = try other.shell("ulimit -f 40000 && sbfs import '\(sandbox.desk)/all.tar'", exits: 1)
        #expect(packed.err.hasSuffix("; nothing of it was imported\n"), "\(packed)")
        #expect(try other.ids().isEmpty)
    }

    @Test func `standard input is read, and notes keep their text`() throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs(
            "import", "-",
            input: #"[{"title":"Note","content":"Words\n","createdAt":721692800,"modifiedAt":721692800}]"#)
        let id = try #require(try sandbox.ids("Note").first)
        #expect(try sandbox.text(id) == "Words\n")
        #expect(try sandbox.item(id)["createdAt"] as? String == "2023-11-14T22:13:20.000Z")
    }

    @Test func `an installed browser is found and named by init`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let json =
            #"{"roots":{"bookmark_bar":{"name":"Bookmarks bar","type":"folder","children":[{"type":"url","name":"A","url":"https://example.org/","guid":"1"}]}}}"#
        try sandbox.scratch.write("home/config/chromium/Default/Bookmarks", json)
        try sandbox.scratch.write(
            "home/config/chromium/Profile 1/Bookmarks",
            json.replacingOccurrences(of: "org/", with: "org/1").replacingOccurrences(
                of: "guid\":\"1", with: "guid\":\"2"))
        #expect(try sandbox.sbfs("init").err.contains("sbfs import --from chromium"))
        #expect(try sandbox.sbfs("import", "--from", "chromium").err.contains("1 new"))
        #expect(try sandbox.sbfs("import", "--from", "chromium:Profile 1").err.contains("1 new"))
        try sandbox.sbfs("import", "--from", "chromium:Profile 2", exits: 3)
        try sandbox.sbfs("import", "--from", "firefox", exits: 3)
    }

    @Test func `replacing asks, and moves existing items to the trash`() throws {
        let sandbox = try Sandbox()
        try sandbox.link("https://example.org/soup", title: "Mine")
        try sandbox.file("b.html", Self.bookmarks)
        try sandbox.file("none.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<a ")
        try sandbox.sbfs("import", "b.html", "--replace", exits: 1)
        try sandbox.sbfs("import", "none.html", "--replace", "--yes", exits: 1)
        #expect(try sandbox.ids("Mine").count == 1)
        try sandbox.sbfs("import", "b.html", "--replace", "--yes", exits: 4)
        #expect(try sandbox.ids("Mine").isEmpty)
        #expect(try sandbox.ids("trashcan").count == 1)
        #expect(try sandbox.ids().count == 2)
    }

    // MARK: Out, and in again

    /// A library with all the data in which formats differ.
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.file("b.html", Self.bookmarks)
        try sandbox.sbfs("import", "b.html", exits: 4)
        try sandbox.snippet("Some words\n", title: "Note", tags: "a,b")
        try sandbox.file("paper.pdf", "%PDF-1.4\n")
        try sandbox.sbfs("add", "paper.pdf", "-m", "'about it'")
        try sandbox.sbfs("set", "Soup", "isFavorite=true", "isPinned=true", "sortOrder=2")
        return sandbox
    }

    /// item.json of all items without the keys that a new library sets again.
    private func items(_ sandbox: Sandbox, without keys: [String]) throws -> [String] {
        let run = try sandbox.sbfs("export", "--format", "ndjson")
        return try run.stream().map { object in
            var object = object
            for key in keys { object[key] = nil }
            object["createdAt"] = (object["createdAt"] as? String)?.prefix(19)
            object["tags"] = (object["tags"] as? [String])?.sorted()
            return String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }.sorted()
    }

    @Test func `HTML and CSV report what they cannot hold, and bookmarks come back unchanged`() throws {
        let sandbox = try filled()
        let derived = [
            "id", "source", "sourceExternalID", "sourceExternalIDs", "sourceFolderPath", "updatedAt", "isPinned",
            "isFavorite",
            "sortOrder", "sourceValues",
        ]
        let links = try items(sandbox, without: derived).filter { $0.contains("linkURL") }
        let html = try sandbox.sbfs("export", "-o", "out.html")
        #expect(html.err.contains("cannot hold: items without a link (2), pins (1), favourites (1)"))
        #expect(try sandbox.scratch.text("desk/out.html").hasPrefix("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"))
        let csv = try sandbox.sbfs("export", "-o", "out.csv")
        #expect(csv.err.contains("tags (1)"))
        #expect(try sandbox.scratch.text("desk/out.csv").contains(",'=1+1,"))
        for file in ["out.html", "out.csv"] {
            let other = try Sandbox()
            try other.file(file, try sandbox.scratch.text("desk/" + file))
            try other.sbfs("import", file)
            let back = try items(other, without: derived + (file == "out.csv" ? ["tags"] : []))
            #expect(
                back
                    == (file == "out.csv"
                        ? try items(sandbox, without: derived + ["tags"]).filter { $0.contains("linkURL") } : links))
        }
    }

    @Test func `JSON, NDJSON and Markdown come back with ids, texts and marks`() throws {
        let sandbox = try filled()
        try sandbox.sbfs("export", "-o", "out.json")
        try sandbox.sbfs("export", "-o", "out.ndjson")
        try sandbox.sbfs("export", "--format", "markdown", "-o", "notes")
        try sandbox.sbfs("export", "--format", "markdown", exits: 2)
        let wanted = try sandbox.ids("not type:document")
        for file in ["out.json", "out.ndjson", "notes"] {
            let other = try Sandbox()
            try other.shell("cp -r '\(sandbox.desk)/\(file)' .")
            try other.sbfs("import", file)
            #expect(try wanted.isSubset(of: other.ids()), "\(file)")
            #expect(try other.ids("is:pinned", "is:favorite", "Soup").count == 1, "\(file)")
            #expect(try other.text(try #require(try other.ids("Note").first)) == "Some words\n", "\(file)")
            let before = try other.snapshot()
            try other.sbfs("import", file)
            #expect(try other.changes(since: before).isEmpty, "\(file)")
        }
    }

    @Test func `a whole library comes back identical`() throws {
        let sandbox = try filled()
        try sandbox.sbfs("trash", "Note")
        try sandbox.sbfs("export", "--full", "all.tar")
        try sandbox.sbfs("export", "--full", "again.tar")
        try sandbox.shell("cmp all.tar again.tar && [ \"$(tar -tf all.tar | grep '^.sbfs')\" = .sbfs/export.json ]")
        let other = try Sandbox()
        let before = try other.snapshot()
        let tried = try other.sbfs("import", "-n", sandbox.desk + "/all.tar")
        #expect(tried.err.contains("would import"))
        #expect(try other.changes(since: before, in: "library/items").isEmpty && other.ids().isEmpty)
        let counts = try other.sbfs("import", sandbox.desk + "/all.tar").err
        // The counts are the same.
        #expect(tried.err.split(separator: ": ").last == counts.split(separator: ": ").last)
        try other.shell("diff -r -x .sbfs '\(sandbox.library)' '\(other.library)'")
        try other.shell(
            "cd '\(other.library)' && find items -type f -printf '%p %T@ %m\\n' | sort > '\(other.desk)/times'")
        try sandbox.shell(
            "cd '\(sandbox.library)' && find items -type f -printf '%p %T@ %m\\n' | sort > times && cmp times '\(other.desk)/times'"
        )
        #expect(try other.ids() == sandbox.ids())
        // Existing items stay.
        let again = try other.sbfs("import", sandbox.desk + "/all.tar")
        #expect(again.err.contains("0 items added"))
    }

    @Test func `a full export that leads out of the library, or is cut off, does no harm`() throws {
        let sandbox = try filled()
        try sandbox.shell(
            """
            mkdir -p x/.sbfs x/items && echo evil > x/escape && echo evil > x/.sbfs/owner && ln -s /etc x/items/link
            tar -cf evil.tar --transform 's,^x/escape,../escape,' -P x/escape x/.sbfs/owner x/items/link
            tar -C x -cf device.tar .sbfs
            """)
        let before = try sandbox.snapshot()
        for file in ["evil.tar", "device.tar"] { try sandbox.sbfs("import", file, exits: 3) }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        #expect(!sandbox.scratch.exists("escape"))
        try sandbox.sbfs("export", "--full", "all.tar")
        try sandbox.shell("head -c $(($(wc -c < all.tar) * 3 / 4)) all.tar > cut.tar")
        let other = try Sandbox()
        try other.sbfs("import", sandbox.desk + "/cut.tar", exits: 4)
        try other.sbfs("check")
    }

    @Test func `a dry run of a full export names what would be left out`() throws {
        let sandbox = try filled()
        try sandbox.sbfs("export", "--full", "all.tar")
        try sandbox.shell("mkdir x && echo a > x/Makefile && tar -rf all.tar -C x Makefile")
        let other = try Sandbox()
        #expect(try other.sbfs("import", "-n", sandbox.desk + "/all.tar", exits: 4).err.contains("Makefile"))
        #expect(try other.ids().isEmpty)
    }

    @Test func `a shortcut and a list that is all links are links, and host names are refused`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("a.url", "[InternetShortcut]\r\nURL=https://example.org/short\r\n")
        try sandbox.file("b.desktop", "[Desktop Entry]\nType=Link\nURL=https://example.org/entry\n")
        try sandbox.file("one.html", "<p><a href=\"https://example.org/one\">One</a></p>\n")
        try sandbox.file("note.html", "<p>See <a href=\"https://example.org/two\">two</a> for more.</p>\n")
        try sandbox.sbfs("import", "a.url", "b.desktop", "one.html", "note.html")
        #expect(try sandbox.ids("has:link").count == 3)
        #expect(try sandbox.ids("type:snippet").count == 1)
        try sandbox.file("hosts.txt", "example.com\nwww.example.org/a\n")
        #expect(try sandbox.sbfs("import", "hosts.txt", exits: 1).err.contains("list of host names"))
        // Two sentences are a note.
        try sandbox.file("words.txt", "Salt.\nPepper.\n")
        try sandbox.sbfs("import", "words.txt")
        #expect(try sandbox.ids().count == 5)
    }

    @Test func `files of a folder that an import skips are counted and named`() throws {
        let sandbox = try Sandbox()
        for name in ["note.md", ".obsidian/app.json", ".hidden.md", "a/.DS_Store", "b/.DS_Store", "b/draft.md~"] {
            try sandbox.file("vault/" + name)
        }
        let run = try sandbox.sbfs("import", "vault", "--json")
        #expect(
            run.err.contains(
                "not taken: .DS_Store (2), .hidden.md (1), .obsidian/, settings of the vault (1), draft.md~ (1)"),
            "\(run)")
        #expect(run.out.contains(#""notTaken":{".DS_Store":2,"#))
        #expect(try sandbox.ids().count == 1)
    }

    @Test func `guessed encodings are reported, and UTF-16 is recognised by its mark`() throws {
        let sandbox = try Sandbox()
        try sandbox.shell(
            #"mkdir v; printf 'a\n\377\376\344\n' > v/bad.md; printf '\377\376h\0\344\0\n\0' > v/wide.md"#)
        let run = try sandbox.sbfs("import", "v")
        #expect(run.err.contains("bad.md: line 2: not UTF-8: 1 line read as windows-1252"), "\(run)")
        #expect(!run.err.contains("wide.md"))
        let texts = try sandbox.ids().map { try sandbox.text($0) }
        #expect(Set(texts) == ["a\nÿþä\n", "hä\n"])
    }

    @Test(arguments: [
        ("Squash soup\thttps://example.org/a\nBread\thttps://example.org/b\n", ["Squash soup", "Bread"]),
        ("- [Squash soup](https://example.org/a)\n\n- [Bread](https://example.org/b)\n", ["Squash soup", "Bread"]),
        ("* <https://example.org/a>\n* https://example.org/b\n", ["", ""]),
    ])
    func `lines that are a title and a link each are links`(_ text: String, _ titles: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.file("list.txt", text)
        try sandbox.sbfs("import", "list.txt")
        let found = try sandbox.sbfs("list", "--json").array().map {
            [$0["linkURL"] as? String ?? "", $0["title"] as? String ?? ""]
        }
        #expect(Set(found) == [["https://example.org/a", titles[0]], ["https://example.org/b", titles[1]]])
    }

    @Test(arguments: [
        ("<foo><bar/></foo>\n", "XML"), ("<Recipes xmlns=\"x\">\n<r/>\n</Recipes>", "XML"),
        ("From ada Sat Nov 21\nFrom: a@b\nTo: c@d\nSubject: x\n\nwords\n", "mail"),
        ("Subject: x\nFrom: a@b\n  c\nDate: today\n\nwords\n", "mail"),
    ])
    func `what is no text of a person is refused`(_ text: String, _ word: String) throws {
        let sandbox = try Sandbox()
        try sandbox.file("strange", text)
        let run = try sandbox.sbfs("import", "strange", exits: nil)
        #expect(run.status != 0 && run.err.contains(word) && run.err.contains("sbfs add"), "\(run)")
        #expect(try sandbox.ids() == [])
    }

    @Test(arguments: [
        "<p>A text</p>\n", "<3 hearts\n", "<ada@example.org> wrote:\n> words\n", "Date: today\nFrom me: words\n",
        "- [Soup](https://example.org/a)\n\nand words\n", "<b>bold</b> words\n",
    ])
    func `a text of a person stays one`(_ text: String) throws {
        let sandbox = try Sandbox()
        try sandbox.file("note.md", text)
        try sandbox.sbfs("import", "note.md")
        #expect(try sandbox.ids("type:snippet").count == 1)
    }

    @Test func `a report does not take the place of what is imported`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("list.txt", "https://example.org/a\n")
        let run = try sandbox.sbfs("import", "list.txt", "--report", "../desk/list.txt", exits: 2)
        #expect(run.err.contains("would replace list.txt"), "\(run)")
        #expect(try sandbox.scratch.text("desk/list.txt") == "https://example.org/a\n")
    }
}
