internal import HTML

/// The hints of every element of a page, by node.
struct PageHints {
    private(set) var values: [Hints]

    init(_ tree: borrowing PageTree) {
        let words = HintWords.shared
        values = Array(repeating: [], count: tree.nodes.count)
        for index in tree.nodes.indices where tree.nodes[index].tag != .text {
            let node = tree.nodes[index]
            // The classes of the whole page describe its layout, not a part of it.
            if node.tag == .html || node.tag == .body || node.start == node.stop { continue }
            var hints: Hints = []
            for place in Int(node.start)..<Int(node.stop) {
                let attribute = tree.attributes[place]
                let value = tree.text[Int(attribute.start)..<Int(attribute.stop)]
                switch attribute.name {
                case .class, .id, .dataComponent, .dataTestid: hints.formUnion(Hints.of(value, words))
                case .itemprop: hints.formUnion(Self.ofProperty(value))
                case .role: hints.formUnion(Self.ofRole(value))
                case .hidden: hints.insert(.hidden)
                case .ariaHidden: if value.elementsEqual("true".utf8) { hints.insert(.hidden) }
                case .style: if InlineStyle.hides(value) { hints.insert(.hidden) }
                default: break
                }
            }
            if hints.contains(.notice) {
                // A note in the text is no part of the interface, though many systems name both alike.
                if standsInText(index, tree) { hints.remove(.interface) } else { hints.remove(.notice) }
            }
            values[index] = hints
        }
    }

    /// Whether an element is shown after a paragraph, a heading, a list, an example or another note, beside it.
    private func standsInText(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        guard Tag.traits[Int(tree.nodes[node].tag.rawValue)].contains(.block) else { return false }
        let parent = Int(tree.nodes[node].parent)
        guard parent >= 0 else { return false }
        // Before it, there is white space, or the end of the element before it.
        var before = node - 1
        while before > parent, Int(tree.nodes[before].parent) != parent { before = Int(tree.nodes[before].parent) }
        if before > parent, tree.nodes[before].tag == .text, tree.bytes(before).allSatisfy(\.isHTMLSpace) {
            before -= 1
            while before > parent, Int(tree.nodes[before].parent) != parent { before = Int(tree.nodes[before].parent) }
        }
        guard before > parent else { return false }
        switch tree.nodes[before].tag {
        case .p, .h1, .h2, .h3, .h4, .h5, .h6, .ul, .ol, .dl, .pre, .table, .blockquote, .figure, .details: return true
        default: return values[before].contains(.notice)
        }
    }

    private static func ofProperty(_ value: ArraySlice<UInt8>) -> Hints {
        switch value.count {
        case 11 where value.elementsEqual("articleBody".utf8): .article
        case 7 where value.elementsEqual("comment".utf8): .comments
        case 6 where value.elementsEqual("author".utf8): .byline
        default: []
        }
    }

    private static func ofRole(_ value: ArraySlice<UInt8>) -> Hints {
        switch String(decoding: value.prefix(16), as: UTF8.self).lowercased() {
        case "navigation", "menu", "menubar", "tablist", "toolbar": .navigation
        case "search", "dialog", "alertdialog", "button": .interface
        case "alert": [.interface, .notice]
        case "note": .notice
        case "complementary": .sidebar
        case "contentinfo": .footer
        case "main", "article": [.subject, .matter]
        default: []
        }
    }
}
