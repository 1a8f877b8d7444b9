/// Sums over the nodes of a page in document order, so that each figure of a subtree is one subtraction.
///
/// Lengths count characters. A character of a script without spaces (CJK) counts as two.
struct PageMeasure {
    /// The sums before a node. There is one entry more than there are nodes.
    private var textBefore: [Int32] = []
    private var linkTextBefore: [Int32] = []
    private var commasBefore: [Int32] = []
    private var paragraphsBefore: [Int32] = []

    /// - Parameter isDropped: nodes that are not counted, with everything inside them.
    init(_ tree: borrowing PageTree, isDropped: [Bool]) {
        let count = tree.nodes.count
        textBefore.reserveCapacity(count + 1)
        linkTextBefore.reserveCapacity(count + 1)
        commasBefore.reserveCapacity(count + 1)
        paragraphsBefore.reserveCapacity(count + 1)
        var text: Int32 = 0, link: Int32 = 0, commas: Int32 = 0, paragraphs: Int32 = 0
        var linkEnd: Int32 = 0
        var dropEnd: Int32 = 0
        tree.nodes.withUnsafeBufferPointer { nodes in
            tree.text.withUnsafeBufferPointer { bytes in
                for index in 0..<count {
                    textBefore.append(text)
                    linkTextBefore.append(link)
                    commasBefore.append(commas)
                    paragraphsBefore.append(paragraphs)
                    let node = nodes[index]
                    if Int32(index) < dropEnd { continue }
                    if isDropped[index] {
                        dropEnd = node.end
                        continue
                    }
                    switch node.tag {
                    case .text:
                        let measured = Self.measure(bytes, Int(node.start), Int(node.stop))
                        text &+= measured.length
                        commas &+= measured.commas
                        if Int32(index) < linkEnd { link &+= measured.length }
                    case .a: linkEnd = max(linkEnd, node.end)
                    case .p: paragraphs += 1
                    default: break
                    }
                }
            }
        }
        textBefore.append(text)
        linkTextBefore.append(link)
        commasBefore.append(commas)
        paragraphsBefore.append(paragraphs)
    }

    private static func measure(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int
    ) -> (length: Int32, commas: Int32) {
        var length: Int32 = 0
        var commas: Int32 = 0
        var wasSpace = true
        for index in start..<stop {
            let byte = bytes[index]
            if byte <= 0x20 {
                if !wasSpace { length &+= 1 }
                wasSpace = true
                continue
            }
            wasSpace = false
            if byte & 0xC0 == 0x80 { continue }
            length &+= byte >= 0xE3 && byte < 0xF0 ? 2 : 1
            if byte == 0x2C || byte == 0xE3 && index + 2 < stop && bytes[index + 1] == 0x80 && bytes[index + 2] <= 0x82
            {
                // A comma, an ideographic comma or an ideographic full stop.
                commas &+= 1
            }
        }
        return (length, commas)
    }

    func textLength(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(textBefore[Int(tree.nodes[node].end)] - textBefore[node])
    }
    func linkLength(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(linkTextBefore[Int(tree.nodes[node].end)] - linkTextBefore[node])
    }
    func commas(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(commasBefore[Int(tree.nodes[node].end)] - commasBefore[node])
    }
    func paragraphs(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(paragraphsBefore[Int(tree.nodes[node].end)] - paragraphsBefore[node])
    }
    func linkDensity(_ node: Int, _ tree: borrowing PageTree) -> Double {
        let text = textLength(node, tree)
        return text == 0 ? 0 : Double(linkLength(node, tree)) / Double(text)
    }
    func textLength(from start: Int, to end: Int) -> Int { Int(textBefore[end] - textBefore[start]) }
}
