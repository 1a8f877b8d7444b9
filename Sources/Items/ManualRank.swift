public import Time

/// Places in the manual order: FORMAT.md § 5.10.
public enum ManualRank: Sendable {
    /// An item's place: its rank, or, without one, the seconds from 1970 to its creation.
    public static func place(_ sortOrder: Double?, createdAt: Timestamp) -> Double {
        if let sortOrder, sortOrder.isFinite { return sortOrder }
        return Double(createdAt.milliseconds) / 1000
    }

    /// Rising ranks for items between two others, written as short as the gap allows.
    ///
    /// - Parameters:
    ///   - lower: the place of the item before them; `nil` if there is none.
    ///   - upper: the place of the item after them; `nil` if there is none.
    /// - Returns: `nil` if the gap is too narrow.
    package static func ranks(_ count: Int, between lower: Double?, and upper: Double?) -> [Double]? {
        if count == 0 { return [] }
        switch (lower, upper) {
        case (nil, nil): return (1...count).map(Double.init)
        case (nil, let upper?):
            let step = max(1, upper.ulp * 1024)
            let first = upper.rounded(.down) - step * Double(count)
            return rising((0..<count).map { first + step * Double($0) }, lower, upper)
        case (let lower?, nil):
            let step = max(1, lower.ulp * 1024)
            let first = lower.rounded(.down) + step
            return rising((0..<count).map { first + step * Double($0) }, lower, upper)
        case (let lower?, let upper?):
            if !fits(count, between: lower, and: upper, room: 1) { return nil }
            let step = Self.step(count, lower, upper)
            // Rounds to a quarter of the step, by a power of two, so that the numbers are short.
            let grid = Double(sign: .plus, exponent: step.exponent - 2, significand: 1)
            return rising(
                (1...count).map { ((lower + step * Double($0)) / grid).rounded() * grid }, lower, upper)
        }
    }

    /// Whether ranks fit between two places, with at least this many free numbers between any two of them.
    static func fits(_ count: Int, between lower: Double?, and upper: Double?, room: Double) -> Bool {
        guard let lower, let upper else { return true }
        return step(count, lower, upper) >= max(lower.ulp, upper.ulp, smallestStep) * (room + 1)
    }

    /// Far above the numbers that lose digits, and far below every gap that occurs in use.
    private static let smallestStep = 0x1p-900

    private static func step(_ count: Int, _ lower: Double, _ upper: Double) -> Double {
        upper / Double(count + 1) - lower / Double(count + 1)
    }

    private static func rising(_ ranks: [Double], _ lower: Double?, _ upper: Double?) -> [Double]? {
        var last = lower ?? -.infinity
        for rank in ranks {
            guard rank.isFinite, rank > last else { return nil }
            last = rank
        }
        return last < upper ?? .infinity ? ranks : nil
    }

    /// A rank as written into item.json.
    public static func text(_ rank: Double) -> String { Int(exactly: rank).map(String.init) ?? "\(rank)" }
}
