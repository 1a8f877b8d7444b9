/// The first lines of content as they are shown: a line ends at a break, and where a block begins or ends.
enum TextLines {
    struct Line {
        /// Its text nodes, in order.
        var texts: [Int] = []
        /// What the line consists of: texts, inline elements that are in it as a whole, the break that ends it.
        var nodes: [Int] = []
        /// The block that holds nothing else.
        var block: Int?
        /// Whether a break is before it, and text before that.
        var followsBreak = false
    }

    /// The first lines with text. Lines of headings, quotes, lists, tables, figures and code are left out: a name there
    /// belongs to what is there.
    static func first(_ count: Int, of root: Int, in content: Content) -> [Line] {
        var walk = Walk(content: content, limit: count)
        walk.run(root)
        return walk.lines
    }

    private struct Walk {
        let content: Content
        let limit: Int
        var lines: [Line] = []
        private var line = Line()
        /// Whether the line has text.
        private var hasText = false
        private var followsBreak = false
        /// Open blocks: their node, and whether they hold anything before the current line.
        private var blocks: [(node: Int, hasMore: Bool)] = []

        init(content: Content, limit: Int) {
            self.content = content
            self.limit = limit
        }

        mutating func run(_ root: Int) {
            let nodes = content.tree.nodes
            let end = Int(nodes[root].end)
            var index = root
            while index < end, lines.count < limit {
                while let last = blocks.last, Int(nodes[last.node].end) <= index { closeBlock() }
                let node = nodes[index]
                if content.isDropped[index] || content.isCaption[index] || node.tag.isReading {
                    index = Int(node.end)
                } else if TextLines.isApart(node.tag) {
                    endLine(at: index)
                    if !blocks.isEmpty { blocks[blocks.count - 1].hasMore = true }
                    index = Int(node.end)
                } else if node.tag == .text {
                    line.texts.append(index)
                    line.nodes.append(index)
                    if !hasText { hasText = content.tree.bytes(index).contains { !$0.isHTMLSpace } }
                    index += 1
                } else if node.tag == .br {
                    let hasText = hasText
                    if hasText { line.nodes.append(index) }
                    endLine(at: index + 1)
                    followsBreak = hasText
                    index += 1
                } else if Tag.traits[Int(node.tag.rawValue)].contains(.block) {
                    endLine(at: index)
                    if !blocks.isEmpty { blocks[blocks.count - 1].hasMore = true }
                    blocks.append((index, false))
                    index += 1
                } else {
                    line.nodes.append(index)
                    index += 1
                }
            }
            while !blocks.isEmpty, lines.count < limit { closeBlock() }
            endLine(at: end)
        }

        private mutating func closeBlock() {
            guard let block = blocks.last else { return }
            if !block.hasMore { line.block = block.node }
            endLine(at: Int(content.tree.nodes[block.node].end))
            blocks.removeLast()
            if !blocks.isEmpty { blocks[blocks.count - 1].hasMore = true }
        }

        private mutating func endLine(at end: Int) {
            if hasText, lines.count < limit {
                line.followsBreak = followsBreak
                // An element that goes on after the line stays.
                line.nodes = line.nodes.filter { Int(content.tree.nodes[$0].end) <= end }
                if !blocks.isEmpty { blocks[blocks.count - 1].hasMore = true }
                lines.append(line)
            }
            line = Line()
            hasText = false
            followsBreak = false
        }
    }

    private static func isApart(_ tag: Tag) -> Bool {
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6, .blockquote, .ul, .ol, .dl, .table, .figure, .pre, .details: true
        default: false
        }
    }
}
