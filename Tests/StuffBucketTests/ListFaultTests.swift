import Items
import StuffBucket
import Testing

/// The items that a list leaves out, and its report about them.
struct ListFaultTests {
    @Test func `trashed items are listed only for those who ask for the trash`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "live")
        try sample.putTrashed(2, "both marks")
        try sample.put(3, "only the tag", tags: ["Trashcan"])
        try sample.put(4, "only the time", [("trashedAt", .string("2026-01-02"))])
        #expect(try sample.titles() == ["live"])
        #expect(try sample.titles("marks OR live") == ["live"])
        #expect(try sample.titles("is:trashed") == ["both marks", "only the tag", "only the time"])
        #expect(try sample.titles("tag:trashcan") == ["both marks", "only the tag", "only the time"])
        #expect(try sample.titles("trashcan") == ["both marks", "only the tag", "only the time"])
        #expect(try sample.titles("marks is:trashed") == ["both marks"])
        #expect(try sample.library.find(ItemRequest()).count == 1)
    }

    @Test func `a broken item is reported and does not stop the others`() throws {
        let sample = try SampleLibrary()
        try sample.put(0x101, "first")
        let broken = try sample.put(0x201, "broken")
        try sample.put(0x301, "second")
        let strange = try sample.put(0x402, "strange")
        try sample.scratch.write(sample.folder(broken) + "/item.json", "{\n  \"title\": \"broken\n}\n")
        try sample.scratch.write(sample.folder(strange) + "/item.json", "{\"id\": \"\(try SampleLibrary.id(0x999))\"}")
        let listing = try sample.library.find(ItemRequest(order: .title))
        #expect(try sample.titles(listing.rows) == ["first", "second"])
        #expect(listing.count == 2)
        #expect(listing.faults.count == 2)
        #expect(listing.faults.contains { $0.description.contains("\(broken)/item.json:2:") })
        #expect(listing.faults.contains { $0.description.contains("\(strange)/item.json:1:") })
        #expect(try sample.library.items(matching: "").count == 2)
    }

    @Test func `the items of an answer are read without those that broke since, which are named once`() throws {
        let sample = try SampleLibrary()
        try sample.put(0x101, "first soup")
        let broken = try sample.put(0x201, "broken soup")
        let gone = try sample.put(0x301, "gone soup")
        let earlier = try sample.library.find(ItemRequest(sample.library.parse("soup").query, order: .title))
        #expect(earlier.count == 3 && earlier.faults == [])
        try sample.scratch.write(sample.folder(broken) + "/item.json", "{")
        try sample.scratch.removeFile(sample.folder(gone) + "/item.json")
        try sample.scratch.removeEmptyDirectory(sample.folder(gone))
        for answer in [earlier, try sample.library.find(ItemRequest(sample.library.parse("soup").query))] {
            var titles: [String] = []
            let faults = try sample.library.forEachItem(of: answer) { stored, hit in
                #expect(stored.id == hit.row.id)
                titles.append(sample.library.displayTitle(of: stored))
            }
            #expect(titles == ["first soup"])
            #expect(faults.map(\.folder) == ["items/01/\(broken)"])
        }
    }

    @Test func `a field that does not fit leaves the item in the list`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "odd", [("isPinned", .string("yes")), ("createdAt", .bool(true)), ("sortOrder", .array([]))])
        let listing = try sample.library.find(ItemRequest())
        #expect(try sample.titles(listing.rows) == ["odd"])
        #expect(listing.faults == [])
    }

    @Test func `an item in the wrong shard is found once`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(0x12AB, "misplaced", [("linkURL", .string("https://example.org/"))], shard: "00")
        #expect(try sample.titles() == ["misplaced"])
        #expect(try sample.library.find(ItemRequest()).rows.map(\.folder) == ["items/00/\(id)"])
        #expect(try sample.library.items(withTitles: ["misplaced"])["misplaced"]?.map(\.id) == [id])
        let links = try sample.library.items(withLinks: ["https://example.org/"])
        #expect(links["https://example.org/"]?.map(\.id) == [id])
        #expect(try sample.library.items(withDigits: "12ab").map(\.id) == [id])
        #expect(try sample.library.items(withDigits: "01a19b7c").map(\.id) == [id])
    }

    @Test func `an item in its own shard and in others is the one in its own`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(0x12AB, "right", [("linkURL", .string("https://example.org/"))])
        try sample.put(0x12AB, "wrong", [("linkURL", .string("https://example.org/"))], shard: "00")
        try sample.put(0x12AB, "wrong too", shard: "ff")
        #expect(try sample.titles() == ["right"])
        #expect(try sample.library.find(ItemRequest()).rows.map(\.folder) == [Layout.itemFolder(id)])
        let links = try sample.library.items(withLinks: ["https://example.org/"])
        #expect(links["https://example.org/"]?.count == 1)
        #expect(try sample.library.items(withDigits: "12ab").count == 1)
        #expect(try sample.library.items(withDigits: "01a19b7c").count == 1)
    }

    @Test func `an item in two wrong shards is the one in the lower`() throws {
        let sample = try SampleLibrary()
        try sample.put(0x12AB, "higher", shard: "ff")
        try sample.put(0x12AB, "lower", shard: "00")
        #expect(try sample.titles() == ["lower"])
        #expect(try sample.library.items(withDigits: "12ab").map(\.folder).count == 1)
    }

    @Test func `other folders are skipped`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "item")
        let id = try SampleLibrary.id(0x77)
        try sample.scratch.makeDirectory("library/items/77/\(id)")
        try sample.scratch.write("library/items/77/notes.txt", "x")
        try sample.scratch.write("library/items/77/not-a-uuid/item.json", "{}")
        try sample.scratch.write("library/items/77/\(try SampleLibrary.id(0x177))", "a file")
        try sample.scratch.write("library/items/README", "x")
        try sample.scratch.write("library/items/abc/\(id)/item.json", "{}")
        try sample.scratch.link(
            "library/items/77/\(try SampleLibrary.id(0x277))", to: "../01/\(try SampleLibrary.id(1))")
        let listing = try sample.library.find(ItemRequest())
        #expect(try sample.titles(listing.rows) == ["item"])
        #expect(listing.faults == [])
    }

    @Test func `a purged item that a replica brought back stays hidden until it is restored or changed`() throws {
        let sample = try SampleLibrary()
        let id = try sample.putTrashed(1, "purged", [("linkURL", .string("https://example.org/"))])
        let tombstone = "library/" + Layout.tombstone(id)
        try sample.scratch.write(tombstone, "{\"id\": \"\(id)\", \"purgedAt\": \"2026-02-01T00:00:00Z\"}")
        let library = sample.library
        #expect(try sample.titles("is:trashed") == [])
        #expect(try library.items(withTitles: ["purged"]).isEmpty)
        #expect(try library.items(withLinks: ["https://example.org/"]).isEmpty)
        #expect(try library.items(withDigits: "0001").isEmpty)
        #expect(try sample.library.resolve(["\(id)"]).unknown == ["\(id)"])
        try sample.scratch.write(tombstone, "{\"id\": \"\(id)\", \"purgedAt\": \"2026-01-01T00:00:00Z\"}")
        #expect(try sample.titles("is:trashed") == ["purged"])
        #expect(try sample.library.resolve(["\(id)"]).rows.map(\.id) == [id])
    }

    @Test func `a library without items is an empty list`() throws {
        let sample = try SampleLibrary()
        let listing = try sample.library.find(ItemRequest())
        #expect(listing.rows == [] && listing.count == 0 && listing.faults == [])
        #expect(try sample.library.items(withTitles: ["x"]).isEmpty)
        #expect(try sample.library.items(withDigits: "0001") == [])
    }
}
