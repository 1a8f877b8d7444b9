import Exchange
import Files
import Items
import JSONFormat
import TestSupport
import Testing
import Time

@testable import StuffBucket
@testable import sbfs

/// The item of an entry whose source changed since the last import.
struct ImportFollowingTests {
    private let scratch: ScratchDirectory
    private let library: Library

    init() throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Test")
        library = try Library(path: scratch.full("library"))
    }

    private func entry(_ url: String, _ title: String?, id: String? = "safari:1", folder: [String] = [])
        -> ImportedEntry
    {
        var entry = ImportedEntry(at: .line(1))
        entry.url = url
        entry.title = title
        entry.externalID = id
        entry.folder = folder
        return entry
    }

    private struct Outcome {
        var counts = ImportCounts()
        var lines: [ImportReportLine] = []
        var remarks: [String] {
            lines.compactMap { line in
                if line.isRemark, case .skipped(let what) = line.outcome { what.wording } else { nil }
            }
        }
    }

    @discardableResult
    private func take(_ entries: [ImportedEntry], isDryRun: Bool = false) throws -> Outcome {
        var outcome = Outcome()
        var options = ImportOptions()
        options.isDryRun = isDryRun
        let session = try LibraryImport(library, options, report: { outcome.lines.append($0) })
        session.format = .safari
        for entry in entries { try session.take(.entry(entry)) }
        try session.finish()
        outcome.counts = session.counts
        return outcome
    }

    private func stored() throws -> StoredItem {
        let item = try #require(try library.items().first)
        return try #require(try library.store.item(item.id))
    }

    private func former() throws -> [String] {
        let json = try stored().json
        return json.member("linkFormerURLs", of: json.root).map { json.elements($0).compactMap { json.string($0) } }
            ?? []
    }

    private func change(_ make: (inout ItemEdit) -> Void) throws {
        let stored = try stored()
        var edit = ItemEdit(base: stored.json)
        make(&edit)
        try library.session.update(stored, edit)
    }

    private func kept() throws -> [String] {
        let json = try stored().json
        let values = try #require(json.member("sourceValues", of: json.root))
        return json.members(values).compactMap { member in
            json.member("fields", of: member.value).flatMap { json.member("description", of: $0) }.flatMap {
                json.string($0)
            }
        }
    }

    @Test func `other fields of a second entry with the same link are kept, also by a second import`() throws {
        func described(_ text: String, _ folder: String) -> ImportedEntry {
            var found = entry("https://example.org/a", "Same", id: nil, folder: [folder])
            found.description = text
            return found
        }
        let file = [described("First.", "One"), described("Second.", "Two"), described("Third.", "Two")]
        let first = try take(file)
        #expect(first.counts.new == 1 && first.counts.merged == 2)
        let told =
            "an earlier entry with the same link has another description; this entry's is kept beside it, in "
            + "sourceValues"
        #expect(first.remarks == [told, told])
        #expect(try stored().item.description == "First.")
        #expect(try kept() == ["Second.", "Third."])
        let bytes = try stored().json.bytes
        let second = try take(file)
        #expect(second.counts.same == 3 && second.remarks.isEmpty)
        #expect(try stored().json.bytes == bytes)
        // An entry of another source, with the person's item.
        var other = entry("https://example.org/a", "Same", id: "safari:2")
        other.description = "Fourth."
        #expect(try take([other]).counts.merged == 1)
        #expect(try stored().item.description == "First.")
        #expect(try kept() == ["Second.", "Third.", "Fourth."])
        #expect(try take([other]).counts.same == 1)
    }

    @Test func `a link that changed at the source is taken, and the old one kept`() throws {
        try take([entry("https://example.org/old", "Title")])
        let moved = [entry("https://example.org/new", "Title")]
        let dry = try take(moved, isDryRun: true)
        #expect(dry.counts.moved == 1)
        #expect(try stored().item.linkURL == "https://example.org/old")
        let outcome = try take(moved)
        #expect(outcome.counts.moved == 1)
        #expect(outcome.counts.total == 1)
        #expect(outcome.lines.map { "\($0.outcome)" } == ["moved(from: \"https://example.org/old\")"])
        #expect(try stored().item.linkURL == "https://example.org/new")
        #expect(try former() == ["https://example.org/old"])
        // The same again changes nothing; back and forth is followed too.
        #expect(try take(moved).counts.same == 1)
        #expect(try take([entry("https://example.org/old", "Title")]).counts.moved == 1)
        #expect(try take(moved).counts.moved == 1)
        #expect(try former() == ["https://example.org/new", "https://example.org/old"])
        #expect(try library.items().count == 1)
    }

    @Test func `a title that changed at the source is taken where nobody changed it here`() throws {
        try take([entry("https://example.org/", "Old")])
        #expect(try take([entry("https://example.org/", "New")]).counts.merged == 1)
        #expect(try stored().item.title == "New")
        #expect(try take([entry("https://example.org/", "New")]).counts.same == 1)
    }

    @Test func `an id that is made of link and folder is followed for the title as well`() throws {
        try take([entry("https://example.org/", "Old", id: nil, folder: ["A"])])
        #expect(try take([entry("https://example.org/", "New", id: nil, folder: ["A"])]).counts.merged == 1)
        #expect(try stored().item.title == "New")
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func `bookmarks of places of one page are items, in any order of the file`(_ order: [Int]) throws {
        let entries = ["", "#install", "#usage"].map { entry("https://example.org/guide\($0)", "Guide\($0)", id: nil) }
        #expect(try take(order.map { entries[$0] }).counts.new == 3)
        for other in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            #expect(try take(other.map { entries[$0] }).counts.same == 3)
        }
        let items = try library.items().map { "\($0.linkURL ?? "") \($0.title ?? "")" }
        #expect(Set(items) == Set(entries.map { "\($0.url ?? "") \($0.title ?? "")" }))
    }

    @Test func `a place that is bookmarked later, before the first one in the file, changes nothing of that one`()
        throws
    {
        let first = entry("https://example.org/guide#usage", "Usage", id: nil)
        try take([first])
        try change { $0.addTag("mine") }
        let second = entry("https://example.org/guide#install", "Install", id: nil)
        let outcome = try take([second, first])
        #expect(outcome.counts.new == 1 && outcome.counts.same == 1)
        let item = try #require(try library.items().first { $0.title == "Usage" })
        #expect(item.tags.contains("mine") && item.linkURL == first.url)
    }

    @Test func `of bookmarks that differ in the title or the spelling of the link, all are kept and found again`()
        throws
    {
        let entries = [
            entry("https://example.org/guide", "Guide", id: nil), entry("https://example.org/guide", "Again", id: nil),
            entry("https://EXAMPLE.org:443/guide", "Guide", id: nil),
        ]
        let first = try take(entries)
        #expect(first.counts.new == 1 && first.counts.merged == 1 && first.counts.same == 1)
        #expect(first.remarks == [ImportReason.otherTitle(here: "Guide").wording])
        let json = String(decoding: try stored().json.bytes, as: UTF8.self)
        for entry in entries { #expect(json.contains("\"\(entry.title ?? "")\"") && json.contains(entry.url ?? "?")) }
        for _ in 0..<2 {
            let again = try take(entries)
            #expect(again.counts.same == 3 && again.remarks.isEmpty)
        }
        #expect(try stored().item.title == "Guide")
    }

    @Test func `an item that an earlier version imported without the fragment is found`() throws {
        let place = entry("https://example.org/guide#usage", "Usage", id: nil)
        try take([place])
        let former = "url:" + SHA256.hex(Array("https://example.org/guide".utf8) + [0]).prefix(32)
        try change {
            $0.set(.sourceExternalID, .string(former))
            $0.set(
                .sourceValues,
                .members([
                    (
                        former,
                        .members([("url", .string("https://example.org/guide#usage")), ("title", .string("Usage"))])
                    )
                ]))
        }
        let outcome = try take([entry("https://example.org/guide#install", "Install", id: nil), place])
        #expect(outcome.counts.new == 1 && outcome.counts.same == 1, "\(outcome.lines)")
    }

    @Test func `a person's change stays, and both values are reported, each time`() throws {
        try take([entry("https://example.org/old", "Old")])
        try change {
            $0.set(.title, .string("Mine"))
            $0.set(.linkURL, .string("https://example.org/mine"))
        }
        let before = try scratch.bytes("library/\(try stored().folder)/item.json")
        #expect(try take([entry("https://example.org/old", "Old")]).remarks.isEmpty)
        for _ in 0..<2 {
            let outcome = try take([entry("https://example.org/new", "New")])
            #expect(outcome.counts.same == 1)
            #expect(outcome.remarks.count == 2)
            #expect(
                outcome.remarks.contains {
                    $0.contains("https://example.org/mine") && $0.contains("https://example.org/new")
                })
            #expect(outcome.remarks.contains { $0.contains("\"Mine\"") && $0.contains("\"New\"") })
        }
        #expect(try scratch.bytes("library/\(try stored().folder)/item.json") == before)
    }

    @Test func `if the values of the last import are unknown, a difference is only reported`() throws {
        try take([entry("https://example.org/old", "Old")])
        try change { $0.remove(.sourceValues) }
        let outcome = try take([entry("https://example.org/new", "New")])
        #expect(outcome.counts.same == 1)
        #expect(outcome.remarks.count == 1)
        #expect(try stored().item.linkURL == "https://example.org/old")
    }

    @Test func `a key of another type in sourceValues does no harm`() throws {
        try take([entry("https://example.org/old", "Old")])
        for value: JSON in [.string("x"), .object([JSON.Member("safari:1", .array([]))]), .null] {
            try change { $0.set(key: "sourceValues", value) }
            #expect(try take([entry("https://example.org/old", "Old")]).counts.same == 1)
        }
    }

    @Test func `a second source is followed by itself`() throws {
        try take([entry("https://example.org/", "Old")])
        try take([entry("https://example.org/", "Old", id: "firefox:2")])
        let outcome = try take([entry("https://example.org/2", "Old", id: "firefox:2")])
        #expect(outcome.counts.moved == 1)
        #expect(try stored().item.linkURL == "https://example.org/2")
        // The first source still has the old link, which is no news.
        #expect(try take([entry("https://example.org/", "Old")]).counts.same == 1)
    }

    // MARK: Dates and marks

    @Test func `items have the dates of the source, and their files too`() throws {
        var old = entry("https://example.org/1", "T", id: "a:1")
        old.createdAt = Timestamp("2015-01-02T03:04:05Z")
        old.updatedAt = Timestamp("2016-01-02T03:04:05Z")
        old.text = Array("words".utf8)
        var made = entry("https://example.org/2", "U", id: "a:2")
        made.createdAt = Timestamp("2014-01-02T03:04:05Z")
        try take([old, made])
        let found = try library.items().sorted { ($0.title ?? "") < ($1.title ?? "") }
        for (item, expected) in zip(found, ["2016-01-02T03:04:05.000Z", "2014-01-02T03:04:05.000Z"]) {
            let stored = try #require(try library.store.item(item.id))
            #expect(stored.item.updatedAt?.rfc3339 == expected)
            #expect(stored.effectiveUpdatedAt.rfc3339 == expected)
            #expect(Timestamp(nanoseconds: stored.status.modified).rfc3339 == expected)
            if let text = stored.text { #expect(Timestamp(nanoseconds: text.modified).rfc3339 == expected) }
        }
        #expect(found.first?.createdAt?.rfc3339 == "2015-01-02T03:04:05.000Z")
    }

    @Test func `a date beyond all files is taken as it is`() throws {
        var ancient = entry("https://example.org/1", "T")
        ancient.createdAt = Timestamp("0001-01-01T00:00:00Z")
        #expect(try take([ancient]).counts.new == 1)
        #expect(try stored().item.createdAt?.rfc3339 == "0001-01-01T00:00:00.000Z")
    }

    @Test func `a future date becomes today's, which is reported`() throws {
        var future = entry("https://example.org/1", "T")
        future.createdAt = Timestamp("2999-01-01T00:00:00Z")
        let outcome = try take([future])
        #expect(outcome.remarks.contains { $0.contains("2999-01-01") })
        #expect(try stored().createdAt <= .now)
    }

    @Test func `a tag that means the trash here hides nothing, and is reported`() throws {
        var tagged = entry("https://example.org/1", "T")
        tagged.tags = ["TrashCan", "a"]
        let outcome = try take([tagged])
        #expect(outcome.remarks.contains { $0.contains("imported-trashcan") })
        #expect(try !stored().item.isTrashed)
        #expect(try stored().item.plainTags == ["imported-trashcan", "a", "Safari"])
    }

    @Test func `every field of an entry is in the item`() throws {
        var full = entry("https://example.org/1", "T")
        full.author = "Ann"
        full.site = "Site"
        full.language = "de"
        full.published = "2020-01-02"
        full.annotations = [.members([("quote", .string("passage")), ("note", .string("thought"))])]
        full.keep("cover", .string("c.png"))
        full.untaken = ["icon"]
        let counts = try take([full]).counts
        #expect(counts.untaken == ["icon": 1])
        #expect(counts.kept == ["cover": 1])
        let item = try stored().item
        #expect(item.linkAuthor == "Ann")
        #expect(item.linkSite == "Site")
        #expect(item.annotations == ["passage", "thought"])
        let file = try scratch.text("library/\(try stored().folder)/item.json")
        for part in ["\"linkLanguage\": \"de\"", "\"linkPublishedDate\": \"2020-01-02\"", "\"cover\": \"c.png\""] {
            #expect(file.contains(part), "\(part)")
        }
        #expect(try stored().faults.isEmpty)
    }

    @Test func `a value nested too deeply for item.json is named, and the item can be read`() throws {
        let deep = String(repeating: "[", count: 100) + "1" + String(repeating: "]", count: 100)
        let json = "[{\"url\":\"https://example.org/1\",\"title\":\"T\",\"deep\":\(deep),\"flat\":1}]"
        let session = try LibraryImport(library, ImportOptions())
        try ImportFile.read(Array(json.utf8), format: { session.format = $0 }) { try session.take($0) }
        try session.finish()
        #expect(session.counts.untaken == ["deep": 1])
        #expect(session.counts.kept == ["flat": 1])
        #expect(try stored().item.title == "T")
    }
}
