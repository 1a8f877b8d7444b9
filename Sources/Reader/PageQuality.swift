internal import Characters

/// The kind of response that a page is, as far as its text and forms show.
package enum PageKind: String, Sendable {
    case article
    /// A page that asks for a name and a password first.
    case login
    /// A page that stops robots, or refuses access.
    case blocked
    /// "Not found", or an error of the server or of the page's script.
    case error
    /// Nothing, or only a note that something is loading.
    case empty
}

/// The quality of a captured page: says why a capture is partial, and which of two captures is better.
package struct PageQuality: Equatable, Sendable {
    /// The number of words in the article. A character of a script without spaces counts as half a word,
    /// a letter of an alphabet without spaces as a quarter.
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
        var headline: String?
        var hasMedia = false
        var hasPassword = false
        var hasRoot = false
        var askedForScript = false
        for index in tree.nodes.indices {
            switch tree.nodes[index].tag {
            case .h1, .h2:
                if headline == nil {
                    headline = String(decoding: tree.collapsedText(index, limit: 200), as: UTF8.self).lowercased()
                }
            case .img, .ampImg, .video, .audio, .canvas, .iframe, .frame, .object, .embed, .textarea, .select:
                hasMedia = true
            case .input:
                let type = tree.value(index, .type)
                if let type, type.elementsEqual("password".utf8) { hasPassword = true }
                if type?.elementsEqual("hidden".utf8) != true { hasMedia = true }
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
        } else if isShort, wordCount < 60, Self.isError(title: heading, headline: headline ?? "", text: lower) {
            kind = .error
        } else if visible.count < 100, !hasMedia, Self.isNothing(lower) {
            kind = .empty
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

    /// What the title of an error page begins with.
    private static let errors = [
        "404", "403", "500", "502", "503", "not found", "internal server error", "bad gateway", "service unavailable",
        "forbidden", "error 4", "error 5",
    ]

    /// What the title or the heading of an error page holds.
    private static let absences = [
        "page not found", "page can't be found", "page can’t be found", "page cannot be found",
        "page could not be found", "page doesn't exist", "page doesn’t exist", "page does not exist",
        "page isn't available", "page isn’t available", "page is not available", "seite nicht gefunden",
        "seite wurde nicht gefunden", "seite existiert nicht", "page introuvable", "page non trouvée",
        "página no encontrada", "página não encontrada", "pagina non trovata", "pagina niet gevonden",
        "nie znaleziono strony", "strona nie istnieje", "sidan hittades inte", "страница не найдена",
        "ページが見つかりません", "页面不存在", "找不到页面", "페이지를 찾을 수 없습니다",
    ]

    /// What frameworks show instead of a page whose script failed.
    private static let scriptErrors = [
        "application error: a client-side exception has occurred", "application error: a server-side exception",
        "unexpected application error",
    ]

    private static func isError(title: String, headline: String, text: String) -> Bool {
        errors.contains { title.hasPrefix($0) }
            || absences.contains { title.contains(text: $0) || headline.contains(text: $0) }
            || scriptErrors.contains { text.hasPrefix($0) }
    }

    private static let loadingNotes: Set<String> = [
        "loading", "pleasewait", "loadingpleasewait", "pleasewaitloading", "wirdgeladen", "lädt", "laden",
        "bittewarten", "chargement", "chargementencours", "cargando", "caricamento", "caricamentoincorso", "carregando",
        "ladowanie", "ładowanie", "загрузка", "読み込み中", "加载中", "載入中", "로딩중",
    ]

    /// Whether a text has no letter or digit, or is only a note that something is loading.
    private static func isNothing(_ text: String) -> Bool {
        let letters = String(text.filter { $0.isLetter || $0.isNumber })
        return letters.isEmpty || loadingNotes.contains(letters)
    }

    private static func words(_ text: [UInt8]) -> Int {
        var words = 0
        var wide = 0
        var letters = 0
        var isInWord = false
        for index in text.indices {
            let byte = text[index]
            if byte <= 0x20 {
                isInWord = false
            } else if byte >= 0xE3, byte < 0xF0 {
                wide += 1
                isInWord = false
            } else if byte == 0xE0 || byte == 0xE1, SpacelessLetters.contain(text[index...].prefix(3)) {
                letters += 1
                isInWord = false
            } else if byte & 0xC0 != 0x80, !isInWord {
                words += 1
                isInWord = true
            }
        }
        return words + wide / 2 + letters / SpacelessLetters.ofWord
    }

    /// Whether a capture should replace another: an article beats a wall, and more text beats much less.
    package func isBetter(than other: PageQuality) -> Bool {
        if (kind == .article) != (other.kind == .article) { return kind == .article }
        return wordCount > other.wordCount
    }
}
