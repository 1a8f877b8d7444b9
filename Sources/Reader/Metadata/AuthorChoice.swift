internal import Characters

/// Chooses the authors: JSON-LD, then `meta`, then microdata and links that are marked as an author, then bylines.
///
/// If the head names the site or another organisation as the author, the page is searched for a person. Without a
/// person there is no author: publishing is not authorship.
struct AuthorChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let siteName: String?
    let host: String

    func authors() -> [String] {
        if !data.authorsAreOrganisations {
            let fromData = persons(names(data.authors))
            if !fromData.isEmpty { return fromData }
        }
        for key in Self.keys {
            let found = persons(names(tags.all(key)))
            if !found.isEmpty { return found }
        }
        // The names on the page of a product are those of its critics.
        if data.types.contains("product") { return [] }
        let found = marked()
        return found.isEmpty ? spoken() : found
    }

    private static let keys = [
        "dc:creator", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author", "sailthru.author",
        "citation_author",
        "og:author", "og:article:author", "byl", "shareaholic:article_author_name", "article.author",
        "cxenseparse:author",
    ]

    private func persons(_ names: [String]) -> [String] {
        names.filter { !AuthorName.isOrganisation($0) && !AuthorName.isSite($0, siteName: siteName, host: host) }
    }

    private func isPerson(_ name: String) -> Bool {
        !AuthorName.isOrganisation(name) && !AuthorName.isHostAlone(name, host: host)
    }

    private func names(_ texts: [String]) -> [String] {
        var names: [String] = []
        for name in texts.flatMap({ AuthorName.names(in: $0) }) where !names.contains(name) { names.append(name) }
        // "All articles by A. Person" beside "A. Person".
        return names.filter { name in !names.contains { $0 != name && name.contains(text: $0) } }
    }

    private struct Byline {
        let text: String
        let node: Int
        let end: Int
        let parent: Int
    }

    /// The names in elements that are marked as an author.
    private func marked() -> [String] {
        var index = 0
        var links: [String] = []
        var bylines: [Byline] = []
        var early: [Byline] = []
        let heading = tree.nodes.indices.first { tree.nodes[$0].tag == .h1 } ?? 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if !hints[index].isDisjoint(with: [.comments, .related]), node.tag != .body,
                Int(node.end) - index < max(20, tree.nodes.count / 2)
            {
                index = Int(node.end)
                continue
            }
            if node.tag == .a, let rel = tree.value(index, .rel),
                String(decoding: rel, as: UTF8.self).lowercased().contains(text: "author")
            {
                links.append(tree.plainText(index, limit: 200))
            } else if let property = tree.value(index, .itemprop), property.elementsEqual("author".utf8) {
                links.append(nameProperty(index) ?? tree.plainText(index, limit: 200))
                index = Int(node.end)
                continue
            } else if !hints[index].isDisjoint(with: [.byline, .name]), Int(node.end) - index < 30 {
                let byline = Byline(
                    text: nameProperty(index) ?? tree.plainText(index, limit: 200), node: index, end: Int(node.end),
                    parent: Int(node.parent))
                if index > heading { bylines.append(byline) } else { early.append(byline) }
            }
            index += 1
        }
        // More are the authors of other pages, which this one lists.
        if names(links).count > 4 { return [] }
        let found = names(Array(links.prefix(3))).filter(isPerson)
        if !found.isEmpty { return found }
        for (place, byline) in (bylines.prefix(6) + early.prefix(3)).enumerated() {
            let found = names([byline.text]).filter(isPerson)
            if found.isEmpty { continue }
            // Marked names beside the first one are other authors.
            let beside = (bylines.prefix(6) + early.prefix(3)).dropFirst(place + 1).filter {
                $0.node < byline.end + 4 && $0.parent == byline.parent && $0.text.utf8.count < 60
            }
            return names([byline.text] + beside.map(\.text)).filter(isPerson)
        }
        return []
    }

    /// The text of the element inside that is marked as the name.
    private func nameProperty(_ node: Int) -> String? {
        for index in node + 1..<max(node + 1, min(Int(tree.nodes[node].end), node + 40)) {
            guard let property = tree.value(index, .itemprop), property.elementsEqual("name".utf8) else { continue }
            return tree.string(index, .content) ?? tree.plainText(index, limit: 200)
        }
        return nil
    }

    /// "By A. Person" in a separate line shortly after the heading.
    private func spoken() -> [String] {
        guard let heading = tree.nodes.indices.first(where: { tree.nodes[$0].tag == .h1 }) else { return [] }
        var index = Int(tree.nodes[heading].end)
        var lines = 0
        while index < tree.nodes.count, lines < 25 {
            if tree.nodes[index].tag == .text, tree.nodes[index].stop - tree.nodes[index].start > 1 {
                lines += 1
                if tree.nodes[index].stop - tree.nodes[index].start < 90 {
                    let line = tree.plainText(Int(tree.nodes[index].parent), limit: 80)
                    let names = AuthorName.spoken(in: line)
                    if !names.isEmpty { return names }
                }
            }
            index += 1
        }
        return []
    }
}
