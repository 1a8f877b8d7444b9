import Items
import JSONFormat
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// Purging what is due in the trash, without a person.
struct ExpiredTrashTests {
    private static let day: Int64 = 86_400
    private let sample: SampleLibrary
    private var library: Library { sample.library }
    private let now = Timestamp.now

    /// A library with many items, so that a few are not 5 % of it.
    init() throws {
        sample = try SampleLibrary()
        for number in 1000..<1500 { try sample.put(UInt16(number), "live \(number)") }
    }

    /// Items that this device has seen in the trash since these days.
    @discardableResult
    private func trash(_ numbers: ClosedRange<Int>, days: Int64 = 11) throws -> [ItemID] {
        let ids = try numbers.map { try sample.putTrashed(UInt16($0), "trashed \($0)") }
        try TrashLog.note(ids, at: now.adding(seconds: -days * Self.day), in: library.store)
        return ids
    }

    private func run(at time: Timestamp? = nil) throws -> ExpiredPurge {
        try library.purgeExpired(at: time ?? now, command: "sbfs watch: purge")
    }

    private func purged(at time: Timestamp? = nil) throws -> [ItemID]? {
        if case .purged(let ids, let failures) = try run(at: time), failures.isEmpty { ids.sorted() } else { nil }
    }

    private func exists(_ id: ItemID) -> Bool { sample.scratch.exists(sample.folder(id)) }
    private func hasTombstone(_ id: ItemID) -> Bool { sample.scratch.exists("library/" + Layout.tombstone(id)) }

    @Test func `due items are purged with tombstones, as a background step`() throws {
        let due = try trash(1...3)
        let young = try trash(4...4, days: 9)
        #expect(try purged() == due)
        for id in due { #expect(!exists(id) && hasTombstone(id)) }
        #expect(exists(young[0]) && !hasTombstone(young[0]))
        let history = try #require(try library.history())
        #expect(history.steps.map(\.header.isBackground) == [true])
        #expect(history.undoable.isEmpty)
        #expect(try library.check(.data).run().errorCount == 0)
    }

    @Test func `nothing due purges nothing and leaves no step`() throws {
        try trash(1...3, days: 9)
        #expect(try purged() == [])
        #expect(try library.history() == nil)
    }

    @Test func `only items with both marks that this device saw trashed for all the days`() throws {
        let tagged = try sample.put(1, "tag", tags: ["trashcan"])
        let timed = try sample.put(2, "time", [("trashedAt", .string("2026-01-02"))])
        let unseen = try sample.putTrashed(3, "trashed elsewhere long ago")
        try TrashLog.note([tagged, timed], at: now.adding(seconds: -400 * Self.day), in: library.store)
        #expect(try purged() == [])
        #expect([tagged, timed, unseen].allSatisfy(exists))
        // The days of the one that was not seen before have begun.
        #expect(try library.expiredTrash(at: now.adding(seconds: 9 * Self.day)).due.isEmpty)
        let later = try library.expiredTrash(at: now.adding(seconds: 10 * Self.day))
        // A jump of ten days is in doubt, so nothing is due yet.
        #expect(later.doubt != nil && later.due.isEmpty)
    }

    @Test func `the library's days count`() throws {
        let ids = try trash(1...1, days: 4)
        #expect(try purged() == [])
        try sample.set(.purgeDays, .integer(3))
        #expect(try purged() == ids)
    }

    @Test func `an item that was purged elsewhere waits for this device's days as well`() throws {
        let seen = try trash(1...1)
        let unseen = try sample.putTrashed(2, "purged elsewhere")
        for id in seen + [unseen] {
            try sample.scratch.write(
                "library/" + Layout.tombstone(id), #"{"id": "\#(id)", "purgedAt": "\#(now.rfc3339)"}"#)
        }
        #expect(try purged() == seen)
        #expect(exists(unseen))
    }

    @Test(
        arguments: [
            ("conflicts/20261121T101500Z-ca3d163b.item.json", ExpiredTrash.Obstacle.conflict),
            ("item.sync-conflict-20261121-101500-ABCDEFG.json", .conflict),
            ("document/report (Ada's conflicted copy 2026-11-21).pdf", .conflict), ("history/0123.json", .versions),
        ])
    func `an item with versions that nobody has looked at stays`(
        _ file: String, _ obstacle: ExpiredTrash.Obstacle
    ) throws {
        let ids = try trash(1...2)
        try sample.scratch.write(sample.folder(ids[0]) + "/" + file, "{}")
        let look = try library.expiredTrash(at: now)
        #expect(look.kept.map(\.id) == [ids[0]] && look.kept.map(\.obstacle) == [obstacle])
        #expect(try purged() == [ids[1]])
        #expect(exists(ids[0]))
    }

    @Test func `20 items are purged, 21 wait for consent`() throws {
        let ids = try trash(1...21)
        guard case .waitsForConsent(count: 21, itemCount: 521) = try run() else {
            Issue.record("not asked")
            return
        }
        #expect(try library.waiting(at: now) == [.purging(count: 21, itemCount: 521)])
        #expect(ids.allSatisfy(exists))
        _ = try library.restore(sample.stored(ids[20]))
        #expect(try library.waiting(at: now) == [])
        #expect(try purged()?.count == 20)
    }

    @Test func `more than a twentieth of a small library waits for consent`() throws {
        let small = try SampleLibrary()
        for number in 1...39 { try small.put(UInt16(number), "live") }
        let ids = try (101...102).map { try small.putTrashed(UInt16($0), "trashed") }
        try TrashLog.note(ids, at: now.adding(seconds: -11 * Self.day), in: small.library.store)
        // 2 of 41 are fewer than 5 %; 3 of 42 are more.
        #expect(try !small.library.expiredTrash(at: now).waitsForConsent)
        let third = try small.putTrashed(103, "trashed")
        try TrashLog.note([third], at: now.adding(seconds: -11 * Self.day), in: small.library.store)
        guard case .waitsForConsent(count: 3, itemCount: 42) = try small.library.purgeExpired(at: now, command: "x")
        else {
            Issue.record("not asked")
            return
        }
    }

    @Test func `no second batch on the same day`() throws {
        let first = try trash(1...20)
        #expect(try purged() == first)
        let second = try trash(21...40)
        let hour: Int64 = 3600
        guard case .notBefore(let time) = try run(at: now.adding(seconds: 23 * hour)) else {
            Issue.record("purged")
            return
        }
        #expect(time == now.adding(seconds: Self.day))
        #expect(second.allSatisfy(exists))
        #expect(try purged(at: now.adding(seconds: Self.day)) == second)
    }

    @Test func `a clock in 2099 purges nothing, and starts no days`() throws {
        let ids = try trash(1...2, days: 1)
        let fresh = try sample.putTrashed(3, "fresh")
        #expect(try purged() == [])
        let far = try SampleLibrary.time("2099-06-01T00:00:00Z")
        guard case .clockInDoubt(let doubt) = try run(at: far) else {
            Issue.record("purged")
            return
        }
        #expect(doubt.now == far)
        #expect((ids + [fresh]).allSatisfy(exists))
        // With the right time again, everything is as before.
        #expect(try purged(at: now.adding(seconds: 60)) == [])
        let due = library.due(try sample.stored(ids[0]).item)
        #expect(due == now.adding(seconds: 9 * Self.day))
    }

    @Test func `an item that changes after the look stays`() throws {
        let ids = try trash(1...1)
        let entry = try #require(try library.expiredTrash(at: now).due.first)
        try sample.scratch.write(sample.folder(ids[0]) + "/text.md", "saved meanwhile")
        #expect(throws: ItemError.self) {
            try library.inBackground("x") { try $0.purge(entry.stored, seen: entry.tree) }
        }
        #expect(exists(ids[0]) && !hasTombstone(ids[0]))
    }

    @Test func `two devices: the second purges only what it saw in the trash itself`() throws {
        let other = try SampleLibrary()
        for number in 1000..<1100 { try other.put(UInt16(number), "live") }
        let ids = try trash(1...1)
        let there = try other.putTrashed(1, "trashed 1")
        #expect(try purged() == ids)
        // The tombstone arrives there.
        try other.scratch.write(
            "library/" + Layout.tombstone(there), try sample.scratch.bytes("library/" + Layout.tombstone(ids[0])))
        guard case .purged(let none, _) = try other.library.purgeExpired(at: now, command: "x") else {
            Issue.record("not run")
            return
        }
        #expect(none == [] && other.scratch.exists(other.folder(there)))
    }

    @Test func `a cancelled run keeps what is left whole`() throws {
        let ids = try trash(1...5)
        let monitor = Monitor()
        monitor.cancel()
        #expect(throws: ItemError.self) { try library.purgeExpired(at: now, command: "x", monitor) }
        #expect(ids.allSatisfy(exists))
    }
}
