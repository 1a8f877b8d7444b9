internal import HTML

/// Short parts of an `article` between and behind its kept paragraphs: a note, a quote, a list of definitions, the text
/// of a `div`.
///
/// They stand beside the paragraphs, or in a box of their own there, without a heading, a field or a picture. Where they
/// are many words, they are parts of the page around the article, and the model decides.
struct ArticleParts {
    /// The most words of one box, and of all parts that are added; or the share of the article's words.
    private static let boxWords: Float = 60
    private static let leastWords: Float = 20
    private static let share: Float = 0.3

    private let features: BlockFeatures
    private let isText: [Bool]
    /// The nearest element that only arranges what is in it: the node itself or one around it.
    private let box: [Int32]

    static func complete(_ isKept: inout [Bool], _ features: BlockFeatures, _ isText: [Bool]) {
        guard features.tree.nodes.contains(where: { $0.tag == .article }) else { return }
        let parts = ArticleParts(features, isText)
        for own in parts.blocksByArticle() { parts.complete(&isKept, own) }
    }

    private init(_ features: BlockFeatures, _ isText: [Bool]) {
        self.features = features
        self.isText = isText
        let nodes = features.tree.nodes
        var box = [Int32](repeating: 0, count: nodes.count)
        for index in 1..<max(1, nodes.count) {
            box[index] = Self.isBox(nodes[index].tag) ? Int32(index) : box[Int(nodes[index].parent)]
        }
        self.box = box
    }

    private static func isBox(_ tag: Tag) -> Bool {
        switch tag {
        case .html, .body, .main, .article, .section, .div, .header, .aside, .center, .form, .fieldset, .td, .other:
            true
        default: false
        }
    }

    /// The blocks of each article that are in no article inside it.
    private func blocksByArticle() -> [[Int]] {
        let nodes = features.tree.nodes
        var open: [Int] = []
        var found: [Int: [Int]] = [:]
        var next = 0
        let blocks = features.blocks.blocks
        for index in nodes.indices {
            while let last = open.last, Int(nodes[last].end) <= index { open.removeLast() }
            if nodes[index].tag == .article { open.append(index) }
            if next < blocks.count, Int(blocks[next].first) == index {
                if let article = open.last { found[article, default: []].append(next) }
                next += 1
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func complete(_ isKept: inout [Bool], _ own: [Int]) {
        let (nodes, blocks) = (features.tree.nodes, features.blocks.blocks)
        var words: [Int32: Float] = [:]
        var all: Float = 0
        for block in own where isKept[block] {
            let owner = Int(blocks[block].owner)
            words[Self.isBox(nodes[owner].tag) ? box[Int(max(0, nodes[owner].parent))] : box[owner], default: 0] +=
                blocks[block].words
            all += blocks[block].words
        }
        guard let first = own.first(where: { isKept[$0] }),
            let column = words.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), column.value * 2 >= all
        else { return }
        var added: [Int] = []
        var sum: Float = 0
        var isPlain: [Int32: Bool] = [:]
        for block in own where block > first && !isKept[block] && isText[block] {
            let inner = box[Int(blocks[block].owner)]
            if inner != column.key {
                guard inner > 0, box[Int(nodes[Int(inner)].parent)] == column.key else { continue }
                let found = isPlain[inner] ?? isPlainBox(Int(inner))
                isPlain[inner] = found
                if !found { continue }
            }
            added.append(block)
            sum += blocks[block].words
        }
        if sum > max(Self.leastWords, all * Self.share) { return }
        WholeParts.keep(added, &isKept, features)
    }

    private func isPlainBox(_ node: Int) -> Bool {
        let tree = features.tree
        if features.sums.words(of: node) > Self.boxWords { return false }
        return !(node + 1..<max(node + 1, Int(tree.nodes[node].end))).contains {
            switch tree.nodes[$0].tag {
            case .h1, .h2, .h3, .h4, .h5, .h6, .img, .svg, .iframe: true
            default: StandingText.isField($0, tree)
            }
        }
    }
}
