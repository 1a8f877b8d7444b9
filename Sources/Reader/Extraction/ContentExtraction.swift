/// Finds the part of a page that is its article.
///
/// There are four steps. First, boilerplate is dropped by its element, role or name. Second, every block of prose gives
/// points to the elements around it. Third, the element with the most points is widened to a container that is named
/// for an article or has more prose. Fourth, blocks of links and other additions are dropped inside it.
struct ContentExtraction {
    let tree: PageTree
    let hints: [Hints]
    var isDropped: [Bool]
    var measure: PageMeasure
    let traits = Tag.traits
    /// The length of the rendered text of the page before anything is dropped.
    let pageLength: Int
    var prose = ProseMeasure()
    var dateLine: [Int] = []

    static func content(of tree: PageTree, hints: [Hints], title: String?) -> Content {
        var extraction = ContentExtraction(tree, hints)
        extraction.prune()
        extraction.prose = ProseMeasure(tree, extraction.measure, extraction.isDropped)
        let root = extraction.chooseRoot()
        let leads = extraction.leads(before: root)
        extraction.clean(root, title: title.map(MetaText.skeleton))
        return Content(
            tree: tree, roots: leads + [root], isDropped: extraction.isDropped, isCaption: extraction.captions(root),
            dateLine: extraction.dateLine)
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

    /// Drops boilerplate by element, role or name, unless it contains most of the text of the page.
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
        case .aside where hints[index].contains(.notice): break
        case .nav, .aside, .button, .dialog: return length * 2 < pageLength
        case .footer: return length * 3 < pageLength
        case .form: return length * 4 < pageLength && measure.paragraphs(index, tree) < 3
        case .td, .th, .tr, .tbody, .article, .p: if length * 5 > pageLength { return false }
        default: break
        }
        let found = hints[index]
        if found.isDisjoint(with: .boilerplate) { return false }
        if isWording(index, node, length), found.isDisjoint(with: [.hidden, .interface]) { return false }
        // Names on an element with most of the text describe the layout around the article, except those of a dialog
        // that is not open yet.
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

    /// Whether an inline element is most of its heading. Then it is the wording of the heading, whatever its name says.
    private func isWording(_ index: Int, _ node: PageTree.Node, _ length: Int) -> Bool {
        guard node.tag == .a || node.tag == .span, length > 0 else { return false }
        let parent = Int(node.parent)
        return traits[Int(tree.nodes[parent].tag.rawValue)].contains(.heading)
            && length * 2 >= measure.textLength(parent, tree)
    }

    /// A teaser of another article has a link, or is one of several. A single one without a link is the introduction of
    /// this article.
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
}
