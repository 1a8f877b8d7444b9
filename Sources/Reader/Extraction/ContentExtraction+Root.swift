/// Choosing the element that holds the article.
extension ContentExtraction {
    mutating func chooseRoot() -> Int {
        var scores = [Float](repeating: 0, count: tree.nodes.count)
        for index in tree.nodes.indices where prose.own[index] >= 25 {
            let tag = tree.nodes[index].tag
            if traits[Int(tag.rawValue)].contains(.heading) { continue }
            var points = 1 + Float(min(prose.own[index] / 100, 3)) + Float(min(measure.commas(index, tree), 20))
            if tag == .li || tag == .td || tag == .dd { points /= 2 }
            var node =
                tag == .p || tag == .li || tag == .blockquote || tag == .pre ? Int(tree.nodes[index].parent) : index
            var level: Float = 0
            while node > 0, level < 6 {
                let around = tree.nodes[node].tag
                if traits[Int(around.rawValue)].contains(.block) {
                    scores[node] += level == 0 ? points : level == 1 ? points / 2 : points / (level * 3)
                    level += 1
                }
                node = Int(tree.nodes[node].parent)
            }
        }
        var best = 0
        var bestScore: Float = 0
        for index in tree.nodes.indices where scores[index] > 0 {
            var score = scores[index]
            let found = hints[index]
            if found.contains(.article) { score += 25 }
            if !found.isDisjoint(with: [.subject, .matter]) { score += 10 }
            switch tree.nodes[index].tag {
            case .article, .main: score += 15
            case .div: score += 5
            case .ul, .ol, .li, .dl, .form, .address: score -= 3
            case .td, .blockquote, .pre: score += 3
            default: break
            }
            score *= Float(1 - measure.linkDensity(index, tree))
            if score > bestScore {
                bestScore = score
                best = index
            }
        }
        if best == 0 { return body() }
        return widen(best)
    }

    private func body() -> Int { tree.nodes.indices.first { tree.nodes[$0].tag == .body } ?? 0 }

    /// Goes up from the best element to a container that is named for an article, or has more of its prose.
    ///
    /// Each step judges the siblings of the current choice one by one. Lists of links and teasers are dropped. Prose is
    /// a reason to choose the container.
    private mutating func widen(_ best: Int) -> Int {
        var chosen = best
        var path = best
        var rejected: [Int] = []
        var node = Int(tree.nodes[best].parent)
        while node > 0, tree.nodes[node].tag != .html {
            let inner = prose.length(chosen, tree)
            var gain = 0
            var hasTwin = false
            var bad: [Int] = []
            var neutral: [Int] = []
            var child = node + 1
            while child < Int(tree.nodes[node].end) {
                if child != path, !isDropped[child], tree.nodes[child].tag != .text {
                    switch judge(child, beside: path, inner) {
                    case .prose: gain += prose.length(child, tree)
                    case .twin:
                        gain += prose.length(child, tree)
                        hasTwin = true
                    case .neutral: neutral.append(child)
                    case .links: bad.append(child)
                    }
                }
                child = Int(tree.nodes[child].end)
            }
            let tag = tree.nodes[node].tag
            let isNamed = hints[node].contains(.article) || tag == .article
            let chosenTag = tree.nodes[chosen].tag
            let isSettled = hints[chosen].contains(.article) || chosenTag == .article || chosenTag == .main
            let share = Double(gain) / Double(max(1, inner))
            if isNamed, share < 2 || inner < 200 {
                chosen = node
                rejected += bad
            } else if share > 0.1,
                hasTwin || (share > (isSettled && inner > 400 ? 0.6 : 0.1) && (share < 6 || inner < 600))
            {
                chosen = node
                rejected += bad
                rejected += neutral.filter { $0 > chosen && isOutside($0, node) }
            } else {
                rejected += bad + neutral
            }
            path = node
            node = Int(tree.nodes[node].parent)
        }
        for node in rejected where node > chosen && node < Int(tree.nodes[chosen].end) { isDropped[node] = true }
        return chosen
    }

    private enum Neighbour { case prose, twin, neutral, links }

    private func judge(_ node: Int, beside path: Int, _ inner: Int) -> Neighbour {
        let text = measure.textLength(node, tree)
        if text == 0 { return .neutral }
        let density = measure.linkDensity(node, tree)
        let length = prose.length(node, tree)
        let linked = prose.linkedHeadings(node, tree)
        if linked > 0, length < inner || linked > 2 { return .links }
        if density > 0.4, text > 25 { return .links }
        if length > 0, density < 0.25, length * 2 > text {
            if tree.nodes[node].tag == tree.nodes[path].tag, let name = tree.value(node, .class), !name.isEmpty,
                let other = tree.value(path, .class), name == other
            {
                return .twin
            }
            return .prose
        }
        return .neutral
    }

    /// Whether there is no prose before a node in its parent, or none after it.
    private func isOutside(_ node: Int, _ parent: Int) -> Bool {
        prose.length(from: parent, to: node) == 0
            || prose.length(from: Int(tree.nodes[node].end), to: Int(tree.nodes[parent].end)) == 0
    }

    /// The prose between the heading of the title and the root: a separate introduction.
    func leads(before root: Int) -> [Int] {
        var heading: Int?
        var index = root - 1
        // The nearest first-level heading before the root.
        while index > 0, heading == nil, root - index < 400 {
            if tree.nodes[index].tag == .h1 { heading = index }
            index -= 1
        }
        guard let heading else { return [] }
        var leads: [Int] = []
        index = Int(tree.nodes[heading].end)
        while index < root {
            let node = tree.nodes[index]
            if isDropped[index] {
                index = Int(node.end)
                continue
            }
            if Int(node.end) <= root, node.tag != .text, traits[Int(node.tag.rawValue)].contains(.block),
                prose.own[index] >= 40, prose.isProse[index], hints[index].isDisjoint(with: [.meta, .caption, .date])
            {
                leads.append(index)
                index = Int(node.end)
                continue
            }
            index += 1
        }
        return leads
    }
}
