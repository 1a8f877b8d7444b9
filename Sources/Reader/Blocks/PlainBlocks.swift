internal import HTML

/// The blocks of a page outside its navigation, its footers and its forms, by elements and names alone.
///
/// They are the text of a page in which the model finds none, such as a note of three words, or sentences without
/// paragraphs: the model is made from longer pages.
struct PlainBlocks {
    /// Whether each block stands in navigation, a footer, a form or the like, or is the title.
    private var isAside: [Bool]
    /// Whether each block is text of the page. In a page without one main element, all are `false` if there is no
    /// sentence among them, or if more text stands around them.
    private(set) var isKept: [Bool]

    /// A page with fewer words is judged by its sentences alone.
    private static let tinyPage: Float = 100
    /// A block of so many words is a sentence, also without a full stop.
    private static let sentenceWords: Float = 10
    /// A longer block with the sign of copyright says more than that.
    private static let copyrightWords: Float = 40

    init(_ features: BlockFeatures) {
        let excluded = BlockVeto.excluded(features)
        let (tree, sums, blocks) = (features.tree, features.sums, features.blocks.blocks)
        isAside = Array(repeating: false, count: blocks.count)
        isKept = Array(repeating: false, count: blocks.count)
        let root = Self.root(tree)
        let isBody = tree.nodes[root].tag != .main && tree.nodes[root].tag != .article
        let all = sums.words(of: root)
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            let share = sums.words(of: index) / max(1, all)
            if node.tag != .text, Self.isAside(node.tag, features.hints[index], share: share, ofBody: isBody) {
                for block in sums.range(index) { isAside[block] = true }
                index = max(index + 1, Int(node.end))
            } else {
                index += 1
            }
        }
        for (number, block) in blocks.enumerated()
        where block.marks.contains(.copyright) && block.words < Self.copyrightWords { isAside[number] = true }
        var hasSentence = false
        var words: Float = 0
        for number in sums.range(root) where !isAside[number] && !excluded[number] {
            let block = blocks[number]
            if block.linkWords * 2 > block.words { continue }
            isKept[number] = true
            words += block.words
            if block.stops > 0 || block.breaks > 0 || block.words >= Self.sentenceWords { hasSentence = true }
        }
        let page = sums.mass(0..<blocks.count)
        let isMost = words * 2 >= page.words - page.linkWords || page.words < Self.tinyPage
        if isBody, !hasSentence || !isMost { isKept = Array(repeating: false, count: blocks.count) }
    }

    /// Whether a choice holds a block that is no part of navigation, a footer or the like, and not the title.
    func holdsText(_ choice: BlockChoice) -> Bool { zip(choice.isKept, isAside).contains { $0 && !$1 } }

    /// The main element; else the only article; else the body.
    private static func root(_ tree: borrowing PageTree) -> Int {
        if let main = tree.nodes.firstIndex(where: { $0.tag == .main }) { return main }
        let articles = tree.nodes.indices.filter { tree.nodes[$0].tag == .article }
        if articles.count == 1 { return articles[0] }
        return tree.nodes.firstIndex { $0.tag == .body } ?? 0
    }

    /// - Parameter share: the share of the root's words that the element has. Names on most of a page describe its
    ///   layout.
    private static func isAside(_ tag: Tag, _ hints: Hints, share: Float, ofBody: Bool) -> Bool {
        switch tag {
        case .nav, .aside, .footer, .form, .button, .label, .dialog, .h1, .address: true
        case .html, .body, .main, .article: false
        // The header of an article may lead into it.
        case .header: ofBody
        default:
            !hints.isDisjoint(with: [.footer, .navigation])
                || share < 0.5 && !hints.isDisjoint(with: Hints.boilerplate)
        }
    }
}
