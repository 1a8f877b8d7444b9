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

    /// Whether a class, the id or the property of an element is a word or its plural; a property may end with it
    /// (`acceptedAnswer`).
    private static func isNamed(_ word: StaticString, _ node: Int, _ tree: borrowing PageTree) -> Bool {
        for place in Int(tree.nodes[node].start)..<Int(tree.nodes[node].stop) {
            let attribute = tree.attributes[place]
            switch attribute.name {
            case .class, .id, .itemprop: break
            default: continue
            }
            let value = tree.text[Int(attribute.start)..<Int(attribute.stop)]
            if value.count < word.utf8CodeUnitCount || value.count >= 200 { continue }
            for part in value.split(whereSeparator: \.isHTMLSpace) {
                let singular = part.last.map { $0.lowercased == UInt8(ascii: "s") } ?? false ? part.dropLast() : part
                let isWhole = singular.count == word.utf8CodeUnitCount
                if isWhole || attribute.name == .itemprop, ends(singular, with: word) { return true }
            }
        }
        return false
    }

    private static func ends(_ part: ArraySlice<UInt8>, with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard part.count >= count else { return false }
        return zip(part.suffix(count), UnsafeBufferPointer(start: word.utf8Start, count: count)).allSatisfy {
            $0.lowercased == $1
        }
    }
}
