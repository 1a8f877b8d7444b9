import Characters
internal import HTML

/// The answers to a question that is kept. An answer may be a word, and the question is nothing without it.
enum Answers {
    static func complete(_ isKept: inout [Bool], _ features: BlockFeatures, _ isText: [Bool]) {
        let nodes = features.tree.nodes
        var hasQuestion = false
        var answers: [Int] = []
        var index = 0
        while index < nodes.count {
            let node = nodes[index]
            if node.tag != .text, node.start < node.stop {
                if isNamed("answer", index, features.tree) {
                    answers.append(index)
                    index = max(index + 1, Int(node.end))
                    continue
                }
                if !hasQuestion, isNamed("question", index, features.tree) {
                    hasQuestion = features.sums.range(index).contains { isKept[$0] }
                }
            }
            index += 1
        }
        if !hasQuestion { return }
        for answer in answers {
            let range = features.sums.range(answer)
            // Of an answer of which something is kept, the model knows what is its text.
            if range.contains(where: { isKept[$0] }) { continue }
            for block in range where isText[block] && isProse(block, features) { isKept[block] = true }
        }
    }

    /// Whether a block is a paragraph, an example, an item or a quote, and no name, date or number of votes.
    private static func isProse(_ block: Int, _ features: BlockFeatures) -> Bool {
        switch features.tree.nodes[Int(features.blocks.blocks[block].owner)].tag {
        case .p, .pre, .li, .blockquote: true
        default: false
        }
    }

    /// Whether a class, the id or the property of an element is a word or its plural.
    private static func isNamed(_ word: String, _ node: Int, _ tree: borrowing PageTree) -> Bool {
        [AttributeName.class, .id, .itemprop].contains { name in
            guard let value = tree.value(node, name), value.count < 200 else { return false }
            return value.split(whereSeparator: \.isHTMLSpace).contains { part in
                let lower = part.map(\.lowercased)
                return lower.elementsEqual(word.utf8) || lower.elementsEqual("\(word)s".utf8)
                    || name == .itemprop && lower.count < 20 && lower.suffix(word.utf8.count).elementsEqual(word.utf8)
            }
        }
    }
}
