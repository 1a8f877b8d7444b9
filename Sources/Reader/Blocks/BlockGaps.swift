internal import HTML

/// Blocks that the model is unsure of and that belong to blocks that it keeps: the head of a table's column, a line of
/// code, a definition after its term, the cells of a table, the heading of a section.
///
/// A few words more or less change little for the model. For a person, a table without its heads is not the page's, and
/// a term says nothing without its definition.
struct BlockGaps {
    /// Gaps of more words stay as the model decides.
    private static let mostWords: Float = 10
    /// Below this probability, a block is not kept.
    private static let least: Float = 0.2
    private static let leastOfWhole: Float = 0.1

    private let features: BlockFeatures
    private let choice: BlockChoice
    private var isKept: [Bool]

    private init(_ features: BlockFeatures, _ choice: BlockChoice) {
        self.features = features
        self.choice = choice
        isKept = choice.isKept
    }

    /// Which blocks are kept besides those of the model, if the rules keep them too: gaps of a few words between kept
    /// blocks, code after a kept block, definitions of kept terms, and headings before kept blocks. A table or a list
    /// of definitions of which most is kept stays whole, whatever the rules say.
    static func closed(_ features: BlockFeatures, _ choice: BlockChoice) -> [Bool] {
        var gaps = BlockGaps(features, choice)
        gaps.close()
        gaps.keepDefinitions()
        gaps.keepWhole(.dl)
        gaps.keepWhole(.table)
        gaps.keepHeadings()
        return gaps.isKept
    }

    private var blocks: [PageBlocks.Block] { features.blocks.blocks }
    private func tag(_ block: Int) -> Tag { features.tree.nodes[Int(blocks[block].owner)].tag }

    private func isDoubtful(_ index: Int) -> Bool {
        choice.probabilities[index] >= Self.least && features.rules.isKept[Int(blocks[index].first)]
    }

    private func isLinks(_ block: Int) -> Bool { blocks[block].linkWords * 2 > blocks[block].words }

    private mutating func close() {
        var index = 0
        while let last = choice.isKept[index...].firstIndex(of: true) {
            let gap = last + 1..<(choice.isKept[(last + 1)...].firstIndex(of: true) ?? blocks.count)
            index = gap.upperBound
            let words = blocks[gap].reduce(0) { $0 + $1.words }
            if gap.upperBound < blocks.count, words <= Self.mostWords, gap.allSatisfy(isDoubtful) {
                for block in gap { isKept[block] = true }
                continue
            }
            // Code that follows, after blocks that are never text, such as its button.
            for block in gap.prefix(3) where blocks[block].words <= Self.mostWords {
                if tag(block) == .pre, isDoubtful(block) { isKept[block] = true }
            }
        }
    }

    /// A manual names an option in a word, and the definition says what it does.
    private mutating func keepDefinitions() {
        let tree = features.tree
        // Each block is looked at once, however deep lists are in lists.
        var reached = 0
        for term in blocks.indices where isKept[term] && tag(term) == .dt {
            let next = Int(tree.nodes[Int(blocks[term].owner)].end)
            guard next < tree.nodes.count, tree.nodes[next].tag == .dd else { continue }
            let range = features.sums.range(next)
            for block in max(reached, range.lowerBound)..<max(reached, range.upperBound)
            where isDoubtful(block) && !isLinks(block) {
                isKept[block] = true
            }
            reached = max(reached, range.upperBound)
        }
    }

    /// The other cells of a table of which most is kept, since a row without its first cell says nothing, and the other
    /// terms and definitions of such a list.
    private mutating func keepWhole(_ tag: Tag) {
        let nodes = features.tree.nodes
        /// The last element that began, if none began in it.
        var whole = 0
        for index in nodes.indices where nodes[index].tag == tag {
            if whole > 0, nodes[whole].end <= Int32(index) { fill(whole) }
            whole = index
        }
        if whole > 0 { fill(whole) }
    }

    private mutating func fill(_ element: Int) {
        let range = features.sums.range(element)
        let kept = range.reduce(Float(0)) { $0 + (isKept[$1] ? blocks[$1].words : 0) }
        guard kept * 2 >= features.sums.words(of: element), range.count >= 4 else { return }
        for block in range where choice.probabilities[block] >= Self.leastOfWhole { isKept[block] = true }
    }

    /// The headings right before a kept block.
    private mutating func keepHeadings() {
        guard var first = isKept.firstIndex(of: true) else { return }
        // The headings before all that is kept are of the page.
        first += 1
        for block in blocks.indices.dropFirst(first).reversed() where !isKept[block] {
            switch tag(block) {
            case .h2, .h3, .h4, .h5, .h6:
                if block + 1 < blocks.count, isKept[block + 1], isDoubtful(block), !isLinks(block) {
                    isKept[block] = true
                }
            default: break
            }
        }
    }
}
