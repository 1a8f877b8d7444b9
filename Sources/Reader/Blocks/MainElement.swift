internal import HTML

/// A guess at the element around the main text, and at the heading of the page: features for the model, no decision.
struct MainElement {
    /// The element with the most points.
    private(set) var top = 0
    /// The nearest element around it and the heading.
    private(set) var common = 0
    /// The first block of the main heading, or `nil`.
    private(set) var headingBlock: Int?

    /// Every block of text gives points to the groups around it, fewer to each larger one.
    init(
        _ tree: borrowing PageTree, _ blocks: PageBlocks, _ sums: borrowing BlockSums, _ groups: borrowing ElementGroups
    ) {
        var points = [Float](repeating: 0, count: tree.nodes.count)
        for block in blocks.blocks {
            let own = block.words - block.linkWords
            if own < 8 { continue }
            let score = 1 + min(own / 20, 3) + min(Float(block.commas), 10)
            var node = Int(block.owner)
            var level: Float = 0
            while node > 0, level < 6 {
                points[node] += level < 2 ? score / (level + 1) : score / (level * 3)
                node = Int(groups.outer[node])
                level += 1
            }
        }
        var best: Float = 0
        for node in points.indices where points[node] > 0 {
            let score = points[node] * (1 - sums.mass(node).linkDensity)
            if score > best {
                best = score
                top = node
            }
        }
        var heading: (node: Int, words: Float)?
        for index in tree.nodes.indices where tree.nodes[index].tag == .h1 {
            let range = sums.range(index)
            if range.isEmpty { continue }
            let shared = range.reduce(Float(0)) { $0 + blocks.blocks[$1].titleWords }
            if heading == nil || shared > heading?.words ?? 0 { heading = (index, shared) }
        }
        common = top
        guard let heading else { return }
        headingBlock = sums.range(heading.node).lowerBound
        while common > 0, !(common <= heading.node && heading.node < Int(tree.nodes[common].end)) {
            common = Int(tree.nodes[common].parent)
        }
    }
}
