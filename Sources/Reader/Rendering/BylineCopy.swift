import Characters
internal import Characters

/// A line of an article's beginning that only repeats the authors, which are shown above the article.
enum BylineCopy {
    /// Lines from the beginning in which a byline is looked for.
    private static let lineLimit = 6
    /// Bytes of a longer line are running text.
    private static let byteLimit = 160

    /// The content without such a line.
    static func removed(from content: Content, authors: [String]) -> Content {
        if authors.isEmpty { return content }
        let shown = authors.map(MetaText.skeleton).joined()
        var content = content
        var lineCount = 0
        for root in content.roots {
            var index = root
            while index < Int(content.tree.nodes[root].end) {
                let node = content.tree.nodes[index]
                // A heading with the name begins a part about the person; in a quote, a list or a table it belongs to what
                // is there.
                if content.isDropped[index] || Self.isApart(node.tag) {
                    index = Int(node.end)
                    continue
                }
                guard node.tag != .text, Tag.traits[Int(node.tag.rawValue)].contains(.block),
                    !holdsBlock(index, content)
                else {
                    index += 1
                    continue
                }
                let line = String(decoding: content.tree.collapsedText(index, limit: byteLimit + 1), as: UTF8.self)
                if !line.isEmpty { lineCount += 1 }
                if isByline(line, shown, authors.count) {
                    for each in index..<Int(node.end) { content.isDropped[each] = true }
                    return content
                }
                if lineCount == lineLimit { return content }
                index = Int(node.end)
            }
        }
        return content
    }

    private static func isApart(_ tag: Tag) -> Bool {
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6, .blockquote, .ul, .ol, .dl, .table, .figure, .pre, .details: true
        default: false
        }
    }

    private static func holdsBlock(_ node: Int, _ content: Content) -> Bool {
        content.tree.nodes[(node + 1)..<Int(content.tree.nodes[node].end)].contains {
            $0.tag != .text && Tag.traits[Int($0.tag.rawValue)].contains(.block)
        }
    }

    /// Whether a line says nothing but the names, with "by" before them and "and" between them.
    private static func isByline(_ line: String, _ shown: String, _ count: Int) -> Bool {
        guard !line.isEmpty, line.utf8.count <= byteLimit, !line.hasSuffix(":") else { return false }
        let text = AuthorName.withoutPrefix(line)
        if MetaText.skeleton(text) == shown { return true }
        if count < 2 { return false }
        let joined = [" and ", " und ", " et ", " y ", " e ", " en "].contains { word in
            text.contains(text: word) && MetaText.skeleton(text.replacing(text: word, with: ", ")) == shown
        }
        return joined
    }
}

extension Article {
    /// The article as it is shown below its authors.
    var contentWithoutByline: Content { BylineCopy.removed(from: content, authors: authors) }
}
