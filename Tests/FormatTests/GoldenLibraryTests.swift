import Files
import Items
import StuffBucket
import TestSupport
import Testing

/// Libraries of every format version, kept permanently: later programs must read them correctly.
struct GoldenLibraryTests {
    @Test func `the library of version 1 reads as it was meant`() throws {
        let fixture = try fixture("libraries/v1")
        let scratch = try ScratchDirectory()
        try copy(fixture + "/library", to: scratch.path)
        let library = try Library(path: scratch.path)
        let query = library.parse("trashcan OR not trashcan").query
        let listing = try library.find(ItemRequest(query, order: .title))
        #expect(listing.faults == [])
        let rows = try listing.rows.map { try describe(library.item($0), library) }
        let expected = try Directory(path: fixture).contents(of: "expected.tsv", limit: 1 << 20).bytes
        #expect(rows.joined(separator: "\n") + "\n" == String(decoding: expected, as: UTF8.self))
    }

    /// Id, kind, title, tags, collections, created, updated, document and text of an item in one line.
    private func describe(_ stored: StoredItem, _ library: Library) throws -> String {
        let text = try library.store.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
        return [
            stored.id.description, stored.kind.rawValue, library.store.displayTitle(of: stored),
            stored.item.plainTags.joined(separator: ","), stored.item.collections.joined(separator: ","),
            stored.item.isTrashed ? "trashed" : "", stored.createdAt.rfc3339, stored.effectiveUpdatedAt.rfc3339,
            stored.document?.name ?? "", text.map { $0.split(separator: "\n").joined(separator: " / ") } ?? "",
        ].joined(separator: "\t")
    }

    private func fixture(_ name: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/" + root + "/Fixtures/" + name
    }

    private func copy(_ source: String, to target: String) throws {
        try Directory.make(path: target)
        let from = try Directory(path: source)
        for entry in try from.entries() {
            let name = try #require(entry.name.string)
            if entry.kind == .directory {
                try copy(source + "/" + name, to: target + "/" + name)
            } else {
                try Directory(path: target).writeFile(name, from.contents(of: name, limit: 1 << 20).bytes)
            }
        }
    }
}
