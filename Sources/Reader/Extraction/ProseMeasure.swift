import Characters

/// The amount of running text in each block itself and in each subtree.
struct ProseMeasure {
    /// Characters of text outside links whose nearest block is this node.
    private(set) var own: [Int32] = []
    /// The same with links.
    private(set) var all: [Int32] = []
    /// Whether the block's own text reads as sentences.
    private(set) var isProse: [Bool] = []
    /// Whether the block's own text ends a sentence somewhere.
    private(set) var hasStop: [Bool] = []
    /// The amount of prose before a node. It has one entry more than there are nodes.
    private var before: [Int32] = []
    /// The number of headings that are links before a node.
    private var headingsBefore: [Int32] = []

    init() {}

    init(_ tree: borrowing PageTree, _ measure: borrowing PageMeasure, _ isDropped: [Bool]) {
        let count = tree.nodes.count
        own = Array(repeating: 0, count: count)
        all = Array(repeating: 0, count: count)
        isProse = Array(repeating: false, count: count)
        hasStop = Array(repeating: false, count: count)
        var blocks: [(end: Int32, node: Int)] = []
        let traits = Tag.traits
        var index = 0
        while index < count {
            while let last = blocks.last, last.end <= Int32(index) { blocks.removeLast() }
            let node = tree.nodes[index]
            if isDropped[index] {
                index = Int(node.end)
                continue
            }
            if node.tag == .text {
                if let block = blocks.last?.node {
                    let length = Int32(measure.textLength(index, tree))
                    all[block] &+= length
                    own[block] &+= length - Int32(measure.linkLength(index, tree))
                    if !hasStop[block], length > 2 { hasStop[block] = Self.hasStop(tree, node) }
                }
            } else if traits[Int(node.tag.rawValue)].contains(.block) {
                blocks.append((node.end, index))
            }
            index += 1
        }
        before.reserveCapacity(count + 1)
        headingsBefore.reserveCapacity(count + 1)
        var sum: Int32 = 0
        var headings: Int32 = 0
        for index in 0..<count {
            before.append(sum)
            headingsBefore.append(headings)
            if traits[Int(tree.nodes[index].tag.rawValue)].contains(.heading) {
                if all[index] > 15, own[index] * 5 < all[index], !Self.linksWithin(tree, index) { headings &+= 1 }
                continue
            }
            if tree.nodes[index].tag == .a, Self.holdsHeading(tree, index) { headings &+= 1 }
            let isLong = own[index] >= 120 || (own[index] >= 40 && hasStop[index])
            if isLong, own[index] * 2 >= all[index] {
                isProse[index] = true
                sum &+= own[index]
            }
        }
        before.append(sum)
        headingsBefore.append(headings)
    }

    /// Whether the first link of a heading leads to a place in the same page, such as the table of contents.
    private static func linksWithin(_ tree: borrowing PageTree, _ heading: Int) -> Bool {
        for index in heading + 1..<max(heading + 1, min(Int(tree.nodes[heading].end), heading + 12))
        where tree.nodes[index].tag == .a {
            return tree.value(index, .href).map { $0.first == UInt8(ascii: "#") } ?? true
        }
        return false
    }

    private static func holdsHeading(_ tree: borrowing PageTree, _ link: Int) -> Bool {
        var index = link + 1
        while index < min(Int(tree.nodes[link].end), link + 12) {
            if Tag.traits[Int(tree.nodes[index].tag.rawValue)].contains(.heading) { return true }
            index += 1
        }
        return false
    }

    func length(from start: Int, to end: Int) -> Int { end > start ? Int(before[end] - before[start]) : 0 }

    /// The number of headings of a subtree that are links, as in teasers of other pages.
    func linkedHeadings(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(headingsBefore[Int(tree.nodes[node].end)] - headingsBefore[node])
    }

    /// Characters of prose in a subtree.
    func length(_ node: Int, _ tree: borrowing PageTree) -> Int {
        Int(before[Int(tree.nodes[node].end)] - before[node])
    }

    /// Whether a text ends a sentence somewhere.
    private static func hasStop(_ tree: borrowing PageTree, _ node: PageTree.Node) -> Bool {
        tree.text.withUnsafeBufferPointer { bytes in
            var at = Int(node.start) + 1
            let stop = Int(node.stop)
            while at < stop {
                let byte = bytes[at]
                if byte == 0x2E || byte == 0x21 || byte == 0x3F {
                    if at + 1 >= stop || bytes[at + 1].isHTMLSpace || bytes[at + 1] == 0x22 { return true }
                } else if byte == 0x82 && bytes[at - 1] == 0x80 {
                    // The ideographic full stop and neighbouring characters.
                    return true
                }
                at += 1
            }
            return false
        }
    }
}
