internal import HTML

/// Blocks that are never main text, whatever the model says: closed dialogs, what is
/// hidden for good, lines that only point to another page, the
/// buttons of examples, and the line with the date at the beginning.
enum BlockVeto {
    /// Whether each block is excluded.
    static func excluded(_ features: BlockFeatures) -> [Bool] {
        let tree = features.tree
        let blocks = features.blocks.blocks
        let total = features.sums.words[blocks.count]
        var excluded = [Bool](repeating: false, count: blocks.count)
        for index in tree.nodes.indices where !features.hints[index].isDisjoint(with: .interface) {
            let range = features.sums.range(index)
            if range.isEmpty || excluded[range.lowerBound] { continue }
            let words = features.sums.words(of: index)
            let hints = features.hints[index]
            let isClosedDialog =
                hints.contains(.hidden) && hints.isDisjoint(with: [.matter, .article]) && words * 5 < total * 4
            if isClosedDialog || (words <= 3 && isBesideExample(index, tree)) {
                for block in range { excluded[block] = true }
            }
        }
        for index in tree.nodes.indices where features.hints[index].contains(.hidden) {
            let range = features.sums.range(index)
            if range.isEmpty || excluded[range.lowerBound] || !HiddenText.isHidden(index, tree) { continue }
            // A page that hides most of itself shows it later.
            if features.sums.words(of: index) * 2 < total { for block in range { excluded[block] = true } }
        }
        for element in features.ruled.dateLine {
            for block in features.sums.range(element) { excluded[block] = true }
        }
        for (number, block) in blocks.enumerated() where !excluded[number] && block.characters < 250 {
            switch tree.nodes[Int(block.owner)].tag {
            case .p, .h2, .h3, .h4, .h5, .h6, .blockquote:
                excluded[number] = Pointers.isPointer(
                    tree.collapsedText(Int(block.owner), limit: 80), hasLink: block.linkWords > 0)
            default: break
            }
        }
        return excluded
    }

    /// Whether an element stands before or after preformatted text.
    private static func isBesideExample(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        let parent = Int(tree.nodes[node].parent)
        if parent > 0, tree.nodes[parent].tag == .pre { return true }
        let next = Int(tree.nodes[node].end)
        if next < tree.nodes.count, tree.nodes[next].tag == .pre { return true }
        return parent >= 0 && node == parent + 2 && tree.nodes[parent + 1].tag == .pre
    }
}
