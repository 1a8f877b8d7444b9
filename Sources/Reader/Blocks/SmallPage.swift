internal import HTML

/// A page of few words. The model is made from longer ones, so it is not asked for each sentence of a page of which it
/// keeps a third and more: all plain text of the main element, of the article or of the body stays.
enum SmallPage {
    private static let mostWords: Float = 300

    static func complete(_ isKept: inout [Bool], _ features: BlockFeatures, _ isText: [Bool]) {
        let (nodes, sums) = (features.tree.nodes, features.sums)
        let count = features.blocks.blocks.count
        if sums.words[count] > mostWords { return }
        let root = [Tag.main, .article, .body].lazy.compactMap { tag in nodes.firstIndex { $0.tag == tag } }.first ?? 0
        let range = sums.range(root)
        var kept: Float = 0
        var all: Float = 0
        for (block, words) in zip(range, features.blocks.blocks[range].map(\.words))
        where isText[block] || isKept[block] {
            all += words
            if isKept[block] { kept += words }
        }
        guard kept * 3 >= all, let first = range.first(where: { isKept[$0] }) else { return }
        // What stands before the heading and the text is of the page's frame.
        let start = min(features.main.headingBlock ?? first, first)
        WholeParts.keep(range.filter { $0 > start && isText[$0] && !isKept[$0] }, &isKept, features)
    }
}
