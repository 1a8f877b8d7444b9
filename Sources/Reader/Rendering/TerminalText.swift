/// An article or a reader.html as plain text for a terminal: wrapped to a width, lists with bullets, quotes with `>`, code
/// indented, tables as columns where they fit, links numbered and listed at the end.
///
/// Control characters and characters that change the direction of text are dropped, so that a page cannot send commands
/// to the terminal.
package enum TerminalText {
    /// - Parameter width: columns, at least 20.
    package static func render(_ article: Article, width: Int, listsLinks: Bool = true) -> String {
        let content = article.contentWithoutByline
        var writer = TerminalWriter(
            tree: content.tree, isDropped: content.isDropped, width: max(20, width),
            listsLinks: listsLinks,
            links: LinkResolution(base: article.base, page: article.base))
        if let title = article.title { writer.heading(title) }
        let facts = [
            article.authors.joined(separator: ", "), article.published.map { String($0.prefix(10)) } ?? "",
            article.siteName ?? "",
        ]
        writer.line(facts.filter { !$0.isEmpty }.joined(separator: " · "))
        for root in content.roots { writer.write(root) }
        return writer.finish()
    }

    /// - Parameter page: reader.html or another page in UTF-8. All of it is shown.
    package static func render(whole page: [UInt8], width: Int, listsLinks: Bool = true) -> String {
        var tree = PageParser.parse(page)
        SlottedContent.place(in: &tree)
        var isDropped = tree.nodes.map { Tag.traits[Int($0.tag.rawValue)].contains(.unrendered) }
        FormulaTwins.drop(in: tree, &isDropped)
        var writer = TerminalWriter(
            tree: tree, isDropped: isDropped, width: max(20, width), listsLinks: listsLinks,
            links: LinkResolution(base: nil, page: nil))
        writer.write(tree.nodes.firstIndex { $0.tag == .body } ?? 0)
        return writer.finish()
    }
}
