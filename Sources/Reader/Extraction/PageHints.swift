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
            values[index] = hints
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
        case "search", "dialog", "alertdialog", "alert", "button": .interface
        case "complementary": .sidebar
        case "contentinfo": .footer
        case "main", "article": [.subject, .matter]
        default: []
        }
    }
}
