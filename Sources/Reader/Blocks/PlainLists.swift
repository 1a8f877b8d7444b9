internal import HTML

/// Lists whose items hold a line of text each. One of which half is kept is kept whole.
enum PlainLists {
    static func complete(_ isKept: inout [Bool], _ features: BlockFeatures, _ isText: [Bool]) {
        let nodes = features.tree.nodes
        for list in nodes.indices where nodes[list].tag == .ul || nodes[list].tag == .ol {
            let range = features.sums.range(list)
            if range.isEmpty { continue }
            var items = 0
            var child = list + 1
            while child < Int(nodes[list].end) {
                if nodes[child].tag == .li { items += 1 }
                child = Int(nodes[child].end)
            }
            guard items >= 2, range.count <= items, range.count(where: { isKept[$0] }) * 2 >= range.count else {
                continue
            }
            for block in range where isText[block] { isKept[block] = true }
        }
    }
}
