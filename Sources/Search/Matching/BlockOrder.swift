/// Sorts blocks of a list, or ranges of documents, by bound, highest first.
enum BlockOrder {
    /// Writes the numbers of all blocks of a list, and returns their number.
    static func fill(_ order: UnsafeMutableBufferPointer<Int32>, _ list: PostingList) -> Int {
        fill(order, list.blockCount) { list.bound($0) }
        return list.blockCount
    }

    /// Writes the numbers below `count`, sorted by bound to about one part in 64.
    ///
    /// One pass counts bounds by their upper bits, a second one places the blocks: linear in the number of blocks.
    @inline(__always)
    static func fill(_ order: UnsafeMutableBufferPointer<Int32>, _ count: Int, _ bound: (Int) -> Float) {
        // Bounds are not negative, so their bit patterns have the same order.
        func bucket(_ block: Int) -> Int { Int(bound(block).bitPattern >> 17) }
        var low = Int.max
        var high = 0
        for block in 0..<count {
            let bits = bucket(block)
            low = min(low, bits)
            high = max(high, bits)
        }
        let buckets = high - low + 1
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: buckets + 1) { starts in
            starts.initialize(repeating: 0)
            for block in 0..<count { starts[high - bucket(block) + 1] += 1 }
            for bucket in 1...buckets { starts[bucket] += starts[bucket - 1] }
            for block in 0..<count {
                let bucket = high - bucket(block)
                order[Int(starts[bucket])] = Int32(truncatingIfNeeded: block)
                starts[bucket] += 1
            }
        }
    }
}
