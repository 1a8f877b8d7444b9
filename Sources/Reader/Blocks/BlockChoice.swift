/// Which blocks of a page are its main text.
struct BlockChoice {
    /// The probability of each block.
    private(set) var probabilities: [Float]
    private(set) var isKept: [Bool]
    /// The kept blocks that are shown and are not part of the running text.
    private(set) var beside: Set<Int> = []

    /// Below so many expected words, a page has no main text.
    private static let leastWords: Float = 10

    /// Takes the blocks with the highest probabilities, as many as make the expected agreement with the main text the
    /// best: twice the expected words that are right, over the words taken and the words expected in all.
    ///
    init(_ blocks: [PageBlocks.Block], _ judged: [Float], _ caution: Caution) {
        probabilities = judged
        isKept = Array(repeating: false, count: blocks.count)
        let probabilities = caution.power == 1 ? judged : judged.map { Logistic.power($0, caution.power) }
        var expected: Float = 0
        for (block, probability) in zip(blocks, probabilities) { expected += probability * block.words }
        if expected < Self.leastWords { return }
        let order = blocks.indices.sorted {
            (probabilities[$1], $0) < (probabilities[$0], $1)
        }
        var right: Float = 0
        var taken: Float = 0
        var best: (value: Float, count: Int) = (0, 0)
        for (place, index) in order.enumerated() {
            right += probabilities[index] * blocks[index].words
            taken += blocks[index].words
            let value = 2 * right / max(1, taken + expected)
            if value > best.value { best = (value, place + 1) }
        }
        for index in order.prefix(best.count) { isKept[index] = true }
    }

    /// Keeps other blocks.
    mutating func keep(_ kept: [Bool]) {
        isKept = kept
        beside = []
    }

    /// Keeps notes too.
    mutating func keepNotes(_ notes: NoteTargets) {
        for block in notes.blocks { isKept[block] = true }
        if notes.areBeside { beside = Set(notes.blocks) }
    }
}
