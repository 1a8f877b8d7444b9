/// The blocks of a list, those with the highest bounds first.
enum BlockOrder {
    /// Writes the numbers of all blocks, ordered by bound to about one part in 64, and returns how many there are.
    ///
    /// One pass counts bounds by their upper bits, a second one puts blocks into place: linear in the number of blocks.
    static func fill(_ order: UnsafeMutableBufferPointer<Int32>, _ list: PostingList) -> Int {
        let count = list.blockCount
        var low = Int.max
        var high = 0
        for block in 0..<count {
            let bits = bucket(list, block)
            low = min(low, bits)
            high = max(high, bits)
        }
        let buckets = high - low + 1
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: buckets + 1) { starts in
            starts.initialize(repeating: 0)
            for block in 0..<count { starts[high - bucket(list, block) + 1] += 1 }
            for bucket in 1...buckets { starts[bucket] += starts[bucket - 1] }
            for block in 0..<count {
                let bucket = high - bucket(list, block)
                order[Int(starts[bucket])] = Int32(truncatingIfNeeded: block)
                starts[bucket] += 1
            }
        }
        return count
    }

    /// Bounds are positive, so their bits rise with them.
    @inline(__always)
    private static func bucket(_ list: PostingList, _ block: Int) -> Int {
        Int(list.bound(block).bitPattern >> 17)
    }
}
