import Items
import Testing
import Time

@testable import StuffBucket

struct TrashTests {
    private static let day: Int64 = 86_400

    @Test func `trashing sets both marks, restoring takes both away`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addSnippet("note", tags: ["kept"])
        let time = Timestamp.now
        #expect(try sample.library.trash(sample.stored(id), at: time))
        let trashed = try sample.stored(id)
        #expect(
            trashed.item.hasBothTrashMarks && trashed.item.tags == ["kept", "trashcan"]
                && trashed.item.trashedAt == time)
        #expect(try sample.library.items().isEmpty)
        #expect(try !sample.library.trash(sample.stored(id)))
        #expect(try sample.library.restore(sample.stored(id)))
        let restored = try sample.stored(id)
        #expect(!restored.item.isTrashed && restored.item.tags == ["kept"] && restored.item.trashedAt == nil)
        #expect(try !sample.library.restore(sample.stored(id)))
        #expect(try sample.library.items().map(\.id) == [id])
    }

    @Test func `trashing completes a single mark`() throws {
        let sample = try SampleLibrary()
        let tagged = try sample.put(1, "tag", tags: ["Trashcan"])
        let timed = try sample.put(2, "time", [("trashedAt", .string("2026-01-02"))])
        for id in [tagged, timed] {
            #expect(try sample.library.trash(sample.stored(id)))
            #expect(try sample.stored(id).item.hasBothTrashMarks)
        }
        #expect(try sample.stored(tagged).item.tags == ["Trashcan"])
        for id in [tagged, timed] {
            #expect(try sample.library.restore(sample.stored(id)))
            #expect(try !sample.stored(id).item.isTrashed)
        }
    }

    @Test func `an item trashed here is due when the library's days have passed`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addSnippet("note")
        let time = Timestamp.now
        _ = try sample.library.trash(sample.stored(id), at: time)
        #expect(try sample.library.due(sample.stored(id).item) == time.adding(seconds: 10 * Self.day))
        #expect(try sample.library.trashed().map(\.due) == [time.adding(seconds: 10 * Self.day)])
        try sample.set(.purgeDays, .integer(3))
        #expect(try sample.library.trashed().map(\.due) == [time.adding(seconds: 3 * Self.day)])
    }

    @Test func `an item trashed elsewhere is due only after this device has seen it`() throws {
        let sample = try SampleLibrary()
        let id = try sample.putTrashed(1, "elsewhere")
        let first = try sample.library.trashed()
        #expect(first.map(\.stored.id) == [id])
        #expect(first.map(\.due) == [nil])
        let seen = try SampleLibrary.time("2026-06-01T00:00:00Z")
        try TrashLog.note([id], at: seen, in: sample.library.store)
        #expect(try sample.library.trashed().map(\.due) == [seen.adding(seconds: 10 * Self.day)])
    }

    @Test func `the later of the first sight and the mark counts, and a mark in the future counts as now`() throws {
        let sample = try SampleLibrary()
        let marked = try SampleLibrary.time("2026-01-02T00:00:00Z")
        let id = try sample.putTrashed(1, "marked")
        try TrashLog.note([id], at: try SampleLibrary.time("2025-06-01T00:00:00Z"), in: sample.library.store)
        #expect(try sample.library.trashed().map(\.due) == [marked.adding(seconds: 10 * Self.day)])
        let future = try sample.put(2, "future", [("trashedAt", .string("2999-01-01T00:00:00Z"))], tags: ["trashcan"])
        try TrashLog.note([future], at: marked, in: sample.library.store)
        let due = try #require(try sample.library.due(sample.stored(future).item))
        #expect(due <= Timestamp.now.adding(seconds: 10 * Self.day))
        #expect(due > Timestamp.now.adding(seconds: 9 * Self.day))
    }

    @Test func `a second stay in the trash starts again`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addSnippet("note")
        let second = Timestamp.now
        _ = try sample.library.trash(sample.stored(id), at: second.adding(seconds: -20 * Self.day))
        _ = try sample.library.restore(sample.stored(id))
        #expect(try sample.library.trashed().isEmpty)
        _ = try sample.library.trash(sample.stored(id), at: second)
        #expect(try sample.library.trashed().map(\.due) == [second.adding(seconds: 10 * Self.day)])
    }

    @Test func `only items with both marks may be purged, oldest first`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "tag", tags: ["trashcan"])
        try sample.put(2, "time", [("trashedAt", .string("2026-01-02"))])
        try sample.put(3, "live")
        let late = try sample.putTrashed(4, "late", [("createdAt", .string("2025-02-01T00:00:00Z"))])
        let early = try sample.putTrashed(5, "early", [("createdAt", .string("2025-01-01T00:00:00Z"))])
        #expect(try sample.library.trashed().map(\.stored.id) == [early, late])
        let live = try sample.stored(SampleLibrary.id(3))
        #expect(throws: ItemError.self) { try sample.library.session.purge(live) }
    }

    @Test func `a purged item is gone and leaves a tombstone`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink("https://example.org/", title: "Gone")
        _ = try sample.library.trash(sample.stored(id))
        try sample.library.session.purge(sample.stored(id))
        #expect(try sample.library.trashed().isEmpty)
        #expect(try sample.titles("is:trashed").isEmpty)
        #expect(
            try sample.library.resolve(["Gone", "https://example.org/", id.description, id.short]).unknown.count == 4)
        #expect(sample.scratch.exists("library/" + Layout.tombstone(id)))
        #expect(!sample.scratch.exists(sample.folder(id)))
    }
}
