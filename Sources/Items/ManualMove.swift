/// The fewest items that need a new rank so that some others fit between them.
public struct ManualMove: Equatable, Sendable {
    /// Numbers, in the order, of the items before and after the gap that need a new rank too.
    public let renumbered: Range<Int>
    /// Ranks for `renumbered.lowerBound..<gap`, then the moved items, then `gap..<renumbered.upperBound`.
    public let ranks: [Double]

    /// The free numbers kept between neighbours with new ranks: enough for ten more halvings.
    private static let room: Double = 1024

    /// - Parameters:
    ///   - movedCount: the number of items that go into the gap.
    ///   - gap: the number of the item that will follow them; `count` for the end.
    ///   - count: the number of items in the order, without the moved ones.
    ///   - place: an item's place; it rises with the item's number, but neighbours may have equal places.
    /// - Throws: The error of `place`.
    public init<Failure: Error>(
        _ movedCount: Int, before gap: Int, of count: Int, place: (Int) throws(Failure) -> Double
    ) throws(Failure) {
        func edgesOf(_ low: Int, _ high: Int) throws(Failure) -> (lower: Double?, upper: Double?) {
            (low > 0 ? try place(low - 1) : nil, high < count ? try place(high) : nil)
        }
        func fits(_ low: Int, _ high: Int) throws(Failure) -> Bool {
            let edges = try edgesOf(low, high)
            return ManualRank.fits(movedCount + high - low, between: edges.lower, and: edges.upper, room: Self.room)
        }
        let edges = try edgesOf(gap, gap)
        if let ranks = ManualRank.ranks(movedCount, between: edges.lower, and: edges.upper) {
            renumbered = gap..<gap
            self.ranks = ranks
            return
        }
        // For each start, finds the nearest end that makes enough room. A start further out allows a nearer end, so
        // both run through the order once.
        var high = gap
        while high < count, try !fits(gap, high) { high += 1 }
        var low = gap
        var best = (low: low, high: high)
        // A start further out than the best range so far cannot be better.
        while low > 0, gap - low + 1 < best.high - best.low {
            low -= 1
            if try !fits(low, high) { continue }
            while high > gap, try fits(low, high - 1) { high -= 1 }
            if high - low < best.high - best.low { best = (low, high) }
        }
        let outer = try edgesOf(best.low, best.high)
        if let ranks = ManualRank.ranks(movedCount + best.high - best.low, between: outer.lower, and: outer.upper) {
            renumbered = best.low..<best.high
            self.ranks = ranks
        } else {
            renumbered = 0..<count
            ranks = (1...(count + movedCount)).map(Double.init)
        }
    }
}
