/// Names of authors out of what pages put where an author's name belongs.
enum AuthorName {
    /// The names in one text; none where it holds no name.
    static func names(in text: String, siteName: String?) -> [String] {
        guard let text = MetaText.clean(text), text.utf8.count < 200 else { return [] }
        if text.contains("://") || text.hasPrefix("/") || text.hasPrefix("www.") { return [] }
        var names: [String] = []
        for part in split(withoutPrefix(text)) {
            guard let name = clean(part) else { continue }
            if !names.contains(where: { MetaText.skeleton($0) == MetaText.skeleton(name) }) { names.append(name) }
        }
        return names
    }

    private static let prefixes = [
        "written by", "posted by", "published by", "reported by", "review by", "words by", "article by", "story by",
        "text by",
        "by:", "by", "von:", "von", "par", "por", "di", "door", "av", "af", "text:", "author:", "autor:", "autorin:",
        "auteur:", "autore:",
        "ein artikel von", "ein beitrag von", "geschrieben von", "verfasst von", "veröffentlicht von", "text", "przez",
        "автор:",
    ]

    private static func withoutPrefix(_ text: String) -> String {
        var text = text
        for _ in 0..<2 {
            let lower = text.lowercased()
            guard
                let prefix = prefixes.first(where: {
                    lower.hasPrefix($0) && (lower.utf8.count > $0.utf8.count)
                        && (lower.dropFirst($0.count).first.map { $0 == " " || $0 == ":" } ?? false
                            || $0.hasSuffix(":"))
                })
            else { break }
            text = String(text.dropFirst(prefix.count).drop { $0 == " " || $0 == ":" })
        }
        return text
    }

    private static func split(_ text: String) -> [String] {
        var parts = [text]
        for separator in [
            ";", "|", "/", "•", "·", "\n", " & ", " and ", " und ", " et ", " y ", " with ", ", ", " – ", " - ",
        ] {
            parts = parts.flatMap { $0.split(separator: separator).map(String.init) }
        }
        return parts
    }

    private static let notNames: Set<String> = [
        "admin", "administrator", "staff", "guest", "author", "autor", "editor", "webmaster", "user", "unknown",
        "anonymous", "none", "null",
        "by", "posted", "share", "email", "twitter", "facebook", "jr", "phd", "md", "inc", "ltd",
    ]

    private static func clean(_ part: String) -> String? {
        var text = Substring(part)
        if let at = text.firstIndex(of: "(") { text = text[..<at] }
        text = text.drop { " .,:;-–—@\"'*".contains($0) }
        while let last = text.last, " .,:;-–—\"'*".contains(last) { text = text.dropLast() }
        guard !text.isEmpty, text.utf8.count <= 80, !text.contains("@") else { return nil }
        let words = text.split(separator: " ")
        if words.count > 6 { return nil }
        if text.utf8.filter(isDigit).count > 3 { return nil }
        guard text.unicodeScalars.contains(where: \.properties.isAlphabetic) else { return nil }
        if text.unicodeScalars.count < 2 { return nil }
        if notNames.contains(text.lowercased()) { return nil }
        return String(text)
    }
}
