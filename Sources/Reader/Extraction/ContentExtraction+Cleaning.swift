import Characters

/// Dropping what is in the chosen element and is not part of the article.
extension ContentExtraction {
    mutating func clean(_ root: Int, title: String?) {
        let firstHeading = tree.nodes.firstIndex { $0.tag == .h1 }
        var index = root + 1
        let end = Int(tree.nodes[root].end)
        while index < end {
            let node = tree.nodes[index]
            if isDropped[index] {
                index = Int(node.end)
                continue
            }
            if node.tag == .h1 || node.tag == .h2, index == firstHeading || isTitle(index, title) {
                isDropped[index] = true
                index = Int(node.end)
                continue
            }
            if traits[Int(node.tag.rawValue)].contains(.heading) || isCaptionLine(index, node),
                dropSection(index, in: root)
            {
                index = Int(node.end)
                continue
            }
            if node.tag != .text, isNoise(index, node) {
                isDropped[index] = true
                index = Int(node.end)
                continue
            }
            index += 1
        }
        dropEdges(root)
    }

    /// A short bold line may look like a heading.
    private func isCaptionLine(_ index: Int, _ node: PageTree.Node) -> Bool {
        node.tag == .p && measure.textLength(index, tree) < 40 && Int(node.end) > index + 1
            && [.strong, .b].contains(tree.nodes[index + 1].tag)
    }

    /// Drops a section that is not about the subject of the article: its heading and everything up to the next heading.
    private mutating func dropSection(_ heading: Int, in root: Int) -> Bool {
        let length = measure.textLength(heading, tree)
        guard length > 2, length < 80,
            prose.length(from: Int(tree.nodes[heading].end), to: Int(tree.nodes[root].end)) * 2
                < prose.length(root, tree),
            Pointers.isSectionHeading(tree.collapsedText(heading, limit: 120))
        else { return false }
        // The heading may be alone in a box.
        var top = heading
        while Int(tree.nodes[top].parent) > root, measure.textLength(Int(tree.nodes[top].parent), tree) == length {
            top = Int(tree.nodes[top].parent)
        }
        let parent = Int(tree.nodes[top].parent)
        var sibling = top
        while sibling < Int(tree.nodes[parent].end) {
            if sibling != top, startsWithHeading(sibling) { break }
            isDropped[sibling] = true
            sibling = Int(tree.nodes[sibling].end)
        }
        return true
    }

    private func startsWithHeading(_ node: Int) -> Bool {
        var index = node
        while index < min(Int(tree.nodes[node].end), node + 6) {
            let tag = tree.nodes[index].tag
            if traits[Int(tag.rawValue)].contains(.heading) { return true }
            if tag == .text, measure.textLength(index, tree) > 1 { return false }
            index += 1
        }
        return false
    }

    private func isTitle(_ heading: Int, _ title: String?) -> Bool {
        guard let title, !title.isEmpty else { return false }
        return MetaText.skeleton(tree.plainText(heading, limit: 500)) == title
    }

    private func isNoise(_ index: Int, _ node: PageTree.Node) -> Bool {
        let text = measure.textLength(index, tree)
        let link = measure.linkLength(index, tree)
        switch node.tag {
        case .ul, .ol, .dl, .table:
            return text > 0 && link * 3 > text * 2 && text < 2000
        case .div, .section, .article, .header, .details:
            return text > 0 && link * 2 > text && text - link < 200
        case .p, .h2, .h3, .h4, .h5, .h6, .blockquote:
            if text > 40, text < 200, link * 10 > text * 9, node.tag == .p { return true }
            return text > 0 && text < 250 && Pointers.isPointer(tree.collapsedText(index, limit: 80), hasLink: link > 0)
        case .address: return true
        default: return false
        }
    }

    func captions(_ root: Int) -> [Bool] {
        var captions = [Bool](repeating: false, count: tree.nodes.count)
        for index in root..<Int(tree.nodes[root].end) {
            if tree.nodes[index].tag == .figcaption {
                captions[index] = true
            } else if hints[index].contains(.caption), tree.nodes[index].tag != .text,
                measure.textLength(index, tree) < 400
            {
                captions[index] = true
            }
        }
        return captions
    }

    /// Drops headings without content, and short lines before the first prose (date, place, reading time).
    private mutating func dropEdges(_ root: Int) {
        var blocks: [Int] = []
        var index = root
        while index < Int(tree.nodes[root].end) {
            if isDropped[index] {
                index = Int(tree.nodes[index].end)
                continue
            }
            if prose.own[index] > 0 || (prose.all[index] > 0 && tree.nodes[index].tag != .text) { blocks.append(index) }
            index += 1
        }
        // A heading is empty if no block follows it.
        var next: Int?
        for block in blocks.reversed() {
            let tag = tree.nodes[block].tag
            if traits[Int(tag.rawValue)].contains(.heading) {
                if next == nil {
                    isDropped[block] = true
                    continue
                }
            }
            next = block
        }
        dropDateLine(blocks.prefix(12))
        guard
            let first = blocks.firstIndex(where: {
                prose.isProse[$0] && !traits[Int(tree.nodes[$0].tag.rawValue)].contains(.heading)
            }),
            first < 12
        else { return }
        for block in blocks[..<first] {
            let tag = tree.nodes[block].tag
            if traits[Int(tag.rawValue)].contains(.heading) || tag == .pre || tag == .td || tag == .th { continue }
            guard !prose.hasStop[block], Int(tree.nodes[block].end) <= blocks[first] else { continue }
            if prose.all[block] < 60 || (prose.all[block] < 160 && holdsYear(block)) { isDropped[block] = true }
        }
    }

    /// Drops a single line with a date near the beginning, and the labels and the name before it ("Author:", a name,
    /// "Published:").
    private mutating func dropDateLine(_ blocks: ArraySlice<Int>) {
        func isShort(_ block: Int, _ limit: Int32) -> Bool {
            let tag = tree.nodes[block].tag
            // The line contains no other block.
            return measure.textLength(block, tree) < Int(limit) && prose.all[block] > 0 && !prose.hasStop[block]
                && (tag == .p || tag == .div || tag == .span)
        }
        let dates = blocks.indices.filter { isShort(blocks[$0], 25) && holdsYear(blocks[$0]) }
        guard dates.count == 1, let date = dates.first else { return }
        var start = date
        var place = date - 1
        while place >= blocks.startIndex, date - place <= 4, isShort(blocks[place], 30), !isDropped[blocks[place]] {
            if tree.collapsedText(blocks[place], limit: 40).last == UInt8(ascii: ":") { start = place }
            place -= 1
        }
        dateLine = Array(blocks[start...date])
        for block in dateLine { isDropped[block] = true }
    }

    /// Whether the text of a block contains a number like a year.
    private func holdsYear(_ block: Int) -> Bool {
        var digits: [UInt8] = []
        for byte in PlainDigits(tree.collapsedText(block, limit: 200)).bytes + [0] {
            if byte.isDigit {
                digits.append(byte)
            } else {
                if digits.count == 4, digits[0] == 0x32 || digits[0] == 0x31 { return true }
                digits = []
            }
        }
        return false
    }
}
