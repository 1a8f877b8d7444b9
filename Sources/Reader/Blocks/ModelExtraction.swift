import Characters
internal import HTML

/// Turns the choice of blocks into the content of a page: the elements around the kept blocks, without the others.
///
/// Pictures have no text to judge. They stay where most of the text around them stays; captions stay with them.
struct ModelExtraction {
    private let tree: PageTree
    private let hints: [Hints]
    private let blocks: PageBlocks
    private let sums: BlockSums
    private let choice: BlockChoice
    /// The kept words and the kept blocks before a block.
    private var keptWords: [Float] = [0]
    private var keptBlocks: [Int32] = [0]
    /// The nearest element with blocks: the element itself or an ancestor.
    private var holder: [Int32]

    init(_ features: BlockFeatures, _ choice: BlockChoice) {
        tree = features.tree
        hints = features.hints
        blocks = features.blocks
        sums = features.sums
        self.choice = choice
        holder = Array(repeating: 0, count: tree.nodes.count)
        for index in 1..<max(1, tree.nodes.count) where tree.nodes[index].tag != .text {
            holder[index] = sums.range(index).isEmpty ? holder[Int(tree.nodes[index].parent)] : Int32(index)
        }
        for (index, block) in blocks.blocks.enumerated() {
            keptWords.append(keptWords[index] + (choice.isKept[index] ? block.words : 0))
            keptBlocks.append(keptBlocks[index] + (choice.isKept[index] ? 1 : 0))
        }
    }

    func content(title: String?) -> Content {
        let traits = Tag.traits
        var isDropped = tree.nodes.map { traits[Int($0.tag.rawValue)].contains(.unrendered) }
        for index in NoscriptPictures.shown(in: tree) { isDropped[index] = false }
        showPictures(&isDropped)
        var isCaption = [Bool](repeating: false, count: tree.nodes.count)
        guard let first = choice.isKept.firstIndex(of: true), let last = choice.isKept.lastIndex(of: true) else {
            return Content(tree: tree, roots: [], isDropped: isDropped, isCaption: isCaption)
        }
        let root = commonElement(first, last)
        dropText(&isDropped)
        var index = root + 1
        let end = Int(tree.nodes[root].end)
        let title = title.map(MetaText.skeleton)
        var hasTitle = false
        while index < end {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            let range = sums.range(index)
            if node.tag == .noscript, !range.isEmpty { isDropped[index] = false }
            if range.isEmpty {
                if Picture.isOne(index, tree), !isDropped[index] {
                    isDropped[index] =
                        range.lowerBound < first - 2 || range.lowerBound > last + 2 || !isAmongKept(index)
                }
                index += 1
                continue
            }
            if keptBlocks[range.upperBound] == keptBlocks[range.lowerBound] {
                if let caption = caption(index, range), isAmongKept(Int(node.parent)) {
                    isCaption[caption] = true
                    restoreText(range, &isDropped)
                } else {
                    isDropped[index] = true
                }
                index = Int(node.end)
                continue
            }
            if let caption = caption(index, range), isAmongKept(Int(node.parent)) {
                // Kept as well, but it is the caption all the same.
                isCaption[caption] = true
                index = Int(node.end)
                continue
            }
            if !hasTitle, node.tag == .h1 || node.tag == .h2, isTitle(index, title) {
                // The title is shown above the text.
                isDropped[index] = true
                hasTitle = true
                index = Int(node.end)
                continue
            }
            index += 1
        }
        var content = Content(tree: tree, roots: [root], isDropped: isDropped, isCaption: isCaption)
        for block in choice.beside {
            content.beside.formUnion(Int(blocks.blocks[block].first)..<Int(blocks.blocks[block].end))
        }
        return content
    }

    /// Videos and drawings are pictures. What is in them is for browsers that cannot show them.
    private func showPictures(_ isDropped: inout [Bool]) {
        var index = 0
        while index < tree.nodes.count {
            guard isDropped[index], Picture.isOne(index, tree) else {
                index += 1
                continue
            }
            isDropped[index] = false
            let end = Int(tree.nodes[index].end)
            for inner in index + 1..<max(index + 1, end) { isDropped[inner] = true }
            index = max(index + 1, end)
        }
    }

    /// The innermost block-level element around all kept blocks.
    private func commonElement(_ first: Int, _ last: Int) -> Int {
        var node = Int(blocks.blocks[first].owner)
        let end = blocks.blocks[last].end
        while node > 0, tree.nodes[node].end < end { node = Int(tree.nodes[node].parent) }
        return max(0, node)
    }

    private func dropText(_ isDropped: inout [Bool]) {
        // Elements that hold more than text.
        var isNeeded = [Bool](repeating: false, count: tree.nodes.count)
        for (block, isKept) in zip(blocks.blocks, choice.isKept) where !isKept {
            let range = Int(block.first)..<Int(block.end)
            for node in range where !Self.isText(tree.nodes[node].tag) {
                var node = node
                while node >= range.lowerBound, !isNeeded[node] {
                    isNeeded[node] = true
                    node = Int(tree.nodes[node].parent)
                }
            }
            for node in range where !isNeeded[node] && tree.nodes[node].end <= block.end { isDropped[node] = true }
        }
    }

    /// Whether it is text, or only changes how its text looks.
    private static func isText(_ tag: Tag) -> Bool {
        switch tag {
        case .text, .a, .b, .i, .em, .strong, .span, .small, .u, .cite: true
        default: false
        }
    }

    private func restoreText(_ range: Range<Int>, _ isDropped: inout [Bool]) {
        for block in blocks.blocks[range] {
            for node in Int(block.first)..<Int(block.end) where Self.isText(tree.nodes[node].tag) {
                isDropped[node] = false
            }
        }
    }

    /// Whether at least half of the text of the nearest element with text is kept.
    private func isAmongKept(_ node: Int) -> Bool {
        let range = sums.range(Int(holder[node]))
        let kept = keptWords[range.upperBound] - keptWords[range.lowerBound]
        return kept * 2 >= sums.words[range.upperBound] - sums.words[range.lowerBound]
    }

    /// The caption in a figure with a picture and no other text.
    private func caption(_ node: Int, _ range: Range<Int>) -> Int? {
        guard tree.nodes[node].tag == .figure, range.count <= 4 else { return nil }
        var caption: Int?
        var hasPicture = false
        for index in node + 1..<Int(tree.nodes[node].end) {
            if Picture.isOne(index, tree) { hasPicture = true }
            if tree.nodes[index].tag == .figcaption, caption == nil { caption = index }
        }
        guard hasPicture, let caption, sums.range(caption) == range else { return nil }
        return caption
    }

    private func isTitle(_ heading: Int, _ title: String?) -> Bool {
        guard let title, !title.isEmpty else { return false }
        return MetaText.skeleton(tree.plainText(heading, limit: 500)) == title
    }
}
