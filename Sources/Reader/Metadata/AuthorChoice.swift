/// Chooses the authors: JSON-LD, then `meta`, then microdata and links marked as the author's, then bylines.
struct AuthorChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let siteName: String?

    func authors() -> [String] {
        let fromData = names(data.authors)
        if !fromData.isEmpty { return fromData }
        for key in [
            "author", "article:author", "dc.creator", "dcterms.creator", "dc:creator", "parsely-author",
            "sailthru.author", "citation_author", "og:author", "og:article:author", "byl",
            "shareaholic:article_author_name",
        ] {
            let found = names(tags.all(key))
            if !found.isEmpty { return found }
        }
        return marked()
    }

    private func names(_ texts: [String]) -> [String] {
        var names: [String] = []
        for name in texts.flatMap({ AuthorName.names(in: $0, siteName: siteName) }) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Names in elements that are marked as an author's.
    private func marked() -> [String] {
        var index = 0
        var links: [String] = []
        var bylines: [String] = []
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if hints[index].contains(.comments), node.tag != .body {
                index = Int(node.end)
                continue
            }
            if node.tag == .a, let rel = tree.value(index, .rel),
                String(decoding: rel, as: UTF8.self).lowercased().contains("author")
            {
                links.append(tree.plainText(index, limit: 200))
            } else if let property = tree.value(index, .itemprop), property.elementsEqual("author".utf8) {
                links.append(tree.plainText(index, limit: 200))
            } else if hints[index].contains(.byline), Int(node.end) - index < 30 {
                bylines.append(tree.plainText(index, limit: 200))
            }
            index += 1
        }
        let found = names(Array(links.prefix(3)))
        if !found.isEmpty { return found }
        for byline in bylines.prefix(4) {
            let found = names([byline])
            if !found.isEmpty { return found }
        }
        return []
    }
}
