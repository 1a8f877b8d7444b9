internal import Characters

/// Chooses the title from the head and the headings of the page.
struct TitleChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let siteName: String?

    func title() -> String? {
        let headings = self.headings()
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
        // A heading that the head contains is the title as the page shows it.
        for heading in headings {
            let skeleton = MetaText.skeleton(heading.text)
            if skeleton.utf8.count >= 4, declared.contains(where: { MetaText.skeleton($0) == skeleton }) {
                return heading.text
            }
        }
        for heading in headings where !isSiteName(heading.text) {
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
        if let first = declared.first {
            let main = headings.filter { $0.level == 1 && !isSiteName($0.text) }
            if main.count == 1, Self.shared(main[0].text, first) >= 0.3 { return main[0].text }
            // A head that says nothing or only a word, such as the name of the site, in a page with one heading.
            if main.count == 1 {
                let isLongHeading = main[0].text.split(separator: " ").count >= 3
                let isWord = declared.count == 1 && first.split(separator: " ").count == 1
                if declared.allSatisfy({ StockTitle.isOne(withoutSiteName($0)) }) || isWord && isLongHeading {
                    return main[0].text
                }
            }
            return withoutAddition(withoutSiteName(first))
        }
        return headings.first { !isSiteName($0.text) }?.text
    }

    private func isPart(_ heading: String, of title: String) -> Bool {
        Self.separators.contains { title.hasPrefix(heading + $0) }
    }

    private struct Heading {
        let text: String
        let level: Int
    }

    private func headings() -> [Heading] {
        var found: [Heading] = []
        for index in tree.nodes.indices {
            let level: Int
            switch tree.nodes[index].tag {
            case .h1: level = 1
            case .h2: level = 2
            default: continue
            }
            if found.count >= 12 { break }
            // The bar of a book names the book, not the chapter.
            if hints[index].contains(.navigation) { continue }
            if let text = MetaText.collapsed(tree.plainText(index, limit: 600)), text.utf8.count < 400 {
                found.append(Heading(text: text, level: level))
            }
        }
        return found.filter { $0.level == 1 } + found.filter { $0.level == 2 }
    }

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

    private func isSiteName(_ text: String) -> Bool {
        guard let siteName else { return false }
        return MetaText.skeleton(siteName) == MetaText.skeleton(text)
    }

    /// Separators between a title and the name of its site.
    private static let separators = [" | ", " - ", " – ", " — ", " • ", " · ", " :: ", " » ", " « ", " / ", ": ", "|"]

    /// Removes the name of the site, or a short last part, from a title.
    func withoutSiteName(_ title: String) -> String {
        if let siteName {
            let name = MetaText.skeleton(siteName)
            for separator in Self.separators {
                let parts = title.split(text: separator)
                guard parts.count > 1 else { continue }
                if MetaText.skeleton(String(parts[parts.count - 1])) == name {
                    return parts.dropLast().joined(separator: separator)
                }
                if MetaText.skeleton(String(parts[0])) == name { return parts.dropFirst().joined(separator: separator) }
            }
        }
        return title
    }
}
