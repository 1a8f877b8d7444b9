internal import HTML

/// Short blocks that the model is unsure of, among blocks that it keeps: the head of a table's column, a line of code.
///
/// A few words more or less change little for the model. For a person, a table without its heads is not the page's.
enum BlockGaps {
    /// Gaps of more words stay as the model decides.
    private static let mostWords: Float = 10
    /// Below this probability, a block is not kept.
    private static let least: Float = 0.2

    /// Which blocks are kept besides those of the model: gaps of a few words between kept blocks, and code after a kept
    /// block, if the rules keep them too.
    static func closed(_ features: BlockFeatures, _ choice: BlockChoice) -> [Bool] {
        let blocks = features.blocks.blocks
        var isKept = choice.isKept
        func isDoubtful(_ index: Int) -> Bool {
            choice.probabilities[index] >= least && features.rules.isKept[Int(blocks[index].first)]
        }
        var index = 0
        while let last = choice.isKept[index...].firstIndex(of: true) {
            let gap = last + 1..<(choice.isKept[(last + 1)...].firstIndex(of: true) ?? blocks.count)
            index = gap.upperBound
            let words = blocks[gap].reduce(0) { $0 + $1.words }
            if gap.upperBound < blocks.count, words <= mostWords, gap.allSatisfy(isDoubtful) {
                for block in gap { isKept[block] = true }
                continue
            }
            // Code that follows, after blocks that are never text, such as its button.
            for block in gap.prefix(3) where blocks[block].words <= mostWords {
                if features.tree.nodes[Int(blocks[block].owner)].tag == .pre, isDoubtful(block) { isKept[block] = true }
            }
        }
        return isKept
    }
}
