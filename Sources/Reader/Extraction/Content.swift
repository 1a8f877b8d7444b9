import Characters

/// The article of a page: subtrees of the page, without dropped nodes.
struct Content {
    var tree: PageTree
    /// Subtrees in document order, none inside another.
    var roots: [Int]
    /// The dropped nodes. All nodes inside them are dropped too.
    var isDropped: [Bool]
    /// The captions of pictures. They are shown, but are not part of the running text.
    var isCaption: [Bool]
    /// Other nodes that are shown and are not part of the running text: the notes of a text that has many.
    var beside: Set<Int> = []
    /// The elements of a line near the beginning that holds only a date, and of the labels and the name before it.
    var dateLine: [Int] = []

    /// Plain text: one line for a paragraph, heading, item or row. White space is collapsed except in preformatted
    /// text.
    func plainText() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(16384)
        tree.nodes.withUnsafeBufferPointer { nodes in
            tree.text.withUnsafeBufferPointer { bytes in
                for root in roots { append(root, nodes, bytes, &output) }
            }
        }
        while let last = output.last, last <= 0x20 { output.removeLast() }
        return output
    }

    private func append(
        _ root: Int, _ nodes: UnsafeBufferPointer<PageTree.Node>, _ bytes: UnsafeBufferPointer<UInt8>,
        _ output: inout [UInt8]
    ) {
        /// The ends of open blocks. A line ends there.
        var ends: [Int32] = []
        var preformattedEnd: Int32 = 0
        var index = root
        let end = Int(nodes[root].end)
        let traits = Tag.traits
        let hasCaptions = captionsAreText(root)
        while index < end {
            while let last = ends.last, last <= Int32(index) {
                ends.removeLast()
                endLine(&output)
            }
            let node = nodes[index]
            if isDropped[index] || isCaption[index] && !hasCaptions || node.tag.isReading
                || !beside.isEmpty && beside.contains(index)
            {
                // Captions belong to their pictures, not to the running text. A block that is left out still separates
                // the text before it from the text after it.
                if traits[Int(node.tag.rawValue)].contains(.block) { endLine(&output) }
                index = Int(node.end)
                continue
            }
            if tree.isFormula(index, isDropped) {
                output += FormulaText.of(index, tree)
                index = Int(node.end)
                continue
            }
            if node.tag == .text {
                if Int32(index) < preformattedEnd {
                    for at in Int(node.start)..<Int(node.stop) { output.append(bytes[at]) }
                } else {
                    for at in Int(node.start)..<Int(node.stop) {
                        let byte = bytes[at]
                        if byte.isHTMLSpace {
                            if let last = output.last, last > 0x20 { output.append(0x20) }
                        } else {
                            output.append(byte)
                        }
                    }
                }
            } else if node.tag == .sup, output.last?.isDigit ?? false, tree.isPower(index) {
                output.append(UInt8(ascii: "^"))
            } else if node.tag == .br {
                endLine(&output)
            } else if traits[Int(node.tag.rawValue)].contains(.block) {
                if node.tag == .td || node.tag == .th {
                    if let last = output.last, last > 0x20 { output.append(0x20) }
                } else {
                    endLine(&output)
                    ends.append(node.end)
                }
                if node.tag == .pre { preformattedEnd = max(preformattedEnd, node.end) }
            }
            index += 1
        }
        endLine(&output)
    }

    /// Whether the captions are a quarter of the text and more. Then the page shows pictures, and says in their captions
    /// what it has to say.
    private func captionsAreText(_ root: Int) -> Bool {
        var caption: Int32 = 0
        var other: Int32 = 0
        var captionEnd: Int32 = 0
        var index = root
        while index < Int(tree.nodes[root].end) {
            let node = tree.nodes[index]
            if isDropped[index] {
                index = max(index + 1, Int(node.end))
                continue
            }
            if isCaption[index] { captionEnd = max(captionEnd, node.end) }
            if node.tag == .text {
                if Int32(index) < captionEnd {
                    caption += node.stop - node.start
                } else {
                    other += node.stop - node.start
                }
            }
            index += 1
        }
        return caption > 0 && caption * 3 >= other
    }

    private func endLine(_ output: inout [UInt8]) {
        while output.last == 0x20 { output.removeLast() }
        if let last = output.last, last != 0x0A { output.append(0x0A) }
    }
}
