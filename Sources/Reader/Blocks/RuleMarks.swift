/// What the rules of `ContentExtraction` decide about each node: features for the model.
struct RuleMarks {
    /// Whether a node is in the main element or a lead of it.
    private(set) var isInside: [Bool]
    /// The same, and not dropped.
    private(set) var isKept: [Bool]

    init(_ rules: Content) {
        let count = rules.tree.nodes.count
        isInside = Array(repeating: false, count: count)
        isKept = Array(repeating: false, count: count)
        for root in rules.roots {
            var dropEnd = root
            for index in root..<Int(rules.tree.nodes[root].end) {
                isInside[index] = true
                if rules.isDropped[index] { dropEnd = max(dropEnd, Int(rules.tree.nodes[index].end)) }
                isKept[index] = index >= dropEnd
            }
        }
    }

    /// The words of the blocks that the rules keep; those of blocks with ten words and more, and with twenty.
    func sums(_ blocks: PageBlocks) -> (words: Float, longWords: Float, proseWords: Float) {
        var sums: (words: Float, longWords: Float, proseWords: Float) = (0, 0, 0)
        for block in blocks.blocks where isKept[Int(block.first)] {
            sums.words += block.words
            if block.words >= 10 { sums.longWords += block.words }
            if block.words >= 20 { sums.proseWords += block.words }
        }
        return sums
    }
}
