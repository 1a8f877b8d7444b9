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
        extraction.clean(root, title: title.map(MetaText.skeleton))
        return Content(
            tree: tree, roots: leads + [root], isDropped: extraction.isDropped, isCaption: extraction.captions(root))
    }

    private init(_ tree: PageTree, _ hints: [Hints]) {
        self.tree = tree
        self.hints = hints
        isDropped = tree.nodes.map { Tag.traits[Int($0.tag.rawValue)].contains(.unrendered) }
        for index in NoscriptPictures.shown(in: tree) { isDropped[index] = false }
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
        case .form: return length * 4 < pageLength && measure.paragraphs(index, tree) < 3
        case .td, .th, .tr, .tbody, .article, .p: if length * 5 > pageLength { return false }
        default: break
        }
        let found = hints[index]
        if found.isDisjoint(with: .boilerplate) { return false }
        if isWording(index, node, length), found.isDisjoint(with: [.hidden, .interface]) { return false }
        // Names on text that is most of the page speak of the layout around the article; but not those of a dialog that is
        // yet to be opened.
        if length * 3 > pageLength {
            return length * 5 < pageLength * 4
                && (!found.isDisjoint(with: [.consent, .comments]) || found.isSuperset(of: [.hidden, .interface]))
                && found.isDisjoint(with: [.article, .subject, .matter])
        }
        if found.contains(.article), length * 10 > pageLength { return false }
        if found.contains(.teaser), found.isDisjoint(with: Hints.boilerplate.subtracting(.teaser)) {
            return isTeaser(index, node)
        }
        return true
    }

    /// Whether an inline element is most of its heading: then it is the heading's words, whatever the link in it is named for.
    private func isWording(_ index: Int, _ node: PageTree.Node, _ length: Int) -> Bool {
        guard node.tag == .a || node.tag == .span, length > 0 else { return false }
        let parent = Int(node.parent)
        return traits[Int(tree.nodes[parent].tag.rawValue)].contains(.heading)
            && length * 2 >= measure.textLength(parent, tree)
    }

    /// A teaser of another article has a link, or is one of several; one without is this article's own introduction.
    private func isTeaser(_ index: Int, _ node: PageTree.Node) -> Bool {
        if measure.linkLength(index, tree) > 0 { return true }
        var sibling = Int(node.parent) + 1
        let end = Int(tree.nodes[Int(node.parent)].end)
        var count = 0
        while sibling < end {
            if hints[sibling].contains(.teaser) { count += 1 }
            sibling = Int(tree.nodes[sibling].end)
        }
        return count > 1
    }

    // MARK: The root

    private mutating func chooseRoot() -> Int {
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
    ///
    /// At every step the neighbours of what was chosen so far are judged by themselves: lists of links and teasers are
    /// dropped, prose is a reason to take the container.
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

    /// Whether no prose stands before a node in its parent, or none behind it.
    private func isOutside(_ node: Int, _ parent: Int) -> Bool {
        prose.length(from: parent, to: node) == 0
            || prose.length(from: Int(tree.nodes[node].end), to: Int(tree.nodes[parent].end)) == 0
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

    private mutating func clean(_ root: Int, title: String?) {
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

    /// A short bold line may be a heading by its looks.
    private func isCaptionLine(_ index: Int, _ node: PageTree.Node) -> Bool {
        node.tag == .p && measure.textLength(index, tree) < 40 && Int(node.end) > index + 1
            && [.strong, .b].contains(tree.nodes[index + 1].tag)
    }

    /// Drops a section on something else than the article's subject: its heading and what follows up to the next one.
    private mutating func dropSection(_ heading: Int, in root: Int) -> Bool {
        let length = measure.textLength(heading, tree)
        guard length > 2, length < 80,
            prose.length(from: Int(tree.nodes[heading].end), to: Int(tree.nodes[root].end)) * 2
                < prose.length(root, tree),
            Pointers.isSectionHeading(tree.collapsedText(heading, limit: 120))
        else { return false }
        // The heading may stand alone in a box of its own.
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

    private func captions(_ root: Int) -> [Bool] {
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

    /// Drops the one line of date near the beginning, behind an introduction, with the labels and the name before it
    /// ("Author:", a name, "Published:").
    private mutating func dropDateLine(_ blocks: ArraySlice<Int>) {
        func isShort(_ block: Int, _ limit: Int32) -> Bool {
            let tag = tree.nodes[block].tag
            // Nothing else may stand inside.
            return measure.textLength(block, tree) < Int(limit) && prose.all[block] > 0 && !prose.hasStop[block]
                && (tag == .p || tag == .div || tag == .span)
        }
        let dates = blocks.indices.filter { isShort(blocks[$0], 25) && holdsYear(blocks[$0]) }
        guard dates.count == 1, let date = dates.first else { return }
        isDropped[blocks[date]] = true
        var place = date - 1
        while place >= blocks.startIndex, date - place <= 4, isShort(blocks[place], 30), !isDropped[blocks[place]] {
            if tree.collapsedText(blocks[place], limit: 40).last == UInt8(ascii: ":") {
                for block in blocks[place..<date] { isDropped[block] = true }
            }
            place -= 1
        }
    }

    /// Whether a block's text has a number like a year in it.
    private func holdsYear(_ block: Int) -> Bool {
        var digits: [UInt8] = []
        for byte in tree.collapsedText(block, limit: 200) + [0] {
            if isDigit(byte) {
                digits.append(byte)
            } else {
                if digits.count == 4, digits[0] == 0x32 || digits[0] == 0x31 { return true }
                digits = []
            }
        }
        return false
    }
}
