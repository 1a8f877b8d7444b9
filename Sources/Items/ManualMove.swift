/// Which items need a rank so that some others stand between them: as few as possible.
public struct ManualMove: Equatable, Sendable {
    /// Items before and behind the gap that get a new rank too, by their number in the order.
    public let renumbered: Range<Int>
    /// Ranks for `renumbered.lowerBound..<gap`, then the moved items, then `gap..<renumbered.upperBound`.
    public let ranks: [Double]

    /// So many numbers stay free between neighbours that are given new ranks: ten more halvings.
    private static let room: Double = 1024

    /// - Parameters:
    ///   - movedCount: the number of items to put into the gap.
    ///   - gap: the number of the item that will follow them; `count` for the end.
    ///   - count: items in the order, without the moved ones.
    ///   - place: an item's place, rising with its number, though neighbours may have the same.
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
        // For each beginning the nearest end that makes enough room. The further out the one, the nearer may be the other,
        // so both run through the order once.
        var high = gap
        while high < count, try !fits(gap, high) { high += 1 }
        var low = gap
        var best = (low: low, high: high)
        // Further out than what is written in all, nothing is won.
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
