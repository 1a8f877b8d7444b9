/// Sums over the blocks of a page, so that each figure of an element is one subtraction.
struct BlockSums {
    /// Sums before a block. There is one entry more than there are blocks.
    private(set) var words: [Float] = [0]
    private var linkWords: [Float] = [0]
    /// Words outside links in blocks of ten words and more.
    private var longWords: [Float] = [0]
    private var longBlocks: [Int32] = [0]
    private var commas: [Int32] = [0]
    private var links: [Int32] = [0]
    private let before: [Int32]
    private let ends: [Int32]

    init(_ blocks: PageBlocks, _ tree: borrowing PageTree) {
        before = blocks.before
        ends = tree.nodes.map(\.end)
        let count = blocks.blocks.count + 1
        words.reserveCapacity(count)
        linkWords.reserveCapacity(count)
        longWords.reserveCapacity(count)
        longBlocks.reserveCapacity(count)
        commas.reserveCapacity(count)
        links.reserveCapacity(count)
        for (index, block) in blocks.blocks.enumerated() {
            let own = block.words - block.linkWords
            words.append(words[index] + block.words)
            linkWords.append(linkWords[index] + block.linkWords)
            longWords.append(longWords[index] + (own >= 10 ? own : 0))
            longBlocks.append(longBlocks[index] + (own >= 10 ? 1 : 0))
            commas.append(commas[index] + block.commas)
            links.append(links[index] + block.links)
        }
    }

    /// The blocks of an element.
    func range(_ node: Int) -> Range<Int> { Int(before[node])..<Int(before[Int(ends[node])]) }

    struct Mass {
        var words: Float
        var linkWords: Float
        var longWords: Float
        var blocks: Float
        var longBlocks: Float
        var commas: Float
        var links: Float

        var linkDensity: Float { linkWords / max(1, words) }
        var longShare: Float { longWords / max(1, words) }
    }

    func mass(_ range: Range<Int>) -> Mass {
        let (low, high) = (range.lowerBound, range.upperBound)
        return Mass(
            words: words[high] - words[low], linkWords: linkWords[high] - linkWords[low],
            longWords: longWords[high] - longWords[low], blocks: Float(range.count),
            longBlocks: Float(longBlocks[high] - longBlocks[low]), commas: Float(commas[high] - commas[low]),
            links: Float(links[high] - links[low]))
    }

    /// The words of an element.
    func words(of node: Int) -> Float { words[Int(before[Int(ends[node])])] - words[Int(before[node])] }

    func mass(_ node: Int) -> Mass { mass(range(node)) }
}
