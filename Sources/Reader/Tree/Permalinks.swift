internal import Characters

/// The small links at the headings of a page: to the heading itself (`¶`, `#`, `§`, a chain, or only a picture), and to
/// its editor.
///
/// They are not words of the page: titles, headings and text leave them out.
enum Permalinks {
    /// Turns them into `permalink` elements, which are never rendered.
    static func hide(in tree: inout PageTree) {
        /// The end of the open headings and terms. Only their permalinks may be words.
        var headingEnd: Int32 = 0
        for index in tree.nodes.indices {
            let node = tree.nodes[index]
            if Tag.traits[Int(node.tag.rawValue)].contains(.heading) || node.tag == .dt || node.tag == .caption {
                headingEnd = max(headingEnd, node.end)
            }
            // "[edit]" beside the headings of MediaWiki.
            if node.tag == .span, Int(node.end) - index < 24, let name = tree.value(index, .class),
                name.starts(with: "mw-editsection".utf8)
            {
                tree.nodes[index].tag = .permalink
                continue
            }
            guard node.tag == .a, Int(node.end) - index < 12, leadsWithin(tree, index) else { continue }
            let text = String(decoding: tree.collapsedText(index, limit: 24), as: UTF8.self)
            if isMark(text) || (Int32(index) < headingEnd && isNamed(tree, index) && isWord(text)) {
                tree.nodes[index].tag = .permalink
            }
        }
    }

    private static func leadsWithin(_ tree: PageTree, _ link: Int) -> Bool {
        guard let href = tree.value(link, .href) else { return false }
        return href.first == UInt8(ascii: "#") || (href.count < 2048 && href.contains(UInt8(ascii: "#")))
    }

    private static func isMark(_ text: String) -> Bool {
        guard text.unicodeScalars.count <= 3, !text.isEmpty else { return false }
        return text.unicodeScalars.allSatisfy { mark in
            switch mark {
            // Pilcrow, section, chain, anchor, their emoji selectors, and the private characters of icon fonts.
            case "¶", "#", "§", "🔗", "⚓", "∞", "\u{FE0E}", "\u{FE0F}", "\u{E000}"..."\u{F8FF}": true
            default: false
            }
        }
    }

    private static func isNamed(_ tree: PageTree, _ link: Int) -> Bool {
        guard let name = tree.value(link, .class) else { return false }
        let text = String(decoding: name.prefix(200), as: UTF8.self).lowercased()
        return ["headerlink", "permalink", "anchor", "heading-link", "headinglink"].contains { text.contains(text: $0) }
    }

    private static func isWord(_ text: String) -> Bool {
        ["link", "permalink", "anchor", "direct link", "copy link", "permanent link"].contains(text.lowercased())
    }
}
