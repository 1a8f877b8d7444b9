/// Which segments are merged when one more is there: such that few are left, and each document is copied but a few
/// times. Sizes fall in steps of `fanout`; that many of about the same size become one.
enum MergePolicy {
    static let fanout = 4
    /// In the log, whose segments are small and are all asked by each query.
    static let logFanout = 2

    /// - Parameters:
    ///   - sizes: documents of each segment in their order, the new one last.
    ///   - fanout: how many of about the same size become one.
    /// - Returns: how many of the last ones, the new one among them, are to become one; 1 for none.
    static func mergeCount(_ sizes: [Int], fanout: Int = fanout) -> Int {
        guard var merged = sizes.last else { return 0 }
        var count = 1
        while true {
            // Only neighbours are merged, so that documents stay in the order of their changes.
            let run = sizes.dropLast(count).reversed().prefix { level($0, fanout) <= level(merged, fanout) }
            if run.count + 1 < fanout { return count }
            count += run.count
            merged += run.reduce(0, +)
        }
    }

    private static func level(_ size: Int, _ fanout: Int) -> Int {
        var level = 0
        var rest = max(1, size)
        while rest >= fanout {
            rest /= fanout
            level += 1
        }
        return level
    }
}
