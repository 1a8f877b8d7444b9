extension PostingList {
    /// Above any x; small enough to be added up.
    private static let anyValue: Float = 1e30

    /// Adds, for each block of `lead`, the weighted bound of this list among the documents from behind the block before up
    /// to the block's last one; 0 if it has none there.
    func addBounds(over lead: PostingList, _ weight: Float, to out: UnsafeMutablePointer<Float>) {
        forEachBound(over: lead) { block, bound in out[block] += bound * weight }
    }

    /// As `addBounds`, but lowers each number to the bound.
    func lower(_ out: UnsafeMutablePointer<Float>, over lead: PostingList) {
        forEachBound(over: lead) { block, bound in out[block] = min(out[block], bound) }
    }

    @inline(__always)
    private func forEachBound(over lead: PostingList, _ body: (Int, Float) -> Void) {
        let (fullBlocks, blockCount) = (fullBlocks, blockCount)
        var number = 0
        for block in 0..<lead.blockCount {
            // Short lists have no bounds.
            if fullBlocks == 0 {
                body(block, Self.anyValue)
                continue
            }
            let last = block < lead.fullBlocks ? lead.lastDocument(block) : .max
            number = self.block(holding: lead.base(block) &+ 1, from: number)
            var largest: Float = 0
            while number < blockCount {
                largest = max(largest, bound(number))
                if number >= fullBlocks || lastDocument(number) >= last { break }
                number += 1
            }
            body(block, largest)
        }
    }
}
