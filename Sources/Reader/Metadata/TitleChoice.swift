internal import Characters
internal import HTML

/// Chooses the title from the head and the headings of the page.
struct TitleChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let siteName: String?
    /// The page's address, without that of a web archive around it.
    let url: String

    func title() -> String? {
        let headings = self.headings()
        let siteNames = self.siteNames()
        func isSiteName(_ text: String) -> Bool { siteNames.contains(MetaText.skeleton(text)) }
        // What the page shows. A title in the metadata that it shows as it is written is text, and no HTML.
        let shown = [tags.documentTitle].compactMap(\.self) + headings.map(\.text)
        func text(written: String?) -> String? {
            guard let written = written.flatMap(MetaText.collapsed) else { return nil }
            return shown.contains { $0.contains(text: written) } ? written : MetaText.ofMetadata(written)
        }
        let declared = [
            text(written: tags.firstWritten("og:title")), text(written: data.headline),
            text(written: tags.firstWritten("twitter:title")),
            text(
                written: tags.firstWritten(
                    "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title")),
            tags.documentTitle,
        ].compactMap(\.self)
        // A heading that the head contains is the title as the page shows it; the name of the site only if no other is.
        for isOfSite in [false, true] {
            for text in declared {
                let skeleton = MetaText.skeleton(text)
                let same = headings.first {
                    MetaText.skeleton($0.text) == skeleton && isOfSite == ($0.isOfSite || isSiteName($0.text))
                }
                if let same, skeleton.utf8.count >= 4 { return same.text }
            }
            if isOfSite { break }
            if let own = ownHeading(headings.filter { !$0.isOfSite && !isSiteName($0.text) }, declared) { return own }
        }
        let isFront = DatelessPage.isFront(url)
        if let first = declared.first(where: { isFront || !isSiteName($0) }) ?? declared.first {
            let main = headings.filter { $0.level == 1 && !$0.isOfSite && !isSiteName($0.text) }
            if main.count == 1, Self.shared(main[0].text, first) >= 0.3 { return main[0].text }
            // A head that says nothing or only the name of the site, in a page with one heading.
            if main.count == 1 {
                let (words, others) = (main[0].text.split(separator: " "), first.split(separator: " "))
                let isShort = declared.count == 1 && others.count <= 2 && words.count >= 3
                let isOfSite = declared.allSatisfy(isSiteName) && !isFront
                if declared.allSatisfy({ StockTitle.isOne(withoutSiteName($0, siteNames)) }) || isShort || isOfSite
                    || (tags.first("generator") ?? "").hasPrefix("DokuWiki")
                {
                    return main[0].text
                }
            }
            return withoutAddition(withoutSiteName(first, siteNames))
        }
        return headings.first { !$0.isOfSite && !isSiteName($0.text) }?.text
    }

    /// The first heading that a declared title contains.
    private func ownHeading(_ headings: [Heading], _ declared: [String]) -> String? {
        for heading in headings where !isEnd(heading, headings, of: declared) {
            let skeleton = MetaText.skeleton(heading.text)
            if heading.text.utf8.count < 12 {
                // A short heading may be a word of the title by chance, so it must be everything before a separator.
                if heading.text.utf8.count > 2, declared.contains(where: { isPart(heading.text, of: $0) }) {
                    return heading.text
                }
                continue
            }
            if declared.contains(where: { MetaText.skeleton($0).contains(text: skeleton) }) { return heading.text }
        }
        return nil
    }

    /// Whether a heading is the last part of a title, and another heading the part before: the name of the site.
    private func isEnd(_ heading: Heading, _ headings: [Heading], of declared: [String]) -> Bool {
        let skeleton = MetaText.skeleton(heading.text)
        return declared.contains { title in
            Self.separators.contains { separator in
                let parts = title.split(text: separator)
                guard parts.count > 1, MetaText.skeleton(String(parts[parts.count - 1])) == skeleton else {
                    return false
                }
                let before = MetaText.skeleton(parts.dropLast().joined(separator: separator))
                return headings.contains { MetaText.skeleton($0.text) == before }
            }
        }
    }

    /// The names of the site in lower-cased letters and digits: those that the head says, and the words of links to the front page.
    private func siteNames() -> Set<String> {
        var names: Set<String> = []
        if let siteName { names.insert(MetaText.skeleton(siteName)) }
        let host = url.split(text: "://").dropFirst().first.map { $0.prefix { $0 != "/" } } ?? ""
        var links = 0
        for index in tree.nodes.indices where tree.nodes[index].tag == .a {
            links += 1
            if links > Self.linkLimit { break }
            guard let href = tree.string(index, .href), Self.isFront(href, host) else { continue }
            if let text = MetaText.collapsed(tree.plainText(index, limit: 80)), text.utf8.count <= 60 {
                names.insert(MetaText.skeleton(text))
            }
        }
        names.remove("")
        return names
    }

    /// So many links are looked at for the front page.
    private static let linkLimit = 200

    private static func isFront(_ href: String, _ host: Substring) -> Bool {
        if href == "/" { return true }
        guard let start = href.firstRange(ofText: "://")?.upperBound, !host.isEmpty else { return false }
        let place = href[start...]
        return place == host || place == host + "/"
    }

    private func isPart(_ heading: String, of title: String) -> Bool {
        Self.separators.contains { title.hasPrefix(heading + $0) }
    }

    private struct Heading {
        let text: String
        let level: Int
        /// Whether its element, or one around it, is named for the site: `site-title`.
        let isOfSite: Bool
    }

    private func headings() -> [Heading] {
        var found: [Heading] = []
        for index in tree.nodes.indices {
            let level: Int
            switch tree.nodes[index].tag {
            case .h1: level = 1
            case .h2: level = 2
            // Blogs have their name in `h1` and the title of a post in `h3`.
            case .h3 where hints[index].contains(.title): level = 3
            default: continue
            }
            if found.count >= 12 { break }
            // The bar of a book names the book, not the chapter.
            if hints[index].contains(.navigation) { continue }
            if let text = MetaText.collapsed(tree.plainText(index, limit: 600)), text.utf8.count < 400 {
                found.append(Heading(text: text, level: level, isOfSite: isNamedForSite(index)))
            }
        }
        return (1...3).flatMap { level in found.filter { $0.level == level } }
    }

    private func isNamedForSite(_ heading: Int) -> Bool {
        var node = heading
        for _ in 0..<2 where node > 0 && tree.nodes[node].tag != .body {
            for name in [AttributeName.class, .id] {
                guard let value = tree.value(node, name), value.count < 200 else { continue }
                let names = String(decoding: value, as: UTF8.self).lowercased().split(separator: " ")
                if names.contains(where: { Self.siteClasses.contains(String($0)) }) { return true }
            }
            node = Int(tree.nodes[node].parent)
        }
        return false
    }

    private static let siteClasses: Set<String> = [
        "site-title", "site-name", "site-description", "site-branding", "site_title", "sitename",
        "sitetitle",
    ]

    /// The share of the words of the shorter text that the other has too.
    private static func shared(_ one: String, _ other: String) -> Double {
        let (one, other) = (PageBlocks.words(of: one), PageBlocks.words(of: other))
        let fewer = min(one.count, other.count)
        return fewer == 0 ? 0 : Double(one.intersection(other).count) / Double(fewer)
    }

    /// Removes what stands after a vertical line, and a last part of at most three words after a dash.
    private func withoutAddition(_ title: String) -> String {
        let first = title.split(text: " | ").first.map(String.init) ?? title
        for dash in [" - ", " – ", " — "] {
            let parts = first.split(text: dash)
            guard parts.count > 1, let last = parts.last, last.split(separator: " ").count <= 3,
                parts[0].split(separator: " ").count >= 3
            else { continue }
            return parts.dropLast().joined(separator: dash)
        }
        return first
    }

    /// Separators between a title and the name of its site.
    static let separators = [" | ", " - ", " – ", " — ", " • ", " · ", " :: ", " » ", " « ", " / ", ": ", "|"]

    /// Removes the name of the site from the end of a title, or from its beginning.
    private func withoutSiteName(_ title: String, _ names: Set<String>) -> String {
        for separator in Self.separators {
            let parts = title.split(text: separator)
            guard parts.count > 1 else { continue }
            if names.contains(MetaText.skeleton(String(parts[parts.count - 1]))) {
                return parts.dropLast().joined(separator: separator)
            }
            if names.contains(MetaText.skeleton(String(parts[0]))) {
                return parts.dropFirst().joined(separator: separator)
            }
        }
        return title
    }
}
