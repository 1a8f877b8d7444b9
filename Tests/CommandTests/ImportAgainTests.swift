import Foundation
import Testing

/// A second import of the same file, and of one that has grown.
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

    @Test func `one odd line does not change the format of a list of links, and is named`() throws {
        let sandbox = try Sandbox()
        let links = (1...30).map { "https://u.example/\($0)\n" }.joined()
        try sandbox.file("ul.txt", "# mine\n" + links + "ftp://u.example/x\nwords alone\n")
        let run = try sandbox.sbfs("import", "ul.txt", exits: 4)
        #expect(run.err.contains("30 new, 0 merged, 0 same, 2 skipped"))
        #expect(run.err.contains("line 32: ftp: is no web address"))
        #expect(run.err.contains("line 33: "))
        #expect(try sandbox.ids("type:link").count == 30)
        // A text that contains a link is a text.
        try sandbox.file("text.txt", "https://t.example/\nwords\nabout it\nand more\n")
        try sandbox.sbfs("import", "text.txt")
        #expect(try sandbox.ids("type:snippet").count == 1)
    }

    private static func clipping(_ words: String, _ place: Int) -> String {
        "Book (Author)\n- Your Highlight on Location \(place)-\(place + 1) | Added on Monday, 4 July 2022 10:11:12\n\n"
            + words + "\n==========\n"
    }

    @Test func `passages that a known work got since are added to its text, once`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("My Clippings.txt", Self.clipping("one passage", 1) + Self.clipping("a second", 5))
        try sandbox.sbfs("import", "My Clippings.txt")
        let id = try #require(try sandbox.ids().first)
        let grown = Self.clipping("one passage", 1) + Self.clipping("a second", 5) + Self.clipping("a third", 9)
        try sandbox.file("My Clippings.txt", grown)
        let old = try sandbox.text(id)
        #expect(try sandbox.sbfs("import", "My Clippings.txt").err.contains("0 new, 1 merged, 0 same"))
        let text = try sandbox.text(id)
        #expect(text.hasPrefix(old))
        #expect(text.contains("> a third\n"))
        #expect(text.components(separatedBy: "> a second").count == 2)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", "My Clippings.txt").err.contains("0 new, 0 merged, 1 same"))
        #expect(try sandbox.changes(since: before).isEmpty)
        // One undo reverts it.
        try sandbox.sbfs("undo")
        #expect(try sandbox.text(id) == old)
    }

    @Test func `a text that a person edited gets only the passages that are not in it`() throws {
        let sandbox = try Sandbox()
        let head = "Highlight,Book Title,Book Author,Note,Tags\n"
        try sandbox.file("r.csv", head + "one passage,Book,A,,\na second,Book,A,my note,\n")
        try sandbox.sbfs("import", "r.csv")
        let id = try #require(try sandbox.ids().first)
        try sandbox.scratch.write(sandbox.folder(id) + "/text.md", "Mine: one\npassage, and a second (my note).\n")
        try sandbox.file("r.csv", head + "one passage,Book,A,,\na second,Book,A,my note,\na third,Book,A,,new\n")
        #expect(try sandbox.sbfs("import", "r.csv").err.contains("0 new, 1 merged, 0 same"))
        #expect(try sandbox.text(id) == "Mine: one\npassage, and a second (my note).\n\n> a third")
        #expect(try sandbox.item(id)["tags"] as? [String] == ["new"])
    }

    @Test(arguments: [
        ("p.csv", "title,url,time_added,tags,status\nT,https://e.example/,1700000000,", ",archive\n", "a", "a|b"),
        (
            "r.csv", "id,title,note,excerpt,url,folder,tags,created,cover\n7,T,,,https://e.example/,F,", ",,\n", "a",
            "\"a, b\""
        ),
        (
            "k.json", #"[{"href":"https://e.example/","description":"T","extended":"","tags":""#,
            #"","shared":"yes"}]"#, "a", "a b"
        ),
        (
            "n.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF=\"https://e.example/\" TAGS=\"",
            "\">T</A>\n</DL>", "a", "a,b"
        ),
    ])
    func `a tag that was added at the source is added here, and one that was removed here stays away`(
        name: String, head: String, tail: String, first: String, second: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.file(name, head + first + tail)
        try sandbox.sbfs("import", name)
        try sandbox.sbfs("tag", "rm", "T", "a")
        try sandbox.file(name, head + second + tail)
        #expect(try sandbox.sbfs("import", name).err.contains("0 new, 1 merged, 0 same"))
        #expect(try sandbox.ids("tag:b").count == 1)
        #expect(try sandbox.ids("tag:a").isEmpty)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", name).err.contains("0 new, 0 merged, 1 same"))
        try sandbox.file(name, head + first + tail)
        #expect(try sandbox.sbfs("import", name).err.contains("0 new, 0 merged, 1 same"))
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
    }

    @Test func `a text that changed at the source is named as not taken`() throws {
        let sandbox = try Sandbox()
        func note(_ words: String) -> String { "---\ntitle: T\nurl: https://e.example/\n---\n\n\(words)\n" }
        try sandbox.file("n.md", note("one"))
        try sandbox.sbfs("import", "n.md")
        try sandbox.file("n.md", note("two"))
        let run = try sandbox.sbfs("import", "n.md")
        #expect(run.err.contains("its text changed at the source and was not taken"))
        #expect(try sandbox.text(try #require(try sandbox.ids("T").first)).contains("one"))
    }
}
