import Items
import JSONFormat
import Search
import Testing
import Time

@testable import StuffBucket

/// The indexed part of an item that holds more than anybody would type.
struct SearchLimitTests {
    private func document(_ sample: SampleLibrary, _ id: ItemID) throws -> IndexDocument {
        let folder = String(sample.folder(id).dropFirst("library/".count))
        let read = try ItemDocument.read(id, in: folder, sample.library.store, at: .now)
        return try #require(read).document
    }

    @Test func `a collection of 50,000 levels gives few bytes of exact terms`() throws {
        let sample = try SampleLibrary()
        let name = String(repeating: "a/", count: 50_000) + "z"
        let id = try sample.put(1, "Deep", tags: ["collection:" + name])
        let terms = try document(sample, id).exactTerms
        #expect(terms.count { $0.kind == .collection } == 32)
        #expect(terms.reduce(0) { $0 + $1.value.count } < 32 * 254)
        #expect(try sample.titles("collection:a/a/a") == ["Deep"])
        #expect(try sample.titles("collection:\(name)") == ["Deep"])
    }

    @Test func `tags beyond the limit are kept, shown and removed, and not searched`() throws {
        let sample = try SampleLibrary()
        let tags = (0..<10_050).map { "tag \($0)" }
        let id = try sample.put(1, "Many", tags: tags)
        let given = try document(sample, id)
        #expect(given.tags.count == 10_000)
        #expect(try sample.titles("tag:\"tag 9999\"") == ["Many"])
        #expect(try sample.titles("tag:\"tag 10000\"") == [])
        let stored = try #require(try sample.library.store.item(id))
        #expect(stored.item.tags == tags)
        var edit = ItemEdit(base: stored.json)
        edit.removeTag("TAG 10049")
        try sample.library.session.update(stored, edit)
        #expect(try sample.library.store.item(id)?.item.tags.count == 10_049)
    }

    @Test func `an item in the trash is found there even if its mark is after the limit`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "Many", tags: (0..<10_050).map { "tag \($0)" } + ["trashcan"])
        #expect(try sample.titles("many") == [])
        #expect(try sample.titles("is:trashed") == ["Many"])
    }
}
