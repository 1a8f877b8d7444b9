/// What the page's JSON-LD (schema.org) says about its article.
struct StructuredData {
    private(set) var headline: String?
    private(set) var authors: [String] = []
    /// Whether it says that the page is an article.
    private(set) var isArticle = false
    /// Whether every author is an organisation.
    private(set) var authorsAreOrganisations = false
    /// Whether every author is said to be a person.
    private(set) var authorsArePersons = false
    private(set) var published: String?
    /// The date of an object that is about a page of no special kind. Programs for search engines date every page of a
    /// site, also those that show no date.
    private(set) var publishedAsPage: String?
    /// When comments, reviews and the entries of lists were published, and everything else that is no article.
    private(set) var publishedOfOthers: [String] = []
    private(set) var modified: String?
    private(set) var description: String?
    private(set) var language: String?
    private(set) var image: String?
    private(set) var siteName: String?
    private(set) var publisher: String?

    /// The types of all objects, in lower case.
    var types: Set<String> { Set(objects.lazy.flatMap(\.types)) }

    /// The types of the objects that are not of others, in lower case.
    var ownTypes: Set<String> { Set(objects.lazy.filter { !$0.isOfOthers }.flatMap(\.types)) }

    /// All objects. Comments, reviews and the entries of lists are of others: none of them is the article of this page.
    private var objects: [(types: [String], object: LenientJSON, isOfOthers: Bool)] = []
    private var byIdentifier: [String: LenientJSON] = [:]

    init(_ tree: borrowing PageTree) {
        for index in tree.nodes.indices where tree.nodes[index].tag == .script {
            guard index + 1 < Int(tree.nodes[index].end), tree.nodes[index + 1].tag == .text,
                let value = LenientJSON.parse(tree.bytes(index + 1))
            else { continue }
            collect(value, depth: 0, isOfOthers: false)
        }
        let articles = objects.filter { !$0.isOfOthers && $0.types.contains(where: Self.isArticle) }
        isArticle = !articles.isEmpty
        for article in articles.prefix(1) { read(article.object) }
        for page in objects where !page.isOfOthers && page.types.contains(where: Self.isPage) {
            readPage(page.object, hasArticle: !articles.isEmpty)
        }
        for site in objects where site.types.contains("website") {
            siteName = siteName ?? site.object["name"]?.text
        }
    }

    /// Members whose objects are of others.
    private static let membersOfOthers: Set<String> = [
        "review", "reviews", "comment", "comments", "itemListElement", "acceptedAnswer", "suggestedAnswer", "blogPost",
        "blogPosts", "isRelatedTo", "isSimilarTo", "mentions", "citation", "hasPart", "liveBlogUpdate",
    ]

    private mutating func collect(_ value: LenientJSON, depth: Int, isOfOthers: Bool) {
        guard depth < 12, objects.count < 2000 else { return }
        switch value {
        case .array(let elements):
            for element in elements { collect(element, depth: depth + 1, isOfOthers: isOfOthers) }
        case .object(let members):
            let types = (value["@type"]?.elements ?? []).compactMap { $0.text?.lowercased() }
                .map { String($0.split(separator: "/").last ?? "") }
            if !types.isEmpty { objects.append((types, value, isOfOthers)) }
            if isOfOthers || !types.contains(where: Self.isArticle), let published = value["datePublished"]?.text {
                publishedOfOthers.append(published)
            }
            if let identifier = value["@id"]?.text, members.count > 1, byIdentifier[identifier] == nil {
                byIdentifier[identifier] = value
            }
            for member in members {
                collect(
                    member.value, depth: depth + 1, isOfOthers: isOfOthers || Self.membersOfOthers.contains(member.key))
            }
        default: break
        }
    }

    private static func isArticle(_ type: String) -> Bool {
        type.hasSuffix("article") || type.hasSuffix("posting") || type.hasPrefix("report") || type == "blogposting"
            || type == "recipe" || type == "review" || type == "liveblogposting" || type == "howto"
            || type == "analysisnewsarticle"
    }

    private static func isPage(_ type: String) -> Bool {
        type.hasSuffix("webpage") || type == "videoobject" || type == "podcastepisode" || type == "itempage"
            || type == "event" || type == "product" || type == "qapage" || type == "question"
    }

    private mutating func read(_ article: LenientJSON) {
        headline = article["headline"]?.text ?? article["name"]?.text
        published =
            article["datePublished"]?.text ?? article["dateCreated"]?.text ?? article["uploadDate"]?.text
            ?? article["datePosted"]?.text
        modified = article["dateModified"]?.text
        description = article["description"]?.text
        language = article["inLanguage"]?.text
        image = Self.url(article["image"])
        publisher = (article["publisher"].map(resolved))?["name"]?.text
        readAuthors(article["author"] ?? article["creator"])
    }

    private mutating func readPage(_ page: LenientJSON, hasArticle: Bool) {
        headline = headline ?? page["headline"]?.text
        if let date = page["datePublished"]?.text ?? page["uploadDate"]?.text {
            if Self.isPlain(page) { publishedAsPage = publishedAsPage ?? date } else { published = published ?? date }
        }
        modified = modified ?? page["dateModified"]?.text
        description = description ?? page["description"]?.text
        language = language ?? page["inLanguage"]?.text
        if authors.isEmpty, !hasArticle { readAuthors(page["author"]) }
    }

    /// Whether an object is about a page of no special kind, and names nobody who wrote it.
    private static func isPlain(_ page: LenientJSON) -> Bool {
        page["author"] == nil && page["creator"] == nil
            && (page["@type"]?.elements ?? []).contains { $0.text == "WebPage" || $0.text == "ItemPage" }
    }

    private func resolved(_ value: LenientJSON) -> LenientJSON {
        guard let identifier = value["@id"]?.text, value["name"] == nil else { return value }
        return byIdentifier[identifier] ?? value
    }

    private mutating func readAuthors(_ value: LenientJSON?) {
        guard let value else { return }
        var organisations = 0, persons = 0
        for element in value.elements.prefix(20) {
            let author = resolved(element)
            if case .string(let name) = author {
                authors.append(name)
                continue
            }
            let type = (author["@type"]?.text ?? "").lowercased()
            let isOrganisation = type.hasSuffix("organization"), isPerson = type.hasSuffix("person")
            for name in (author["name"]?.elements ?? []).prefix(20) {
                if let text = name.text {
                    authors.append(text)
                    if isOrganisation { organisations += 1 }
                    if isPerson { persons += 1 }
                }
            }
        }
        authorsAreOrganisations = organisations > 0 && organisations == authors.count
        authorsArePersons = persons > 0 && persons == authors.count
    }

    private static func url(_ value: LenientJSON?) -> String? {
        for element in value?.elements ?? [] {
            if case .string(let text) = element { return text }
            if let text = element["url"]?.text ?? element["contentUrl"]?.text { return text }
        }
        return nil
    }
}
