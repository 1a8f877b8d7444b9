internal import HTML

/// What a page folds up, such as a question and its answer. People see its first line and open it, so it is text where
/// it has text: a summary without a link, and a body. Where a page folds up more than it shows, the model decides.
enum OpenDetails {
    static func complete(_ isKept: inout [Bool], _ features: BlockFeatures, _ isText: [Bool]) {
        let nodes = features.tree.nodes
        let blocks = features.blocks.blocks
        var added: [Int] = []
        var index = 0
        while index < nodes.count {
            guard nodes[index].tag == .details else {
                index += 1
                continue
            }
            let range = features.sums.range(index)
            if range.count > 1, range.allSatisfy({ isText[$0] }) { added += range }
            index = max(index + 1, Int(nodes[index].end))
        }
        let words = added.reduce(Float(0)) { $0 + (isKept[$1] ? 0 : blocks[$1].words) }
        let kept = isKept.indices.reduce(Float(0)) { $0 + (isKept[$1] ? blocks[$1].words : 0) }
        if words * 2 > kept { return }
        for block in added { isKept[block] = true }
    }
}
