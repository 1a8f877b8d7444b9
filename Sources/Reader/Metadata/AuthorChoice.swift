internal import Characters

/// Chooses the authors: JSON-LD, then `meta`, who began a conversation, then what the page shows (`AuthorMarks`).
///
/// If the head names the site or another organisation as the author, the page is searched for a person
/// first. The site itself is no author.
struct AuthorChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let siteName: String?
    let host: String

    func authors() -> [String] {
        let fromData = names(data.authorsArePersons ? data.authors.map(Self.straight) : data.authors)
        // A person may have given the site their name.
        let known = data.authorsArePersons ? fromData.filter { !AuthorName.isOrganisation($0) } : persons(fromData)
        if !data.authorsAreOrganisations, !known.isEmpty { return known }
        for key in Self.keys {
            let found = persons(names(ofKey: key))
            if !found.isEmpty { return found }
        }
        if let label = tags.first("twitter:label1"), let name = tags.first("twitter:data1"), AuthorName.isLabel(label) {
            let found = persons(names([name]))
            if !found.isEmpty { return found }
        }
        // The names on the page of a product are those of its critics.
        if isProduct { return [] }
        if let opener = Conversation(tree: tree, hints: hints, tags: tags, data: data).opener {
            let found = names([opener])
            if !found.isEmpty { return found }
        }
        let bylines = AuthorMarks(tree: tree, hints: hints, siteName: siteName, host: host)
        for found in [bylines.marked(), bylines.spoken(), bylines.linked()] where !found.isEmpty {
            // The site is no second author.
            let others = found.filter { !isTitleEnd($0) }
            return others.isEmpty ? found.filter { !isSiteAlone($0) } : others
        }
        let named = ([fromData] + Self.keys.map { names(ofKey: $0) }).first { !$0.isEmpty } ?? []
        let owners = named.filter { isPerson($0) && isTitleEnd($0) && !isSiteAlone($0) }
        return owners.isEmpty ? declaredAnyhow(fromData) : owners
    }

    /// Whether a name stands at the end of the page's title, as the name of the site mostly does: "Winding the coil | Radio Shed". Many
    /// people name their sites after themselves, so it counts where nobody else is named.
    private func isTitleEnd(_ name: String) -> Bool {
        guard let title = tags.documentTitle else { return false }
        return TitleChoice.separators.contains { separator in
            let parts = title.split(text: separator)
            return parts.count > 1 && MetaText.skeleton(String(parts[parts.count - 1])) == MetaText.skeleton(name)
        }
    }

    /// Whether the end of the title is no name of a person.
    private func isSiteAlone(_ name: String) -> Bool {
        isTitleEnd(name) && AuthorName.isSiteAlone(name, siteName: name)
    }

    /// "Lena Frost" of "Frost, Lena", which is said to be one person.
    private static func straight(_ name: String) -> String {
        guard name.split(separator: " ").count == 2 else { return name }
        return AuthorName.inverted(name, isInverted: true) ?? name
    }

    private var isProduct: Bool {
        data.types.contains("product") || (tags.first("og:type") ?? "").lowercased().hasPrefix("product")
    }

    /// What the head of an article names as its author, though it is an organisation; not its own site.
    private func declaredAnyhow(_ fromData: [String]) -> [String] {
        let type = (tags.first("og:type") ?? "").lowercased()
        guard data.isArticle || type.hasPrefix("article") || tags.first("article:published_time") != nil else {
            return []
        }
        let named =
            fromData.isEmpty ? Self.keys.lazy.map { names(ofKey: $0) }.first { !$0.isEmpty } ?? [] : fromData
        return named.filter { !AuthorName.isSite($0, siteName: siteName, host: host) }
    }

    private static let keys = [
        "dc:creator", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author", "sailthru.author",
        "citation_author",
        "og:author", "og:article:author", "byl", "shareaholic:article_author_name", "article.author",
        "cxenseparse:author",
    ]

    private func persons(_ names: [String]) -> [String] { names.filter { isPerson($0) && !isTitleEnd($0) } }

    private func isPerson(_ name: String) -> Bool {
        !AuthorName.isOrganisation(name) && !AuthorName.isSite(name, siteName: siteName, host: host)
    }

    private func names(_ texts: [String]) -> [String] { AuthorName.all(in: texts) }

    /// The names that `meta` elements have for a key. Journals write "Keller, Anna" in theirs.
    private func names(ofKey key: String) -> [String] {
        let texts = tags.all(key)
        if key != "citation_author" {
            // "RADIO SHED, Hamburg, Germany": what follows the name of the site says where it is.
            return names(
                texts.filter { text in
                    let found = names([text])
                    return found.count < 2
                        || !AuthorName.isSite(found[0], siteName: siteName, host: host) && !isTitleEnd(found[0])
                })
        }
        return names(texts.map { AuthorName.inverted($0, isInverted: true) ?? $0 })
    }
}
