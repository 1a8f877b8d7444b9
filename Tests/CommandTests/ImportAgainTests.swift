import Testing

/// What a second import does, of the same file and of one that has grown.
struct ImportAgainTests {
    private static let karakeep = #"""
        {"bookmarks":[
        {"createdAt":1700000000,"title":"Words","tags":["a"],"content":{"type":"text","text":"some words"},"note":null},
        {"createdAt":1700000001,"title":"Words","tags":["a"],"content":{"type":"text","text":"other words"},"note":null},
        {"id":"abc1","createdAt":1700000002,"title":"Mine","tags":[],"content":{"type":"text","text":"first"},"note":null},
        {"id":"abc2","createdAt":1700000003,"title":"Picture","tags":[],"content":{"type":"asset"},"note":"of a cat"}
        ]}
        """#

    @Test(arguments: [
        ("k.json", karakeep, 4),
        (
            "o.opml",
            "<opml version=\"2.0\"><body><outline text=\"F\"><outline text=\"just a note\" _note=\"body\"/></outline>"
                + "<outline text=\"just a note\" _note=\"body\"/><outline text=\"bare\"/></body></opml>", 3
        ),
        ("z.csv", "Key,Item Type,Title,Url\nK1,book,A book,\nK2,book,Another,\n", 2),
        ("s.csv", "url,title,note\n,T,words\n,U,words\n", 2),
    ])
    func `entries without a link are the same the second time`(name: String, text: String, count: Int) throws {
        let sandbox = try Sandbox()
        try sandbox.file(name, text)
        #expect(try sandbox.sbfs("import", name).err.contains("\(count) new, 0 merged, 0 same, 0 skipped"))
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", name).err.contains("0 new, 0 merged, \(count) same, 0 skipped"))
        #expect(try sandbox.changes(since: before).isEmpty)
        #expect(try sandbox.ids().count == count)
    }

    @Test func `an entry with an id of its own is known by it when its title changed`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("k.json", Self.karakeep)
        try sandbox.sbfs("import", "k.json")
        try sandbox.file("k.json", Self.karakeep.replacingOccurrences(of: "\"Mine\"", with: "\"Yours\""))
        #expect(try sandbox.sbfs("import", "k.json").err.contains("0 new"))
    }

    @Test func `one odd line leaves a list of links what it is, and is named`() throws {
        let sandbox = try Sandbox()
        let links = (1...30).map { "https://u.example/\($0)\n" }.joined()
        try sandbox.file("ul.txt", "# mine\n" + links + "ftp://u.example/x\nwords alone\n")
        let run = try sandbox.sbfs("import", "ul.txt", exits: 4)
        #expect(run.err.contains("30 new, 0 merged, 0 same, 2 skipped"))
        #expect(run.err.contains("line 32: ftp: is no web address"))
        #expect(run.err.contains("line 33: "))
        #expect(try sandbox.ids("type:link").count == 30)
        // A text with a link in it is a text.
        try sandbox.file("text.txt", "https://t.example/\nwords\nabout it\nand more\n")
        try sandbox.sbfs("import", "text.txt")
        #expect(try sandbox.ids("type:snippet").count == 1)
    }
}
