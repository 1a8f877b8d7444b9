import Characters

/// Names of filters, and names that people type instead.
public enum FilterName: Sendable {
    /// All names, in the order in which help lists them.
    public static let all = [
        "type", "tag", "collection", "smart", "title", "text", "url", "site", "author", "lang", "source", "is", "has",
        "status", "created", "date", "after", "before", "updated",
    ]

    static func isKnown(_ name: some StringProtocol) -> Bool { all.contains(name.lowercased()) }

    /// Filters whose values may contain spaces.
    private static let spaced: Set = ["tag", "collection", "smart", "title", "text", "author"]

    static func takesSpaces(_ name: some StringProtocol) -> Bool { spaced.contains(name.lowercased()) }

    /// Names in other programs for our filters.
    private static let others = [
        "in": "collection", "folder": "collection", "list": "collection", "collections": "collection",
        "label": "tag", "tags": "tag", "labels": "tag", "keyword": "tag", "category": "tag",
        "kind": "type", "from": "author", "by": "author", "creator": "author", "writer": "author",
        "domain": "site", "host": "site", "website": "site", "link": "url", "uri": "url", "href": "url", "inurl": "url",
        "name": "title", "headline": "title", "heading": "title", "subject": "title", "intitle": "title",
        "body": "text", "content": "text", "contents": "text", "intext": "text", "language": "lang",
        "since": "after", "newer": "after", "until": "before", "older": "before",
        "modified": "updated", "changed": "updated", "added": "created", "saved": "created", "state": "is",
    ]

    /// Words that come before a colon in texts and are no filter of any program.
    private static let schemes: Set = ["about", "arxiv", "data", "doi", "isbn", "issn", "mailto", "tel", "urn"]

    /// The filter that was probably meant; `nil` if no name is similar.
    package static func suggestion(for name: String) -> String? {
        let name = name.lowercased()
        if let other = others[name] { return other }
        guard name.utf8.count < 20 else { return nil }
        let near = Edits.one(Array(name.unicodeScalars))
        return all.first { near.contains(Array($0.utf8)) }
    }

    /// Whether `name:value` looks like a filter although no filter has that name. The name consists of letters, and
    /// the text is no time (10:30), port (localhost:80), URL, path (C:\x) or scope (std::vector).
    static func isMeant(_ name: some StringProtocol, value: some StringProtocol) -> Bool {
        guard !name.isEmpty, name.utf8.count < 20, name.utf8.allSatisfy(\.isLetter),
            !schemes.contains(name.lowercased()), let first = value.first, !":/\\".contains(first)
        else { return false }
        return !value.allSatisfy(\.isNumber) || suggestion(for: String(name)) != nil
    }
}
