import Items
import JSONFormat
import Testing

@testable import StuffBucket

struct ListOrderTests {
    private static func times(_ created: String, _ updated: String) -> [(String, JSON)] {
        [("createdAt", .string(created + "T00:00:00Z")), ("updatedAt", .string(updated + "T00:00:00Z"))]
    }

    /// `bravo` was edited by hand on 2026-06-01, five months after its `updatedAt`.
    private static func library() throws -> SampleLibrary {
        let sample = try SampleLibrary()
        try sample.reopenAsOld()
        try sample.put(1, "alpha", times("2025-03-01", "2026-01-04"))
        try sample.put(2, "Bravo", times("2025-01-01", "2026-01-01"), modified: 1_780_272_000)
        try sample.put(
            3, "çharlie", times("2025-05-01", "2026-01-02") + [("isPinned", .bool(true)), ("sortOrder", .number("2"))])
        try sample.put(4, "Delta", times("2025-02-01", "2026-01-05") + [("sortOrder", .number("-1.5"))])
        try sample.put(5, "écho", times("2025-04-01", "2026-01-03") + [("isPinned", .bool(true))])
        return sample
    }

    @Test(
        arguments: [
            (.overview, ["écho", "çharlie", "Bravo", "Delta", "alpha"]),
            (.recent, ["Bravo", "Delta", "alpha", "écho", "çharlie"]),
            (.newest, ["çharlie", "écho", "alpha", "Delta", "Bravo"]),
            (.oldest, ["Bravo", "Delta", "alpha", "écho", "çharlie"]),
            (.title, ["alpha", "Bravo", "çharlie", "Delta", "écho"]),
            (.manual, ["Delta", "çharlie", "Bravo", "alpha", "écho"]),
        ] as [(ItemRequest.Order, [String])])
    func `items are in the requested order`(_ order: ItemRequest.Order, titles: [String]) throws {
        let sample = try Self.library()
        #expect(try sample.titles(ItemRequest(order: order)) == titles)
        #expect(try sample.titles(ItemRequest(order: order, .reversed)) == titles.reversed())
    }

    @Test(arguments: ItemRequest.Order.ofLists)
    func `a limit cuts the list, not the count`(_ order: ItemRequest.Order) throws {
        let sample = try Self.library()
        let all = try sample.titles(ItemRequest(order: order))
        for limit in 0...6 {
            let listing = try sample.library.find(ItemRequest(order: order, limit: limit))
            #expect(try sample.titles(listing.rows) == Array(all.prefix(limit)))
            #expect(listing.count == 5)
            #expect(listing.faults == [])
        }
        let last = try sample.titles(ItemRequest(order: order, .reversed, limit: 2))
        #expect(last == Array(all.reversed().prefix(2)))
    }

    @Test func `equal items are in the order of their ids`() throws {
        let sample = try SampleLibrary()
        for number in [0x1FF, 0x100, 0x2FF, 0x003] as [UInt16] {
            try sample.put(number, "same", Self.times("2025-01-01", "2025-01-01"))
        }
        for order in ItemRequest.Order.ofLists {
            let ids = try sample.library.find(ItemRequest(order: order)).rows.map(\.id)
            #expect(ids == [0x003, 0x100, 0x1FF, 0x2FF].compactMap { try? SampleLibrary.id($0) })
        }
    }

    @Test func `in the manual order, an item without a rank is at its second of creation`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "second", Self.times("2025-01-02", "2026-01-01"))
        try sample.put(2, "first", Self.times("2025-01-01", "2026-01-02"))
        try sample.put(3, "between", Self.times("2024-01-01", "2026-01-03") + [("sortOrder", .number("1735700000.5"))])
        try sample.put(4, "counted", Self.times("2026-01-01", "2026-01-04") + [("sortOrder", .number("1"))])
        try sample.put(5, "endless", Self.times("2025-01-03", "2026-01-05") + [("sortOrder", .number("1e999"))])
        let wanted = ["counted", "first", "between", "second", "endless"]
        #expect(try sample.titles(ItemRequest(order: .manual)) == wanted)
        let scanned = try ItemScan(sample.library.store).find(ItemRequest(order: .manual))
        #expect(try sample.titles(scanned.rows) == wanted)
        for limit in [nil, 3, 5] {
            let found = try sample.library.find(ItemRequest(order: .manual, limit: limit))
            #expect(try sample.titles(found.rows) == Array(wanted.prefix(limit ?? 5)))
        }
    }

    @Test func `a time far in the future counts as now`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "present", modified: 0)
        try sample.put(2, "future", Self.times("2999-01-01", "2999-01-01"))
        #expect(try sample.titles(ItemRequest(order: .newest)) == ["future", "present"])
        let stored = try sample.stored(SampleLibrary.id(2))
        #expect(stored.createdAt <= .now && stored.effectiveUpdatedAt <= .now)
    }

    @Test func `an item without times has those of its id and its file`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "by hand", modified: 1_000_000_000)
        let stored = try sample.stored(SampleLibrary.id(1))
        #expect(stored.createdAt.rfc3339 == "2026-11-02T09:00:00.000Z")
        #expect(stored.effectiveUpdatedAt.milliseconds == 1_000_000_000_000)
    }

    @Test func `titles are sorted as they are shown`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, nil, text: "\n# Beta\n")
        try sample.put(2, "gamma")
        try sample.put(3, nil, [("linkTitle", .string("Alpha"))])
        try sample.put(4, nil)
        #expect(try sample.titles(ItemRequest(order: .title)) == ["Alpha", "Beta", "gamma", "Untitled"])
    }
}
