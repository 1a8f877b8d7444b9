import Exchange
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// The result of importing entries into a library.
struct ImportTests {
    private let scratch: ScratchDirectory
    private let library: Library

    init() throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Test")
        library = try Library(path: scratch.full("library"))
    }

    private func entry(_ url: String, _ title: String? = nil, folder: [String] = [], id: String? = nil) -> ImportedEntry
    {
        var entry = ImportedEntry(at: .line(1))
        entry.url = url
        entry.title = title
        entry.folder = folder
        entry.externalID = id
        return entry
    }

    @discardableResult
    private func take(
        _ entries: [ImportedEntry], _ format: ImportFormat = .safari, change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportCounts {
        var options = ImportOptions()
        change(&options)
        let session = try LibraryImport(library, options)
        session.format = format
        for entry in entries { try session.take(.entry(entry)) }
        try session.finish()
        return session.counts
    }

    private func items() throws -> [Item] { try library.items().sorted { $0.id < $1.id } }

    /// Every file except this device's.
    private func state() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        func walk(_ path: String) throws {
            for name in try scratch.names(path) where name != ".sbfs" {
                if let bytes = try? scratch.bytes(path + "/" + name) {
                    found[path + "/" + name] = bytes
                } else {
                    try walk(path + "/" + name)
                }
            }
        }
        try walk("library")
        return found
    }

    @Test func `a new link has its source, its folder as a collection, and the source's tag`() throws {
        var new = entry("https://example.org/", "Title", folder: ["Work", "AI/ML"], id: "safari:1")
        new.tags = ["a", "trashcan"]
        new.createdAt = Timestamp(milliseconds: 1_700_000_000_000)
        #expect(try take([new]).new == 1)
        let item = try items()[0]
        #expect(item.title == "Title")
        #expect(item.tags == ["a", "imported-trashcan", "Safari", "collection:Work/AI\\/ML"])
        #expect(item.source == "safari_bookmarks")
        #expect(item.sourceExternalID == "safari:1")
        #expect(item.createdAt == new.createdAt)
        #expect(item.archiveStatus == nil)
    }

    private func counts(new: Int = 0, merged: Int = 0, same: Int = 0, skipped: Int = 0) -> ImportCounts {
        var counts = ImportCounts()
        counts.new = new
        counts.merged = merged
        counts.same = same
        counts.skipped = skipped
        return counts
    }

    @Test func `the same link in two folders is one item in two collections`() throws {
        let both = [
            entry("https://example.org/", "One", folder: ["A"]), entry("https://EXAMPLE.org", "Two", folder: ["B"]),
        ]
        var first = counts(new: 1, merged: 1)
        // The second title.
        first.notes = 1
        #expect(try take(both) == first)
        #expect(try items().map(\.collections) == [["A", "B"]])
        let before = try state()
        #expect(try take(both) == counts(same: 2))
        #expect(try state() == before)
    }

    @Test func `a second import changes no byte, whatever the person did meanwhile`() throws {
        let file = (0..<50).map {
            entry("https://example.org/\($0)", "Title \($0)", folder: ["F\($0 % 3)"], id: "safari:\($0)")
        }
        try take(file)
        let item = try #require(try library.item(items()[7].id))
        let stored = try #require(try library.store.item(item.id))
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("Mine"))
        edit.removeTag("Safari")
        edit.set(.linkURL, .string("https://example.org/changed"))
        try library.session.update(stored, edit)
        let before = try state()
        #expect(try take(file) == counts(same: 50))
        #expect(try state() == before)
    }

    @Test func `an existing item keeps the person's values and gets missing ones`() throws {
        let id = try library.addLink("https://example.org/", title: "Mine", tags: ["x"])
        var known = entry("https://example.org", "Theirs", folder: ["F"], id: "safari:1")
        known.description = "About"
        known.text = Array("note\n".utf8)
        known.tags = ["X", "y"]
        #expect(try take([known]) == counts(merged: 1))
        let item = try #require(try library.item(id))
        #expect(item.title == "Mine")
        #expect(item.description == "About")
        #expect(item.tags == ["x", "y", "Safari", "collection:F"])
        #expect(item.sourceExternalID == "safari:1")
        #expect(try library.text(of: id) == "note\n")
        // A second source is recorded beside the first, and both are known from then on.
        #expect(try take([entry("https://example.org", id: "firefox:1")], .firefox) == counts(merged: 1))
        let before = try state()
        #expect(try take([entry("https://example.org", id: "firefox:1")], .firefox) == counts(same: 1))
        #expect(try take([known]) == counts(same: 1))
        #expect(try state() == before)
    }

    @Test func `a bookmark that moved at its source is in the new collection as well`() throws {
        try take([entry("https://example.org/", folder: ["A"], id: "safari:1")])
        let moved = [entry("https://example.org/", folder: ["B"], id: "safari:1")]
        #expect(try take(moved) == counts(merged: 1))
        #expect(try items()[0].collections == ["A", "B"])
        #expect(try take(moved) == counts(same: 1))
    }

    @Test func `items in the trash stay there`() throws {
        try take([entry("https://example.org/")])
        let stored = try #require(try library.store.item(try items()[0].id))
        var edit = ItemEdit(base: stored.json)
        edit.trash(at: .now)
        try library.session.update(stored, edit)
        #expect(try take([entry("https://example.org/")]) == counts(skipped: 1))
        #expect(try take([entry("https://example.org/")]) { $0.ignoresTrash = true } == counts(new: 1))
    }

    static let refused = [
        "", "javascript:alert(1)", "place:sort=1", "file:///etc/passwd", "data:text/html,x", "about:blank",
        "example.org",
        "http://", "https://a b/", "https://exa\u{0}mple.org", "ftp://example.org", "http://[::1",
    ]

    @Test(arguments: refused)
    func `entries without a web address are skipped`(url: String) throws {
        #expect(try take([entry(url, "x")]) == counts(skipped: 1))
        #expect(try items().isEmpty)
    }

    @Test func `fields without end are cut, and the item can be read`() throws {
        var huge = entry("https://example.org/", String(repeating: "ä", count: 500_000))
        huge.tags = (0..<2000).map { "tag \($0)" }
        huge.folder = Array(repeating: String(repeating: "f", count: 5000), count: 300)
        #expect(try take([huge]).new == 1)
        let item = try items()[0]
        #expect((item.title ?? "").utf8.count <= ImportedEntry.fieldByteLimit)
        #expect(item.plainTags.count == ImportedEntry.tagCountLimit + 1)
    }

    @Test func `folders with a colour or without content get a file, once`() throws {
        var options = ImportOptions()
        options.tags = []
        for round in 0..<2 {
            let session = try LibraryImport(library, options)
            session.format = .csv
            try session.take(.folder(ImportedFolder(["Work"], colour: "blue", icon: "briefcase", order: 2)))
            try session.take(.folder(ImportedFolder(["Empty"])))
            try session.take(.folder(ImportedFolder(["Used"])))
            try session.take(.entry(entry("https://example.org/", folder: ["Used", "Deep"])))
            try session.finish()
            #expect(session.counts.collections == (round == 0 ? 2 : 0))
        }
        let files = try library.store.collectionFiles()
        #expect(files.map(\.name.name) == ["Work", "Empty"])
        #expect(files[0].colour == "blue")
        #expect(files[0].icon == "briefcase")
        #expect(files[0].order == 2)
    }

    @Test func `a dry run reports the same and writes nothing`() throws {
        try library.addLink("https://example.org/known")
        let file = [
            entry("https://example.org/1", folder: ["A"]), entry("https://example.org/1", folder: ["B"]),
            entry("https://example.org/known"), entry("mailto:a@example.org"),
        ]
        let before = try state()
        let dry = try take(file) { $0.isDryRun = true }
        #expect(try state() == before)
        #expect(try take(file) == dry)
    }

    @Test func `archiving is only requested, never done`() throws {
        try take([entry("https://example.org/")]) { $0.isArchived = true }
        #expect(try items()[0].archiveStatus == .pending)
    }

    @Test func `exported items come back with their ids and unknown keys`() throws {
        let text = """
            {"id":"0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4","type":"snippet","title":"T","tags":["a"],"textContent":"words",\
            "sortOrder":1.5,"isPinned":true,"foreign":[1.50],"source":"cli","createdAt":"2023-11-14T22:13:20.000Z",\
            "updatedAt":"2023-11-14T22:13:20.000Z"}
            """
        for expected in [counts(new: 1), counts(same: 1)] {
            let session = try LibraryImport(library, ImportOptions())
            try ImportFile.read(Array(text.utf8), format: { session.format = $0 }) { try session.take($0) }
            try session.finish()
            #expect(session.counts == expected)
        }
        let item = try items()[0]
        #expect(item.id.description == "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4")
        #expect(item.isPinned)
        #expect(item.sortOrder == 1.5)
        #expect(item.source == "cli")
        #expect(try library.text(of: item.id) == "words")
        let file = try scratch.text("library/items/c4/\(item.id)/item.json")
        #expect(file.contains("1.50"))
    }
}
