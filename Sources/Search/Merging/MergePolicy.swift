/// Which segments are merged when one more is there: such that few are left, and each document is copied but a few
/// times. Sizes fall in levels; that many of one level as its fanout says become one.
struct MergePolicy {
    /// How many of the smallest segments become one, and up to how many documents a segment is one of the smallest.
    let smallest: Int
    /// How many of about the same size become one; each level has this many times the documents of the one below.
    let fanout: Int

    /// Segments in files of their own.
    static let files = MergePolicy(smallest: 4, fanout: 4)
    /// In the log, whose segments are small and are all asked by each query; most commits are one document, and merge
    /// nothing.
    static let log = MergePolicy(smallest: 4, fanout: 2)

    /// - Parameter sizes: documents of each segment in their order, the new one last.
    /// - Returns: how many of the last segments, including the new one, to merge into one; 1 for no merge.
    func mergeCount(_ sizes: [Int]) -> Int {
        guard var merged = sizes.last else { return 0 }
        var count = 1
        while true {
            let level = level(merged)
            // Only neighbours are merged, so that documents stay in the order of their changes.
            let run = sizes.dropLast(count).reversed().prefix { self.level($0) <= level }
            if run.count + 1 < (level == 0 ? smallest : fanout) { return count }
            count += run.count
            merged += run.reduce(0, +)
        }
    }

    private func level(_ size: Int) -> Int {
        var level = 0
        var rest = size / smallest
        while rest > 0 {
            rest /= fanout
            level += 1
        }
        return level
    }
}
