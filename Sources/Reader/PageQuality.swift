internal import Characters

/// The kind of response that a page is, as far as its text and forms show.
package enum PageKind: String, Sendable {
    case article
    /// A page that asks for a name and a password first.
    case login
    /// A page that stops robots, or refuses access.
    case blocked
    /// "Not found", or an error of the server.
    case error
}

/// The quality of a captured page: says why a capture is partial, and which of two captures is better.
package struct PageQuality: Equatable, Sendable {
    /// The number of words in the article. A character of a script without spaces counts as half a word.
    package let wordCount: Int
    package let kind: PageKind
    /// Whether the page is an empty frame that a script should fill.
    package let needsScript: Bool

    /// - Parameter status: the HTTP status, or `nil` if unknown.
    init(_ tree: borrowing PageTree, title: String?, text: [UInt8], status: Int?) {
        wordCount = Self.words(text)
        let body = tree.nodes.firstIndex { $0.tag == .body } ?? 0
        let visible = tree.collapsedText(body, limit: 20_000)
        let lower = String(decoding: visible.prefix(4000), as: UTF8.self).lowercased()
        let heading = (title ?? "").lowercased()
        let isShort = visible.count < 1500
        var hasPassword = false
        var hasRoot = false
        var askedForScript = false
        for index in tree.nodes.indices {
            switch tree.nodes[index].tag {
            case .input:
                if let type = tree.value(index, .type), type.elementsEqual("password".utf8) { hasPassword = true }
            case .div, .main, .other:
                if let id = tree.value(index, .id), Self.roots.contains(String(decoding: id.prefix(24), as: UTF8.self)),
                    tree.collapsedText(index, limit: 200).count < 200
                {
                    hasRoot = true
                }
            case .noscript:
                let note = tree.collapsedText(index, limit: 500)
                if String(decoding: note, as: UTF8.self).lowercased().contains(text: "javascript") {
                    askedForScript = true
                }
            default: break
            }
        }
        needsScript =
            visible.count < 300
            && (hasRoot || askedForScript || Self.asksForScript.contains { lower.contains(text: $0) })
        if let status, status == 401 || status == 407 {
            kind = .login
        } else if isShort, Self.walls.contains(where: { heading.contains(text: $0) || lower.contains(text: $0) }) {
            kind = .blocked
        } else if let status, [403, 429, 451, 503].contains(status), wordCount < 400 {
            kind = .blocked
        } else if let status, status >= 400 {
            kind = .error
        } else if hasPassword, wordCount < 250 {
            kind = .login
        } else if isShort, wordCount < 60, Self.errors.contains(where: { heading.hasPrefix($0) }) {
            kind = .error
        } else {
            kind = .article
        }
    }

    /// The ids of elements that applications draw into.
    private static let roots: Set<String> = [
        "root", "app", "__next", "__nuxt", "___gatsby", "app-root", "main-app", "react-root", "ember-app", "svelte",
        "gatsby-focus-wrapper",
    ]

    private static let asksForScript = [
        "enable javascript", "javascript is disabled", "javascript aktivieren", "activer javascript",
        "requires javascript",
    ]

    private static let walls = [
        "just a moment", "attention required", "checking your browser", "verify you are human",
        "verify you are not a robot",
        "are you a robot", "are you human", "unusual traffic", "access denied", "access to this page has been denied",
        "pardon our interruption",
        "please complete the security check", "complete the captcha", "security check", "ddos protection by",
        "request unsuccessful. incapsula",
        "you have been blocked", "bot verification", "press & hold to confirm",
        "enable javascript and cookies to continue",
    ]

    private static let errors = [
        "404", "403", "500", "502", "503", "page not found", "not found", "seite nicht gefunden", "page introuvable",
        "página no encontrada",
        "internal server error", "bad gateway", "service unavailable", "forbidden", "error 4", "error 5",
    ]

    private static func words(_ text: [UInt8]) -> Int {
        var words = 0
        var wide = 0
        var isInWord = false
        for byte in text {
            if byte <= 0x20 {
                isInWord = false
            } else if byte >= 0xE3, byte < 0xF0 {
                wide += 1
                isInWord = false
            } else if byte & 0xC0 != 0x80, !isInWord {
                words += 1
                isInWord = true
            }
        }
        return words + wide / 2
    }

    /// Whether a capture should replace another: an article beats a wall, and more text beats much less.
    package func isBetter(than other: PageQuality) -> Bool {
        if (kind == .article) != (other.kind == .article) { return kind == .article }
        return wordCount > other.wordCount
    }
}
