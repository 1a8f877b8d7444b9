import Items
import JSONFormat
import Testing
import Time

@testable import StuffBucket

struct AddTests {
    private static func addition(
        _ url: String, tags: [String] = [], text: String? = nil, title: String? = nil
    ) -> Addition {
        var addition = Addition(.link(url))
        addition.tags = tags
        addition.text = text.map { Array($0.utf8) }
        addition.title = title
        return addition
    }

    private static func text(_ sample: SampleLibrary, _ id: ItemID) throws -> String? {
        try sample.library.text(of: id)
    }

    @Test func `links, texts and documents become items`() throws {
        let sample = try SampleLibrary()
        try sample.scratch.write("Tax Return.pdf", "%PDF")
        var snippet = Addition(.text(Array("# Note\n".utf8)))
        snippet.tags = ["One", "one", "collection: Work "]
        var document = Addition(.document(sample.scratch.full("Tax Return.pdf")))
        document.text = Array("beside it\n".utf8)
        var live = Self.addition("https://example.org/live")
        live.isArchived = false
        let time = try SampleLibrary.time("2026-11-20T10:00:00Z")
        let outcomes = try sample.library.add(
            [Self.addition("https://example.org/", text: "why\n", title: "Example"), snippet, document, live], at: time)
        let ids = outcomes.compactMap(\.addedID)
        #expect(ids.count == 4)
        let link = try sample.stored(ids[0])
        #expect(link.kind == .link && link.item.title == "Example" && link.item.archiveStatus == .pending)
        #expect(
            link.item.linkURL == "https://example.org/" && link.createdAt == time
                && link.item.source == LibraryOptions.programName)
        #expect(try Self.text(sample, ids[0]) == "why\n")
        let text = try sample.stored(ids[1])
        #expect(text.kind == .snippet && text.item.tags == ["One", "collection:Work"] && text.item.linkURL == nil)
        #expect(try Self.text(sample, ids[1]) == "# Note\n")
        let file = try sample.stored(ids[2])
        #expect(file.kind == .document && file.document?.name == "Tax Return.pdf")
        #expect(try Self.text(sample, ids[2]) == "beside it\n")
        #expect(try sample.stored(ids[3]).item.archiveStatus == nil)
        #expect(try Self.text(sample, ids[3]) == nil)
    }

    @Test(arguments: ["ftp://example.org/x", "", "mailto:a@example.org", "example.org", "https://", "http://a b/"])
    func `a link that is no http or https URL is refused, and the others are added`(url: String) throws {
        let sample = try SampleLibrary()
        let outcomes = try sample.library.change("add") { step in
            try step.add([Addition(.link(url)), Addition(.link("https://example.org/"))])
        }
        guard case .refused(let name, ItemError.refused(.noWebAddress(let refused))) = outcomes[0] else {
            Issue.record("\(outcomes[0])")
            return
        }
        #expect(name == url && refused == url)
        #expect(outcomes[1].addedID != nil && outcomes.count == 2)
        #expect(try sample.library.find(ItemRequest(.everything)).count == 1)
    }

    @Test func `new items get the library's own tags first`() throws {
        let sample = try SampleLibrary()
        try sample.set(.defaultTags, .strings(["inbox", "Later"]))
        let id = try #require(
            try sample.library.add([Self.addition("https://example.org/", tags: ["later", "new"])]).first?.addedID)
        #expect(try sample.stored(id).item.tags == ["inbox", "Later", "new"])
        // Not known links: their pages were requested when the items were new.
        let again = try sample.library.add([Self.addition("https://example.org/", tags: ["newer"])])
        #expect(again.first?.knownID == id)
        #expect(try sample.stored(id).item.tags == ["inbox", "Later", "new", "newer"])
    }

    @Test func `a known link gets the tags and text given with it`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(
            1, "Mine", [("linkURL", .string("https://example.org/a"))], tags: ["Old"], text: "first\n")
        let outcomes = try sample.library.add([
            Self.addition("https://EXAMPLE.org/a#x", tags: ["old", "New"], text: "second\n", title: "Theirs")
        ])
        #expect(outcomes.first?.knownID == id && outcomes.first?.isKnownChanged == true)
        let stored = try sample.stored(id)
        #expect(stored.item.tags == ["Old", "New"])
        #expect(stored.item.title == "Mine" && stored.item.linkURL == "https://example.org/a")
        #expect(try Self.text(sample, id) == "first\n\nsecond\n")
        #expect(try sample.titles() == ["Mine"])
    }

    @Test func `a known link that gains nothing is not written`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(1, "Mine", [("linkURL", .string("https://example.org/a"))], tags: ["Old"])
        let before = try sample.scratch.bytes(sample.folder(id) + "/item.json")
        for tags in [[], ["OLD"]] {
            let outcomes = try sample.library.add([Self.addition("https://example.org/a", tags: tags)])
            #expect(outcomes.first?.isKnownChanged == false)
        }
        #expect(try sample.scratch.bytes(sample.folder(id) + "/item.json") == before)
    }

    @Test func `the same link twice in a list becomes one item with the tags and text of both`() throws {
        let sample = try SampleLibrary()
        let outcomes = try sample.library.add([
            Self.addition("https://example.org/a", tags: ["one"], text: "first\n"),
            Self.addition("https://example.org/b"),
            Self.addition("HTTPS://example.org/a", tags: ["Two", "ONE"], text: "second\n"),
            Self.addition("https://example.org/a", tags: ["two"]),
        ])
        let id = try #require(outcomes[0].addedID)
        #expect(outcomes[1].addedID != nil)
        #expect(outcomes[2].knownID == id && outcomes[3].knownID == id)
        #expect(try sample.library.find(ItemRequest()).count == 2)
        #expect(try sample.stored(id).item.tags == ["one", "Two"])
        #expect(try Self.text(sample, id) == "first\n\nsecond\n")
        #expect(outcomes.dropFirst(2).map(\.isKnownChanged) == [true, false])
    }

    @Test func `a link in the trash stays there unless restoring is requested`() throws {
        let sample = try SampleLibrary()
        let id = try sample.putTrashed(1, "Gone", [("linkURL", .string("https://example.org/a"))])
        let before = try sample.scratch.bytes(sample.folder(id) + "/item.json")
        let left = try sample.library.add([Self.addition("https://example.org/a", tags: ["new"])])
        guard case .trashed(let row)? = left.first else {
            Issue.record("outcome \(left)")
            return
        }
        #expect(row.id == id && row.isTrashed)
        #expect(try sample.scratch.bytes(sample.folder(id) + "/item.json") == before)
        let taken = try sample.library.add(
            [Self.addition("https://example.org/a", tags: ["new"], text: "back\n")], knownLinks: .joinAndRestore)
        guard case .restored(let restored)? = taken.first else {
            Issue.record("outcome \(taken)")
            return
        }
        #expect(restored.id == id)
        let stored = try sample.stored(id)
        #expect(!stored.item.isTrashed && stored.item.tags == ["new"] && stored.item.trashedAt == nil)
        #expect(try Self.text(sample, id) == "back\n")
    }

    @Test func `a live item with the link is preferred to a trashed one, the earliest of several`() throws {
        let sample = try SampleLibrary()
        let url: (String, JSON) = ("linkURL", .string("https://example.org/a"))
        try sample.putTrashed(1, "Gone", [url, ("createdAt", .string("2020-01-01T00:00:00Z"))])
        try sample.put(2, "Late", [url, ("createdAt", .string("2022-01-01T00:00:00Z"))])
        let id = try sample.put(3, "Early", [url, ("createdAt", .string("2021-01-01T00:00:00Z"))])
        for known in [Library.KnownLinks.join, .joinAndRestore] {
            #expect(
                try sample.library.add([Self.addition("https://example.org/a")], knownLinks: known).first?.knownID == id
            )
        }
    }

    @Test func `a second item for a known link is made on request`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "First", [("linkURL", .string("https://example.org/a"))])
        let additions = [Self.addition("https://example.org/a"), Self.addition("https://example.org/a")]
        let outcomes = try sample.library.add(additions, knownLinks: .duplicate)
        #expect(Set(outcomes.compactMap(\.addedID)).count == 2)
        #expect(try sample.library.find(ItemRequest()).count == 3)
    }

    @Test func `nothing to add is nothing`() throws {
        let sample = try SampleLibrary()
        #expect(try sample.library.add([]).isEmpty)
    }
}
