/// Decides which segments to merge after one is added, so that few remain and each document is copied only a few
/// times. Sizes fall into levels; as many segments of one level as the fanout says become one.
struct MergePolicy {
    /// The number of smallest segments that become one, and the largest document count of such a segment.
    let smallest: Int
    /// The number of segments of about the same size that become one; each level has this many times the documents of
    /// the one below.
    let fanout: Int

    /// For segments in separate files.
    static let files = MergePolicy(smallest: 4, fanout: 4)
    /// For the log. Its segments are small, and each query reads all of them. Most commits are one document and merge
    /// nothing.
    static let log = MergePolicy(smallest: 4, fanout: 2)

    /// - Parameter sizes: the document counts of the segments in order, the new one last.
    /// - Returns: how many of the last segments, including the new one, to merge; 1 for no merge.
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
