import Testing

@testable import Items
@testable import Time

/// The time by which an item is sorted: a write of sbfs, or a later change by another program.
struct EffectiveTimeTests {
    static let now = time(1_000_000)

    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    struct Case: CustomStringConvertible {
        let description: String
        let updated: Int64?
        let modified: [Int64]
        var adopted: Int64?
        let expected: Int64
    }

    @Test(arguments: [
        Case(description: "as sbfs left it", updated: 500, modified: [500], expected: 500),
        Case(description: "written within two seconds", updated: 500, modified: [502, 499], expected: 500),
        Case(description: "edited since", updated: 500, modified: [503], expected: 503),
        Case(description: "text edited since", updated: 500, modified: [500, 900, 700], expected: 900),
        Case(description: "older file, as after a restore", updated: 500, modified: [100], expected: 500),
        Case(description: "no updatedAt", updated: nil, modified: [300, 200], expected: 300),
        Case(description: "copied here", updated: 500, modified: [800], adopted: 900, expected: 500),
        Case(
            description: "copied at the moment of adoption", updated: 500, modified: [900], adopted: 900, expected: 500),
        Case(
            description: "edited after it was copied here", updated: 500, modified: [901], adopted: 900, expected: 901),
        Case(description: "no updatedAt, copied here", updated: nil, modified: [800], adopted: 900, expected: 800),
        Case(description: "file from the future", updated: 500, modified: [2_000_000], expected: 1_000_000),
        Case(description: "updatedAt from the future", updated: 2_000_000, modified: [500], expected: 1_000_000),
        Case(description: "updatedAt less than a day ahead", updated: 1_080_000, modified: [500], expected: 1_080_000),
        Case(description: "no files", updated: nil, modified: [], expected: 1_000_000),
    ])
    func `the effective time is updatedAt, or the latest change by another program`(_ item: Case) {
        let effective = StoredItem.effectiveTime(
            updatedAt: item.updated.map(Self.time), times: item.modified.map(Self.time),
            adoptedAt: item.adopted.map(Self.time), now: Self.now)
        #expect(effective == Self.time(item.expected))
    }

    @Test func `a time more than a day ahead is now`() {
        #expect(StoredItem.bounded(Self.time(1_086_400), now: Self.now) == Self.time(1_086_400))
        #expect(StoredItem.bounded(Self.time(1_086_401), now: Self.now) == Self.now)
        #expect(StoredItem.bounded(Self.time(-5), now: Self.now) == Self.time(-5))
    }
}
