import Items
import StuffBucket
import TestSupport
import Testing

/// The interface for programs that embed the library.
struct LibraryTests {
    @Test func `a folder is made a library once`() throws {
        let scratch = try ScratchDirectory()
        #expect(throws: ItemError.self) { try Library(path: scratch.path) }
        #expect(try Library.create(at: scratch.full("a/b"), name: "New"))
        #expect(try !Library.create(at: scratch.full("a/b"), name: "Other"))
        let library = try Library(path: scratch.full("a/b"))
        #expect(library.path == scratch.full("a/b"))
        #expect(library.store.settings.name == "New")
        #expect(try library.items().isEmpty)
    }

    @Test func `a folder with other things is made a library only by force`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("photo.jpg", "x")
        #expect(throws: ItemError.self) { try Library.create(at: scratch.path, name: "x") }
        #expect(!scratch.exists("library.json"))
        #expect(try Library.create(at: scratch.path, name: "x", in: .any))
        #expect(try scratch.text("photo.jpg") == "x")
    }

    @Test func `snippets, links and documents are added and found`() throws {
        let sample = try SampleLibrary()
        let library = sample.library
        try sample.scratch.write("paper.txt", "on paper")
        let snippet = try library.addSnippet(
            "Łódź is a city\n", title: "Cities", tags: ["Geo", "geo", "collection:Travel"])
        let link = try library.addLink("https://example.org/city", tags: ["web"])
        let document = try library.addDocument(at: sample.scratch.full("paper.txt"), title: "Paper")
        #expect(Set(try library.items().map(\.id)) == [snippet, link, document])
        #expect(try library.items(matching: "lodz").map(\.id) == [snippet])
        #expect(try library.items(matching: "city type:link").map(\.id) == [link])
        #expect(try library.items(matching: "paper -city").map(\.id) == [document])
        #expect(try library.items(matching: "collection:travel OR tag:WEB").count == 2)
        #expect(try library.items(matching: "created:>2000").count == 3)
        #expect(try library.items(matching: "((\"unclosed AND").isEmpty)
        let item = try #require(try library.item(snippet))
        #expect(item.title == "Cities" && item.tags == ["Geo", "collection:Travel"] && item.collections == ["Travel"])
        #expect(item.plainTags == ["Geo"] && item.type == .snippet)
        #expect(try library.item(link)?.linkURL == "https://example.org/city")
        #expect(try library.item(document)?.documentRelativePath == "document/paper.txt")
        #expect(try library.item(ItemID.make()) == nil)
    }

    @Test func `pinned items come first, then the latest change`() throws {
        let sample = try SampleLibrary()
        for (number, day) in [(1, "01"), (2, "03"), (3, "02")] as [(UInt16, String)] {
            try sample.put(number, day, [("updatedAt", .string("2026-01-\(day)T00:00:00Z"))])
        }
        try sample.put(4, "pinned", [("updatedAt", .string("2020-01-01T00:00:00Z")), ("isPinned", .bool(true))])
        #expect(try sample.library.items().map(\.title) == ["pinned", "03", "02", "01"])
    }

    @Test func `a text is returned with invalid UTF-8 replaced`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(1, "odd", text: "")
        #expect(try sample.library.text(of: id) == "")
        try sample.scratch.write(sample.folder(id) + "/text.md", [0x61, 0xFF, 0x62])
        #expect(try sample.library.text(of: id) == "a\u{FFFD}b")
        let inline = try sample.put(2, "inline", [("textContent", .string("inside\r\n"))])
        #expect(try sample.library.text(of: inline) == "inside\r\n")
        #expect(try sample.library.text(of: sample.put(3, "none")) == nil)
        #expect(try sample.library.text(of: ItemID.make()) == nil)
    }

    @Test func `a link that is there gives the item that has it`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink("https://example.org/a", tags: ["one"])
        #expect(try sample.library.addLink("https://EXAMPLE.org/a", tags: ["two"]) == id)
        #expect(try sample.library.item(id)?.tags == ["one", "two"])
        #expect(try sample.library.items().count == 1)
    }

    @Test(arguments: [
        "", "example.org", "javascript:alert(1)", "file:///etc/passwd", "https://", "https://exa mple.org/",
    ])
    func `text that is no web address is refused as a link`(_ url: String) throws {
        let sample = try SampleLibrary()
        #expect(throws: ItemError.self) { try sample.library.addLink(url) }
        #expect(try sample.library.items().isEmpty)
    }

    @Test func `a file that cannot be read is refused as a document`() throws {
        let sample = try SampleLibrary()
        #expect(throws: ItemError.self) { try sample.library.addDocument(at: sample.scratch.full("missing")) }
        #expect(throws: ItemError.self) { try sample.library.addDocument(at: sample.scratch.path) }
        #expect(try sample.library.items().isEmpty)
    }

    @Test func `weeks begin as the library says`() throws {
        let sample = try SampleLibrary()
        let monday = sample.library.parse("created:week").query
        try sample.set(.weekStart, .string("sunday"))
        #expect(sample.library.parse("created:week").query != monday)
    }
}
