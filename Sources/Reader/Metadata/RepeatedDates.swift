internal import Characters
internal import HTML

/// The dates of other pages in a page that lists them: three different ones or more, each in an element of the same kind
/// at the same depth. None of them is the date of the page. Dates that only rise are those of a conversation, whose first
/// one is.
enum RepeatedDates {
    private static let limit = 2000

    /// - Returns: the elements that hold such dates.
    static func nodes(in tree: borrowing PageTree, _ reading: DateReading) -> Set<Int> {
        var groups: [[UInt8]: (nodes: [Int], dates: [String])] = [:]
        var ends: [Int32] = []
        var index = 0
        var found = 0
        while index < tree.nodes.count, found < limit {
            let node = tree.nodes[index]
            while let last = ends.last, last <= Int32(index) { ends.removeLast() }
            if node.tag != .text {
                if Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) {
                    index = Int(node.end)
                    continue
                }
                if let date = date(of: index, tree, reading) {
                    found += 1
                    var key = Array("\(node.tag.rawValue) \(ends.count) ".utf8)
                    if let name = tree.value(index, .class) { key += name.prefix(200) }
                    groups[key, default: ([], [])].nodes.append(index)
                    groups[key, default: ([], [])].dates.append(date)
                }
                ends.append(node.end)
            }
            index += 1
        }
        var nodes: Set<Int> = []
        for group in groups.values where Set(group.dates).count >= 3 && !isRising(group.dates) {
            nodes.formUnion(group.nodes)
        }
        return nodes
    }

    private static func isRising(_ dates: [String]) -> Bool { zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 } }

    /// The date of an element that holds hardly more than it: a `time`, or one short text.
    private static func date(of node: Int, _ tree: borrowing PageTree, _ reading: DateReading) -> String? {
        if tree.nodes[node].tag == .time {
            if let value = tree.value(node, .datetime), let found = reading.first(in: value) { return found.text }
            return reading.first(in: tree.collapsedText(node, limit: 100))?.text
        }
        // The text is the element's own first child.
        let text = node + 1
        guard Int(tree.nodes[node].end) - node <= 4, text < tree.nodes.count, tree.nodes[text].tag == .text,
            Int(tree.nodes[text].parent) == node, tree.nodes[text].stop - tree.nodes[text].start < 60,
            tree.bytes(text).contains(where: { $0.isDigit || $0 >= 0x80 })
        else { return nil }
        return reading.first(in: tree.bytes(text))?.text
    }
}
