/// Blocks with the same words. Some pages hold their text twice: once for scripts and once for readers.
struct BlockCopies {
    /// The number of blocks with the words of each block, itself included.
    private(set) var all: [Float] = []
    /// The number of them before each block. Zero for a short block, whose words may come back by chance.
    private(set) var earlier: [Float] = []
    /// The words of blocks that have an earlier copy.
    private(set) var repeatedWords: Float = 0

    /// Shorter blocks may be equal by chance.
    private static let leastWords: Float = 8

    init(_ blocks: PageBlocks) {
        var counts: [UInt64: Float] = [:]
        earlier.reserveCapacity(blocks.blocks.count)
        for block in blocks.blocks {
            let count = counts[block.hash] ?? 0
            counts[block.hash] = count + 1
            let isLong = block.words >= Self.leastWords
            earlier.append(isLong ? count : 0)
            if isLong, count > 0 { repeatedWords += block.words }
        }
        all = blocks.blocks.map { counts[$0.hash] ?? 1 }
    }
}
