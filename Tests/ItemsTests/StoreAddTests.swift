import Files
import TestSupport
import Testing
import Time

@testable import Items

/// New items.
struct StoreAddTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    @Test func `an item.json is written canonically with known fields`() throws {
        let id = try #require(ItemID("0198c0de-1234-7abc-8def-0123456789ab"))
        var item = NewItem(kind: .link, id: id, at: Timestamp(milliseconds: 0))
        item.title = "Title"
        item.tags = ["a", "collection:B"]
        item.linkURL = "http://a.org/é"
        item.archiveStatus = .pending
        try library.session.add([item])
        #expect(
            try library.scratch.text("items/ab/0198c0de-1234-7abc-8def-0123456789ab/item.json") == """
                {
                  "id": "0198c0de-1234-7abc-8def-0123456789ab",
                  "type": "link",
                  "title": "Title",
                  "tags": [
                    "a",
                    "collection:B"
                  ],
                  "linkURL": "http://a.org/é",
                  "archiveStatus": "pending",
                  "source": "cli",
                  "createdAt": "1970-01-01T00:00:00.000Z",
                  "updatedAt": "1970-01-01T00:00:00.000Z"
                }

                """)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a text is kept byte for byte`() throws {
        let bytes = Array("line\r\nlast without end".utf8) + [0xFF, 0x00]
        let stored = try library.add { $0.text = bytes }
        #expect(try library.store.text(of: stored) == bytes)
        #expect(stored.hasText)
        #expect(stored.kind == .snippet)
    }

    @Test func `a document is copied under its own name with its hash`() throws {
        try library.scratch.write("source/Report: é.pdf", "content")
        let stored = try library.add {
            $0.kind = .document
            $0.documentPath = library.scratch.full("source/Report: é.pdf")
        }
        #expect(stored.document?.name == "Report: é.pdf")
        #expect(stored.item.documentRelativePath == "document/Report: é.pdf")
        #expect(stored.item.documentSHA256 == SHA256.hex(Array("content".utf8)))
        #expect(stored.item.documentName == nil)
        #expect(try library.text(stored, "document/Report: é.pdf") == "content")
        #expect(library.store.displayTitle(of: stored) == "Report: é.pdf")
    }

    @Test func `a document with an impossible name keeps its original name as a field`() throws {
        try library.scratch.write("source/.a\nb", "x")
        let stored = try library.add { $0.documentPath = library.scratch.full("source/.a\nb") }
        #expect(stored.document?.name == "_.a_b")
        #expect(stored.item.documentName == #".a\x0ab"#)
    }

    @Test func `an item that cannot be built leaves nothing, and neither do the others of the call`() throws {
        var good = NewItem(kind: .snippet)
        good.text = [1]
        var bad = NewItem(kind: .document)
        for path in ["absent", "items", ".sbfs/fifo"] {
            if path == ".sbfs/fifo" { try library.scratch.makeFIFO(path) }
            bad.documentPath = library.scratch.full(path)
            #expect(throws: ItemError.self) { try library.session.add([good, bad]) }
        }
        #expect(try library.store.item(good.id) == nil)
        #expect(try library.scratch.names("items").isEmpty)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a text above its limit is refused and nothing is written`() throws {
        var item = NewItem(kind: .snippet)
        item.text = [UInt8](repeating: 0x61, count: Layout.textByteLimit + 1)
        let error = #expect(throws: ItemError.self) { try library.session.add([item]) }
        guard case .tooLarge(_, let count, Layout.textByteLimit)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(count == Layout.textByteLimit + 1)
        #expect(try library.scratch.names("items").isEmpty)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a document above the library's limit is refused and nothing is written`() throws {
        try library.session.change([(.maxFileSizeMB, .integer(50))])
        let session = WriteSession(try library.reopened())
        try library.scratch.write("big", [UInt8](repeating: 0, count: 50 << 20 | 1))
        var item = NewItem(kind: .document)
        item.documentPath = library.scratch.full("big")
        let error = #expect(throws: ItemError.self) { try session.add([item]) }
        #expect(error?.description.contains("50 MB is more than the limit of 50 MB") == true)
        #expect(try library.scratch.names("items").isEmpty)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `an id that is there already is not overwritten`() throws {
        let stored = try library.add { $0.title = "first" }
        var second = NewItem(kind: .snippet, id: stored.id)
        second.title = "second"
        #expect(throws: ItemError.self) { try library.session.add([second]) }
        #expect(try library.item(stored.id).item.title == "first")
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: [1, 15, 16, 600])
    func `many items are added in one call`(_ count: Int) throws {
        let items = (0..<count).map { number in
            var item = NewItem(kind: .snippet)
            item.title = "\(number)"
            return item
        }
        try library.session.add(items)
        for item in items.prefix(5) + items.suffix(5) {
            #expect(try library.item(item.id).item.title == item.title)
        }
        let report = try Check(library.store).run()
        #expect(report.itemCount == count)
        #expect(report.findings.isEmpty)
    }

    @Test func `adding nothing is fine`() throws {
        try library.session.add([])
        #expect(try library.store.shards().names.isEmpty)
    }

    @Test func `a shard that is a link out of the library is not written to`() throws {
        let item = NewItem(kind: .snippet)
        try library.scratch.makeDirectory("outside")
        try library.scratch.link("items/" + item.id.shard, to: "../outside")
        #expect(throws: ItemError.self) { try library.session.add([item]) }
        #expect(try library.scratch.names("outside").isEmpty)
    }
}
