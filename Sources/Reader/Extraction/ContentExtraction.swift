/// Finds the part of a page that is its article.
///
/// In four steps: what is boilerplate by its element, role or name is dropped; every block of prose gives points to the
/// elements around it; the element with most points is widened or narrowed to the container that its names speak for;
/// inside it, blocks made of links and what stands around an article are dropped.
struct ContentExtraction {
    let tree: PageTree
    let hints: [Hints]
    var isDropped: [Bool]
    var measure: PageMeasure
    let traits = Tag.traits
    /// Text of the page before anything was dropped but what is never rendered.
    let pageLength: Int

    static func content(of tree: PageTree, hints: [Hints], title: String?) -> Content {
        var extraction = ContentExtraction(tree, hints)
        extraction.prune()
        let root = extraction.chooseRoot()
        extraction.clean(root, title: title)
        return Content(tree: tree, roots: [root], isDropped: extraction.isDropped)
    }

    private init(_ tree: PageTree, _ hints: [Hints]) {
        self.tree = tree
        self.hints = hints
        isDropped = tree.nodes.map { Tag.traits[Int($0.tag.rawValue)].contains(.unrendered) }
        measure = PageMeasure(tree, isDropped: isDropped)
        pageLength = measure.textLength(0, tree)
    }

    // MARK: Boilerplate

    /// Drops what is boilerplate by element, role or name, unless most of the page's text is in it.
    private mutating func prune() {
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if isDropped[index] || isBoilerplate(index, node) {
                isDropped[index] = true
                index = Int(node.end)
                continue
            }
            index += 1
        }
        measure = PageMeasure(tree, isDropped: isDropped)
    }

    private func isBoilerplate(_ index: Int, _ node: PageTree.Node) -> Bool {
        let length = measure.textLength(index, tree)
        switch node.tag {
        case .body, .html, .main, .document, .h1: return false
        case .nav, .aside, .button, .dialog: return length * 2 < pageLength
        case .footer: return length * 3 < pageLength
        case .form: return length * 4 < pageLength
        case .td, .th, .tr, .tbody, .article, .p: if length * 5 > pageLength { return false }
        default: break
        }
        let found = hints[index]
        if found.isDisjoint(with: .boilerplate) { return false }
        // Names on text that is most of the page speak of the layout around the article.
        if length * 3 > pageLength { return false }
        if found.contains(.article), length * 10 > pageLength { return false }
        return true
    }

    // MARK: The root

    private func chooseRoot() -> Int {
        var scores = [Float](repeating: 0, count: tree.nodes.count)
        var blocks: [(end: Int32, node: Int)] = []
        var ownText: Int32 = 0
        _ = ownText
        var own = [Int32](repeating: 0, count: tree.nodes.count)
        ownText = 0
        var index = 0
        while index < tree.nodes.count {
            while let last = blocks.last, last.end <= Int32(index) { blocks.removeLast() }
            let node = tree.nodes[index]
            if isDropped[index] {
                index = Int(node.end)
                continue
            }
            if node.tag == .text {
                if let block = blocks.last?.node {
                    own[block] += Int32(measure.textLength(index, tree) - measure.linkLength(index, tree))
                }
            } else if traits[Int(node.tag.rawValue)].contains(.block) {
                blocks.append((node.end, index))
            }
            index += 1
        }
        for index in tree.nodes.indices where own[index] >= 25 {
            let tag = tree.nodes[index].tag
            if traits[Int(tag.rawValue)].contains(.heading) { continue }
            var points = 1 + Float(min(own[index] / 100, 3)) + Float(min(measure.commas(index, tree), 20))
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
        return widen(best, scores)
    }

    private func body() -> Int { tree.nodes.indices.first { tree.nodes[$0].tag == .body } ?? 0 }

    /// Goes up from the best element to the container that is named for the article, or that holds more of its prose.
    private func widen(_ best: Int, _ scores: [Float]) -> Int {
        var chosen = best
        var node = Int(tree.nodes[best].parent)
        while node > 0 {
            let tag = tree.nodes[node].tag
            if tag == .body || tag == .html { break }
            let inner = measure.textLength(chosen, tree) - measure.linkLength(chosen, tree)
            let outer = measure.textLength(node, tree) - measure.linkLength(node, tree)
            let isNamed = hints[node].contains(.article) || tag == .article
            let gain = Double(outer - inner) / Double(max(1, inner))
            if isNamed, gain < 2 || inner < 200 {
                chosen = node
            } else if gain > 0.3, measure.linkDensity(node, tree) < 0.3, scores[node] > scores[chosen] * 0.75 {
                chosen = node
            } else if gain == 0 {
                chosen = node
            }
            node = Int(tree.nodes[node].parent)
        }
        return chosen
    }

    // MARK: Inside the root

    private mutating func clean(_ root: Int, title: String?) {
        var index = root + 1
        let end = Int(tree.nodes[root].end)
        while index < end {
            let node = tree.nodes[index]
            if isDropped[index] {
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
    }

    private func isNoise(_ index: Int, _ node: PageTree.Node) -> Bool {
        let text = measure.textLength(index, tree)
        let link = measure.linkLength(index, tree)
        switch node.tag {
        case .ul, .ol, .dl, .table:
            return text > 0 && link * 3 > text * 2 && text < 2000
        case .div, .section, .article, .header, .details:
            return text > 0 && link * 2 > text && text - link < 200
        case .p:
            return text > 0 && link * 10 > text * 9 && text < 100
        case .h1: return true
        default: return false
        }
    }
}
