/// Finds the part of a page that is its article.
///
/// In four steps: what is boilerplate by its element, role or name is dropped; every block of prose gives points to the
/// elements around it; the element with most points is widened to the container that its names speak for or that holds more
/// prose; inside it, blocks made of links and what stands around an article are dropped.
struct ContentExtraction {
    let tree: PageTree
    let hints: [Hints]
    var isDropped: [Bool]
    var measure: PageMeasure
    let traits = Tag.traits
    /// Text of the page before anything was dropped but what is never rendered.
    let pageLength: Int
    private var prose = ProseMeasure()

    static func content(of tree: PageTree, hints: [Hints], title: String?) -> Content {
        var extraction = ContentExtraction(tree, hints)
        extraction.prune()
        extraction.prose = ProseMeasure(tree, extraction.measure, extraction.isDropped)
        let root = extraction.chooseRoot()
        let leads = extraction.leads(before: root)
        extraction.clean(root)
        return Content(tree: tree, roots: leads + [root], isDropped: extraction.isDropped)
    }

    private init(_ tree: PageTree, _ hints: [Hints]) {
        self.tree = tree
        self.hints = hints
        isDropped = tree.nodes.map { Tag.traits[Int($0.tag.rawValue)].contains(.unrendered) }
        var measure = PageMeasure(tree, isDropped: isDropped)
        if measure.textLength(0, tree) < 400 {
            // Some pages put all their text into `noscript`.
            for index in tree.nodes.indices where tree.nodes[index].tag == .noscript { isDropped[index] = false }
            measure = PageMeasure(tree, isDropped: isDropped)
        }
        self.measure = measure
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
        if length * 3 > pageLength, !found.contains(.consent) { return false }
        if found.contains(.article), length * 10 > pageLength { return false }
        if found.contains(.teaser), found.isDisjoint(with: Hints.boilerplate.subtracting(.teaser)) {
            return isTeaser(index, node)
        }
        return true
    }

    /// A teaser of another article has a link, or is one of several; one without is this article's own introduction.
    private func isTeaser(_ index: Int, _ node: PageTree.Node) -> Bool {
        if measure.linkLength(index, tree) > 0 { return true }
        var sibling = Int(tree.nodes[Int(node.parent)].start) == -1 ? 0 : Int(node.parent) + 1
        let end = Int(tree.nodes[Int(node.parent)].end)
        var count = 0
        while sibling < end {
            if hints[sibling].contains(.teaser) { count += 1 }
            sibling = Int(tree.nodes[sibling].end)
        }
        return count > 1
    }

    // MARK: The root

    private func chooseRoot() -> Int {
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

    /// Goes up from the best element to the container that is named for the article, or that holds more of its prose.
    private func widen(_ best: Int) -> Int {
        var chosen = best
        var node = Int(tree.nodes[best].parent)
        while node > 0 {
            let tag = tree.nodes[node].tag
            if tag == .html { break }
            let inner = prose.length(chosen, tree)
            let outer = prose.length(node, tree)
            let gain = Double(outer - inner) / Double(max(1, inner))
            let addedText = measure.textLength(node, tree) - measure.textLength(chosen, tree)
            let addedLink = measure.linkLength(node, tree) - measure.linkLength(chosen, tree)
            let addedDensity = addedText == 0 ? 0 : Double(addedLink) / Double(addedText)
            if tree.nodes[chosen].tag == .article, articles(in: node) > 1 { break }
            let isNamed = hints[node].contains(.article) || tag == .article
            if isNamed, gain < 2 || inner < 200 {
                chosen = node
            } else if gain > 0.1, addedDensity < 0.35, gain < 3 || inner < 600 {
                chosen = node
            }
            node = Int(tree.nodes[node].parent)
        }
        return chosen
    }

    private func articles(in node: Int) -> Int {
        var count = 0
        var child = node + 1
        while child < Int(tree.nodes[node].end) {
            if tree.nodes[child].tag == .article, prose.length(child, tree) > 200 { count += 1 }
            child = Int(tree.nodes[child].end)
        }
        return count
    }

    /// Prose between the title's heading and the root: the introduction, where a page keeps it apart.
    private func leads(before root: Int) -> [Int] {
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

    // MARK: Inside the root

    private mutating func clean(_ root: Int) {
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
        dropEdges(root)
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
        case .h1, .address: return true
        default: return false
        }
    }

    /// Drops headings that nothing follows, and short lines before the first prose (date, place, reading time).
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
        // A heading is empty where the next block is a heading of the same or a higher level, or there is none.
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
        guard
            let first = blocks.firstIndex(where: {
                prose.isProse[$0] && !traits[Int(tree.nodes[$0].tag.rawValue)].contains(.heading)
            }),
            first < 12
        else { return }
        for block in blocks[..<first] {
            let tag = tree.nodes[block].tag
            if traits[Int(tag.rawValue)].contains(.heading) || tag == .pre || tag == .td || tag == .th { continue }
            if prose.all[block] < 60, Int(tree.nodes[block].end) <= blocks[first] { isDropped[block] = true }
        }
    }
}
