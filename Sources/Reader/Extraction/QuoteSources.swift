import Characters

/// Who said what a quote says: a footer or a `cite` in it, or the caption of a figure that holds the quote.
enum QuoteSources {
    /// The bytes of a line that names a source. More is text of its own.
    private static let byteLimit = 300
    /// Nodes up to a quote around a source.
    private static let depthLimit = 4

    /// Keeps the sources of the quotes that are kept.
    static func keep(in content: inout Content) {
        for root in content.roots {
            var dropEnd = root
            for index in root..<Int(content.tree.nodes[root].end) {
                let node = content.tree.nodes[index]
                if index < dropEnd { continue }
                if content.isDropped[index] {
                    dropEnd = Int(node.end)
                } else if node.tag == .blockquote, holdsText(index, content) {
                    keepSources(of: index, &content)
                }
            }
        }
    }

    private static func holdsText(_ quote: Int, _ content: Content) -> Bool {
        var index = quote + 1
        while index < Int(content.tree.nodes[quote].end) {
            if content.isDropped[index] {
                index = Int(content.tree.nodes[index].end)
                continue
            }
            if content.tree.nodes[index].tag == .text, content.tree.bytes(index).contains(where: { !$0.isHTMLSpace }) {
                return true
            }
            index += 1
        }
        return false
    }

    private static func keepSources(of quote: Int, _ content: inout Content) {
        for index in quote + 1..<max(quote + 1, Int(content.tree.nodes[quote].end)) {
            switch content.tree.nodes[index].tag {
            case .footer, .cite: restore(index, in: quote, &content)
            default: break
            }
        }
        guard let figure = content.tree.ancestor(quote, where: { content.tree.nodes[$0].tag == .figure }),
            figure < quote, !holdsPicture(figure, content.tree)
        else { return }
        for index in figure + 1..<Int(content.tree.nodes[figure].end)
        where content.tree.nodes[index].tag == .figcaption {
            restore(index, in: figure, &content)
            // It is a line of the text, as the quote is.
            if isShort(index, content.tree) { content.isCaption[index] = false }
        }
    }

    private static func holdsPicture(_ figure: Int, _ tree: borrowing PageTree) -> Bool {
        for index in figure + 1..<Int(tree.nodes[figure].end) where Picture.isOne(index, tree) { return true }
        return false
    }

    private static func isShort(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        let count = tree.collapsedText(node, limit: byteLimit + 1).count
        return count > 0 && count <= byteLimit
    }

    /// Keeps a node with all that is shown in it, and the elements around it without their other content.
    private static func restore(_ node: Int, in quote: Int, _ content: inout Content) {
        let nodes = content.tree.nodes
        guard isShort(node, content.tree) else { return }
        var path = [node]
        while let last = path.last, Int(nodes[last].parent) != quote {
            if path.count > depthLimit { return }
            path.append(Int(nodes[last].parent))
        }
        for element in path.dropFirst().reversed() where content.isDropped[element] {
            content.isDropped[element] = false
            var child = element + 1
            while child < Int(nodes[element].end) {
                content.isDropped[child] = true
                child = Int(nodes[child].end)
            }
        }
        var index = node
        while index < Int(nodes[node].end) {
            if Tag.traits[Int(nodes[index].tag.rawValue)].contains(.unrendered) {
                index = Int(nodes[index].end)
                continue
            }
            content.isDropped[index] = false
            index += 1
        }
        // The dash before it.
        let before = node - 1
        if nodes[before].tag == .text, nodes[before].parent == nodes[node].parent,
            content.tree.bytes(before).count <= 8
        {
            content.isDropped[before] = false
        }
    }
}
