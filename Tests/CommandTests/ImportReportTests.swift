import Testing

/// The messages of `sbfs import` about its entries, and its status.
struct ImportReportTests {
    private func page(_ body: String) -> String { "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>\n\(body)</DL>\n" }

    @Test func `the status says whether all, some or nothing was taken`() throws {
        let sandbox = try Sandbox()
        let (good, bad) = ("<DT><A HREF=\"https://example.org/\">T</A>\n", "<DT><A HREF=\"javascript:x\">U</A>\n")
        try sandbox.file("bad.html", page(bad))
        try sandbox.file("mixed.html", page(good + bad))
        try sandbox.file("good.html", page(good))
        try sandbox.sbfs("import", "bad.html", exits: 3)
        try sandbox.sbfs("import", "mixed.html", exits: 4)
        try sandbox.sbfs("import", "good.html")
        try sandbox.sbfs("import", "mixed.html", "--dry-run", exits: 4)
        try sandbox.sbfs("import", "bad.html", "good.html", exits: 4)
    }

    @Test func `columns that have no field are kept, those that are not taken are named, each with its count`() throws {
        let sandbox = try Sandbox()
        try sandbox.file(
            "list.csv", "url,title,cover,rating\nhttps://example.org/1,T,c.png,5\nhttps://example.org/2,U,d.png,\n")
        let run = try sandbox.sbfs("import", "list.csv")
        #expect(run.err.contains("kept among the source's own fields: cover (2), rating (1)"))
        let id = try #require(try sandbox.ids("T").first)
        #expect((try sandbox.item(id)["sourceFields"] as? [String: String]) == ["cover": "c.png", "rating": "5"])
        try sandbox.file("icons.html", page("<DT><A HREF=\"https://example.org/3\" ICON=\"data:,\">V</A>\n"))
        #expect(try sandbox.sbfs("import", "icons.html").err.contains("not taken: icon (1)"))
        #expect(try sandbox.sbfs("import", "list.csv", "--json").out.contains(#""kept":{"cover":2,"rating":1}"#))
    }

    @Test func `a date that has not come yet is named once as what it is, and is kept as it was written`() throws {
        let sandbox = try Sandbox()
        try sandbox.file(
            "later.html",
            page(
                """
                <DT><A HREF="https://example.org/1" ADD_DATE="4000000000">Seconds</A>
                <DT><A HREF="https://example.org/2" ADD_DATE="4000000000000">Milliseconds</A>
                <DT><A HREF="https://example.org/3" ADD_DATE="2096-10-02T07:06:40Z">Words</A>

                """))
        let run = try sandbox.sbfs("import", "later.html", "--report", "report.tsv")
        #expect(!run.err.contains("in no form"))
        let told = try sandbox.scratch.text("desk/report.tsv").split(separator: "\n").filter {
            $0.contains("its date 2096-10-02T07:06:40.000Z has not come yet")
        }
        #expect(told.count == 3)
        for (title, date) in [("Seconds", "4000000000"), ("Milliseconds", "4000000000000")] {
            let id = try #require(try sandbox.ids(title).first)
            #expect((try sandbox.item(id)["sourceFields"] as? [String: String]) == ["add_date": date])
        }
        #expect(try sandbox.sbfs("import", "later.html").err.contains("0 new, 0 merged, 3 same, 0 skipped"))
    }

    @Test func `folders that get another name are counted and named`() throws {
        let sandbox = try Sandbox()
        let link = "<DT><A HREF=\"https://example.org/1\">T</A>\n<DT><A HREF=\"https://example.org/2\">U</A>\n"
        let long = String(repeating: "x", count: 600)
        let empty = "<DT><H3>\(long)</H3><DL></DL>\n"
        let inner = "<DT><H3>In  it</H3><DL><DT><A HREF=\"https://example.org/3\">V</A></DL>\n"
        try sandbox.file(
            "folders.html", page("<DT><H3>a\\</H3><DL>\(link)\(inner)</DL><DT><H3>Good</H3><DL>\(link)</DL>\(empty)"))
        let run = try sandbox.sbfs("import", "folders.html", "--report", "report.tsv")
        #expect(run.err.contains(#"its folder "a\" is "a\\" here"#))
        #expect(run.err.contains(#"its folder "a\/In  it" is "a\\/In it" here"#))
        #expect(run.err.contains(", 3 folders renamed"))
        #expect(try sandbox.scratch.text("desk/report.tsv").contains("its folder \"\(long.prefix(150))"))
        let collections = try sandbox.sbfs("collections", "--json").out
        #expect(collections.contains(#""a\\\\""#) && collections.contains(#""a\\\\/In it""#))
        #expect(try sandbox.sbfs("import", "folders.html", "--dry-run", "--json").out.contains(#""renamedFolders":3"#))
    }

    @Test func `unknown files are refused with advice, and nothing is written`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("notes.enex", "<?xml version=\"1.0\"?><en-export><note><title>T</title></note></en-export>")
        try sandbox.file("refs.bib", "@book{a,\n title = {T}\n}\n")
        for (file, name) in [("notes.enex", "Evernote"), ("refs.bib", "BibTeX")] {
            let run = try sandbox.sbfs("import", file, exits: 1)
            #expect(run.err.contains(name))
            #expect(run.err.contains("sbfs add \(file)"))
        }
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `a link that moved is reported with its old address, and undone in one step`() throws {
        let sandbox = try Sandbox()
        func backup(_ url: String) -> String {
            #"{"roots":{"other":{"name":"Other","type":"folder","children":[{"type":"url","name":"T","url":""# + url
                + #"","guid":"g1"}]}}}"#
        }
        try sandbox.file("Bookmarks", backup("https://example.org/old"))
        try sandbox.sbfs("import", "Bookmarks")
        try sandbox.file("Bookmarks", backup("https://example.org/new"))
        let run = try sandbox.sbfs("import", "Bookmarks", "--report", "report.tsv")
        #expect(run.err.contains("0 new, 0 merged, 0 same, 0 skipped, 1 moved"))
        #expect(
            try sandbox.scratch.text("desk/report.tsv").hasPrefix("moved\t"))
        #expect(try sandbox.scratch.text("desk/report.tsv").contains("its link was https://example.org/old"))
        let id = try #require(try sandbox.ids("T").first)
        #expect(try sandbox.item(id)["linkURL"] as? String == "https://example.org/new")
        #expect(try sandbox.item(id)["linkFormerURLs"] as? [String] == ["https://example.org/old"])
        try sandbox.sbfs("undo")
        #expect(try sandbox.item(id)["linkURL"] as? String == "https://example.org/old")
        #expect(try sandbox.item(id)["linkFormerURLs"] == nil)
        try sandbox.sbfs("undo")
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `lists show the dates of the source`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("b.html", page("<DT><A HREF=\"https://example.org/\" ADD_DATE=\"1400000000\">T</A>\n"))
        try sandbox.sbfs("import", "b.html")
        #expect(try sandbox.ids("updated:2014-05-13").count == 1)
        #expect(try sandbox.sbfs("list").out.contains("2014"))
        // As if another process had built the index.
        try sandbox.sbfs("reindex", "--full")
        #expect(try sandbox.ids("updated:2014-05-13").count == 1)
    }

    @Test func `lines of JSON that are no items are told by what they hold`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("x.ndjson", "{\"kind\":1,\"level\":\"info\"}\n{\"kind\":2}\n")
        let run = try sandbox.sbfs("import", "x.ndjson", exits: 3)
        #expect(run.err.contains("line 1: neither a bookmark, a note nor an item: it has kind, level\n"), "\(run)")
        #expect(run.err.contains("x.ndjson (JSON without bookmarks, notes and items): 0 new"), "\(run)")
        for (text, looks) in [("[1]", "it is a number"), ("[[], {}]", "it is a list")] {
            try sandbox.file("x.json", text)
            let run = try sandbox.sbfs("import", "x.json", exits: 3)
            #expect(run.err.contains("byte 1: neither a bookmark, a note nor an item: \(looks)"), "\(run)")
            #expect(!run.err.contains("folder of files"), "\(run)")
        }
        try sandbox.file("x.json", "[]")
        #expect(try !sandbox.sbfs("import", "x.json", exits: nil).err.contains("folder of files"))
        // The first is not an item, and the second is.
        try sandbox.file("x.ndjson", "{\"kind\":1}\n{\"url\":\"https://example.org/\"}\n")
        #expect(try sandbox.sbfs("import", "x.ndjson", exits: 4).err.contains("(bookmarks in JSON): 1 new"))
    }

    @Test func `what has a title and no text says nothing twice`() throws {
        let sandbox = try Sandbox()
        try sandbox.file(
            "k.json",
            #"{"bookmarks":[{"id":"a","createdAt":1700000000,"title":"Shot","tags":[],"content":{"type":"asset","assetId":"1"},"note":null}]}"#
        )
        try sandbox.file("z.csv", "Key,Item Type,Title,Url,Abstract Note\nK1,book,A book,,About it\n")
        try sandbox.file("o.opml", "<opml version=\"2.0\"><body><outline text=\"Bare\"/></body></opml>")
        for (file, title) in [("k.json", "Shot"), ("z.csv", "A book"), ("o.opml", "Bare")] {
            try sandbox.sbfs("import", file)
            let id = try #require(try sandbox.ids("title:\"\(title)\"").first)
            #expect(try sandbox.item(id)["title"] as? String == title)
            #expect(try sandbox.shell("ls '\(sandbox.path(id, ""))'").lines == ["item.json"], "\(file)")
        }
        #expect(try sandbox.sbfs("check").err.contains("0 errors, 0 warnings"))
    }
}
