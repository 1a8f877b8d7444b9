import TestSupport
import Testing

@testable import Items
@testable import Time

/// Ranks for moved items, and the number of other items that get one.
struct ManualMoveTests {
    @Test func `a place is the rank, else the second of the making`() {
        let time = Timestamp(milliseconds: 1_793_527_200_250)
        #expect(ManualRank.place(1.5, createdAt: time) == 1.5)
        #expect(ManualRank.place(nil, createdAt: time) == 1_793_527_200.25)
        #expect(ManualRank.place(.infinity, createdAt: time) == 1_793_527_200.25)
    }

    @Test(
        arguments: [
            (1, nil, nil, [1]), (3, nil, nil, [1, 2, 3]), (1, nil, 5, [4]), (2, nil, 5.5, [3, 4]),
            (2, 5.5, nil, [6, 7]),
            (1, 1, 2, [1.5]), (1, 1, 3, [2]), (3, 0, 1, [0.25, 0.5, 0.75]),
            (1, 1_793_520_000, 1_793_527_200, [1_793_523_712]),
        ] as [(Int, Double?, Double?, [Double])])
    func `ranks are between their neighbours and short`(
        _ count: Int, lower: Double?, upper: Double?, ranks: [Double]
    ) {
        #expect(ManualRank.ranks(count, between: lower, and: upper) == ranks)
    }

    @Test func `if no number is left, there are no ranks`() {
        #expect(ManualRank.ranks(1, between: 1, and: 1) == nil)
        #expect(ManualRank.ranks(1, between: 1, and: Double(1).nextUp) == nil)
        #expect(ManualRank.ranks(1, between: 2, and: 1) == nil)
        #expect(ManualRank.ranks(1, between: nil, and: -.greatestFiniteMagnitude) == nil)
    }

    @Test func `ranks are written as numbers of JSON`() {
        #expect(ManualRank.text(3) == "3")
        #expect(ManualRank.text(-1.5) == "-1.5")
        #expect(ManualRank.text(1e300) == "1e+300")
    }

    private static func move(_ count: Int, before gap: Int, in places: [Double]) -> ManualMove {
        ManualMove(count, before: gap, of: places.count) { places[$0] }
    }

    @Test func `one item between two is one item written, fifty times in the same gap`() {
        var places: [Double] = [1, 1_793_520_000, 1_793_527_200]
        var written = 0
        for _ in 0..<50 {
            let move = Self.move(1, before: 2, in: places)
            written += move.renumbered.count
            places.replaceSubrange(move.renumbered, with: move.ranks)
            #expect(places == places.sorted() && Set(places).count == places.count)
        }
        // Thirty-one halvings fit between two hours of seconds.
        #expect(written <= 6)
    }

    @Test func `among items of one place as few as possible are renumbered`() {
        let places = [0.0] + Array(repeating: 5.0, count: 100) + [9.0]
        // Seven of the hundred are before the gap.
        let early = Self.move(1, before: 8, in: places)
        #expect(early.renumbered == 1..<8)
        #expect(early.ranks.count == 8)
        #expect(early.ranks.allSatisfy { $0 > 0 && $0 < 5 })
        let late = Self.move(2, before: 98, in: places)
        #expect(late.renumbered == 98..<101)
        #expect(late.ranks.allSatisfy { $0 > 5 && $0 < 9 })
    }

    @Test(arguments: 0..<200)
    func `items are where they were put, with any places`(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let pool: [Double] = [
            0, 1, 1.5, 2, -3, 1e-300, 1e300, 1_793_520_000, 1_793_520_000.25, Double(1).nextUp, -1e15,
        ]
        let places = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            pool[Int.random(in: 0..<pool.count, using: &generator)]
        }.sorted()
        let gap = Int.random(in: 0...places.count, using: &generator)
        let count = Int.random(in: 1...20, using: &generator)
        let move = Self.move(count, before: gap, in: places)
        #expect(move.renumbered.lowerBound <= gap && move.renumbered.upperBound >= gap)
        #expect(move.ranks.count == move.renumbered.count + count)
        var after = places
        after.replaceSubrange(move.renumbered, with: move.ranks)
        #expect(after == after.sorted())
        for (a, b) in zip(move.ranks, move.ranks.dropFirst()) { #expect(a < b) }
        if move.renumbered.lowerBound > 0 { #expect(places[move.renumbered.lowerBound - 1] < move.ranks[0]) }
        if move.renumbered.upperBound < places.count {
            #expect(places[move.renumbered.upperBound] > move.ranks[move.ranks.count - 1])
        }
    }
}
