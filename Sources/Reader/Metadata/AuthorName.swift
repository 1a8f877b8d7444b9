import Characters
internal import Characters
internal import HTML

/// Extracts the names of authors from the texts that pages have in their place.
enum AuthorName {
    /// The names in one text. Empty if it contains no name.
    static func names(in text: String) -> [String] {
        guard let text = MetaText.clean(text).map(AuthorLabel.removed), text.utf8.count < 200 else { return [] }
        if text.contains(text: "://") || text.hasPrefix("/") || text.hasPrefix("www.") { return [] }
        if isDateline(text) { return [] }
        var names: [String] = []
        for part in inverted(text).map({ [$0] }) ?? split(withoutDate(withoutPrefix(text))) {
            guard let name = clean(part) else { continue }
            if !names.contains(where: { MetaText.skeleton($0) == MetaText.skeleton(name) }) { names.append(name) }
        }
        return names
    }

    /// "A. Keller" of "Keller, A.", as catalogues write a name: a family name, a comma and initials.
    ///
    /// - Parameter isInverted: whether the text is known to be in this form; then given names stand for initials too.
    static func inverted(_ text: String, isInverted: Bool = false) -> String? {
        let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }
        guard parts.count == 2, (1...3).contains(parts[0].split(separator: " ").count) else { return nil }
        let given = parts[1].split(separator: " ")
        let areInitials = given.allSatisfy { $0.last == "." && $0.first?.isUppercase == true && $0.count <= 6 }
        guard (1...3).contains(given.count), isInverted || areInitials,
            !given.contains(where: { degrees.contains($0.lowercased()) })
        else { return nil }
        return "\(given.joined(separator: " ")) \(parts[0])"
    }

    /// What follows a name and a comma, and is no part of a name.
    private static let degrees: Set<String> = [
        "m.d.", "ph.d.", "jr.", "sr.", "jr", "sr", "d.o.", "r.n.", "esq.", "ed.", "eds.", "b.a.", "m.a.", "b.sc.",
        "m.sc.", "dr.", "prof.", "md", "phd", "ii", "iii",
    ]

    /// The names in several texts, each once. Of "All articles by A. Person" beside "A. Person", the name alone stays.
    static func all(in texts: [String]) -> [String] {
        var found: [String] = []
        for name in texts.flatMap({ names(in: $0) }) where !found.contains(name) { found.append(name) }
        return found.filter { name in !found.contains { $0 != name && name.contains(text: $0) } }
    }

    /// Whether a text is a word that stands before a name, such as "Written by", without one.
    static func isLabel(_ text: String) -> Bool {
        var text = Substring(text.lowercased())
        while let last = text.last, " :.\u{A0}".contains(last) { text = text.dropLast() }
        return labels.contains(String(text.drop { " \u{A0}".contains($0) }))
    }

    private static let labels: Set<String> = Set(prefixes).union([
        "author", "authors", "authored by", "by author", "contributor", "contributors", "words", "autor", "autorin",
        "autoren",
        "verfasst von", "escrit per", "auteur", "auteurs", "écrit par", "autore", "autori", "forfatter", "skribent",
        "kirjoittaja", "yazar", "автор", "作者", "著者", "文",
    ]).subtracting(["text", "text:", "in:", "und interview:", "words:", "di", "av", "af"])

    /// Whether a text looks like the name of a person: one to five words that begin with capital letters, or in a
    /// script without them.
    static func isLikely(_ name: String) -> Bool {
        let words = name.split(separator: " ")
        return (1...5).contains(words.count)
            && words.allSatisfy { word in
                word.utf8.count <= 3 || word.first.map { $0.isUppercase || !$0.isCased } ?? false
            }
    }

    /// The names in a line like "By A. Person and B. Other": two to four words each that begin like names.
    static func spoken(in line: String) -> [String] {
        let lower = line.lowercased()
        let openings = [
            "by ", "von ", "por ", "par ", "text: ", "autor: ", "autorin: ", "author: ", "foto und text: ", "text von ",
            "ein beitrag von ",
            "ein artikel von ", "written by ", "posted by ", "di ", "door ", "av ", "af ", "przez ", "auteur : ",
            "auteur: ", "autore: ", "автор: ", "текст: ", "rédigé par ", "publié par ", "escrito por ", "scritto da ",
        ]
        guard line.utf8.count < 80 else { return [] }
        if let name = AuthorLabel.name(in: line, isLine: true) { return names(in: name) }
        guard let opening = openings.first(where: lower.hasPrefix) else { return [] }
        let found = names(in: String(line.dropFirst(opening.count)))
        let areNames = found.allSatisfy { name in
            let words = name.split(separator: " ")
            return (2...4).contains(words.count) && !isOrganisation(name)
                && words.allSatisfy { $0.first?.isUppercase ?? false || $0.utf8.count <= 3 }
        }
        return areNames ? found : []
    }

    /// Removes the text after a name in a byline: "A. Person am 4. März", "A. Person on March 4", "A. Person @handle".
    private static func withoutDate(_ text: String) -> String {
        var text = text
        for cut in [
            " am ", " on ", " vor ", " @", " le ", " el ", " • ", " Updated", " Published", " Publiziert",
            " Alle Artikel", " Shares", ", translated by ", ", as told to ", " as told to ",
        ] {
            if let range = text.firstRange(ofText: cut), range.lowerBound > text.startIndex {
                text = String(text[..<range.lowerBound])
            }
        }
        return withoutPlace(text)
    }

    /// "Otto Rand" of "Otto Rand in Berlin": two words before, and a capital behind.
    private static func withoutPlace(_ text: String) -> String {
        guard let range = text.firstRange(ofText: " in "), text[..<range.lowerBound].contains(" "),
            text[range.upperBound...].first?.isUppercase ?? false
        else { return text }
        return String(text[..<range.lowerBound])
    }

    private static let prefixes = [
        "ein artikel von", "ein beitrag von", "eingestellt von", "publié par", "erstellt von", "artikel von:",
        "artikel von", "interview:", "bericht von",
        "publicado por", "escrito por", "redactado por", "scritto da", "pubblicato da", "geplaatst door", "rédigé par",
        "und interview:",
        "written", "posted", "post author", "recipe by", "in:", "von:", "veröffentlicht von", "un documentaire de",
        "pressemitteilung von", "publiziert von",
        "words:",
        "written by", "posted by", "published by", "reported by", "review by", "words by", "article by", "story by",
        "text by",
        "by:", "by", "von:", "von", "par", "por", "di", "door", "av", "af", "text:", "author:", "autor:", "autorin:",
        "auteur:", "autore:",
        "ein artikel von", "ein beitrag von", "geschrieben von", "verfasst von", "veröffentlicht von", "text", "przez",
        "автор:",
    ]

    /// The text without "by", "written by" and the like at its start.
    static func withoutPrefix(_ text: String) -> String {
        var text = text
        // "ByAnna Berg": only the style of the page separates the words.
        if text.hasPrefix("By"), isCapital(text, at: 2), text.contains(" ") { text = String(text.dropFirst(2)) }
        // The heading of a box about the author.
        if text.hasPrefix("About "), isCapital(text, at: 6) { text = String(text.dropFirst(6)) }
        for _ in 0..<2 {
            let lower = text.lowercased()
            guard
                let prefix = prefixes.first(where: {
                    lower.hasPrefix($0) && (lower.utf8.count > $0.utf8.count)
                        && (lower.dropFirst($0.count).first.map { $0 == " " || $0 == ":" } ?? false
                            || $0.hasSuffix(":") || ($0.utf8.count > 8 && isCapital(text, at: $0.count)))
                })
            else { break }
            text = String(text.dropFirst(prefix.count).drop { $0 == " " || $0 == ":" })
        }
        return text
    }

    /// Whether a name follows without a space, because only the style of the page separates the words.
    private static func isCapital(_ text: String, at count: Int) -> Bool {
        text.dropFirst(count).first?.isUppercase ?? false
    }

    private static func split(_ text: String) -> [String] {
        var parts = [text]
        for separator in [
            ";", "|", "/", "•", "·", "\n", " & ", " and ", " und ", " et ", " y ", " with ", ", ", " – ", " - ",
        ] {
            parts = parts.flatMap { $0.split(text: separator).filter { !$0.isEmpty }.map(String.init) }
        }
        return parts
    }

    private static let notNames: Set<String> = [
        "admin", "administrator", "staff", "guest", "author", "autor", "editor", "webmaster", "user", "unknown",
        "anonymous", "none", "null",
        "by", "posted", "share", "email", "twitter", "facebook", "jr", "phd", "md", "inc", "ltd", "por", "par", "von",
        "datum", "no author", "redaktion",
        "agencies", "agency", "afp", "reuters", "ap", "dpa", "copyright", "all rights reserved", "co. kg", "news",
        "n/a", "undefined", "default",
        "super user", "root", "team", "editorial", "the editors", "editors", "newsroom", "redacción", "redacao",
        "redação", "rédaction", "la rédaction",
        "redazione", "redactie", "redakcja", "veröffentlicht", "erstellt", "geschrieben", "publiziert",
        "veröffentlicht von",
        "publié", "publicado", "pubblicato", "opublikowano", "geplaatst", "account", "red", "home", "kontakt",
        "impressum", "publisher", "benutzername", "username", "nom d'utilisateur", "nombre de usuario", "am", "pm",
        "gast", "invité", "moderator", "member", "mitglied", "verfasser", "herausgeber", "éditeur", "contributor",
        "contributors", "full bio", "bio", "writer", "reporter", "journalist", "correspondent", "sponsored",
        "advertorial",
        "wpadmin", "wp-admin", "wordpress", "siteadmin", "site admin", "webadmin", "sysadmin",
        "login", "log in", "log-in", "logout", "log out", "sign in", "signin", "sign up", "signup", "sign out",
        "register", "subscribe", "anmelden", "abmelden", "einloggen", "registrieren", "connexion", "se connecter",
        "s'inscrire", "iniciar sesión", "registrarse", "accedi", "registrati", "entrar", "iniciar sessão", "inloggen",
        "aanmelden", "zaloguj", "zaloguj się", "logga in", "logg inn", "log ind", "войти", "вход", "регистрация",
    ]

    /// Whether a text says what somebody does, and nothing else: "Staff Writer", "senior political correspondents".
    private static func isRole(_ text: String) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, let last = words.last else { return false }
        let trade = last.hasSuffix("s") ? String(last.dropLast()) : last
        return trades.contains(trade) && words.dropLast().allSatisfy(ranks.contains)
    }

    private static let trades: Set<String> = [
        "writer", "reporter", "editor", "correspondent", "columnist", "journalist", "contributor", "author", "producer",
        "photographer", "critic", "blogger", "analyst",
    ]
    private static let ranks: Set<String> = [
        "staff", "senior", "junior", "contributing", "freelance", "special", "chief", "lead", "managing", "executive",
        "deputy", "associate", "assistant", "guest", "foreign", "national", "political", "business", "science",
        "health",
        "technology", "tech", "sports", "news", "features", "culture", "opinion", "investigative", "white", "house",
    ]

    /// Whether a text begins like the report of an agency, with a place: "LONDON (Reuters) - 3 May".
    private static func isDateline(_ text: String) -> Bool {
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return false }
        let place = text[..<open]
        return place.contains(where: \.isUppercase) && !place.contains(where: \.isLowercase)
            && agencies.contains(text[text.index(after: open)..<close].lowercased())
    }

    private static let agencies: Set<String> = [
        "reuters", "ap", "afp", "dpa", "upi", "ani", "pti", "ians", "xinhua", "bloomberg", "efe", "ansa", "apa", "tass",
        "cnn", "bbc", "cns",
    ]

    /// Words that no name of a person contains: legal forms, offices and trades of organisations.
    private static let organisationWords: Set<String> = [
        "gmbh", "ag", "e.v", "ev", "inc", "ltd", "llc", "kg", "eg", "s.a", "media", "verlag", "magazin",
        "magazine", "zeitung", "online",
        "news", "verband", "bundesverband", "stiftung", "ministerium", "copyright", "bundesamt", "amt", "presse",
        "kitchens", "deutschland", "software-redaktion",
        "redaktionsteam", "newsdesk", "editorial", "university", "universität", "institut", "institute", "ministry",
        "department", "verein", "fraktion",
        "bundestagsfraktion", "feuerwehr", "abteilung", "rights", "agentur", "corporation", "association", "society",
    ]

    /// Whether the words of a name show that it is an organisation.
    static func isOrganisation(_ name: String) -> Bool {
        name.lowercased().split(separator: " ").contains {
            organisationWords.contains(String($0)) || $0.hasSuffix("-redaktion") || $0.hasSuffix("gmbh")
                || hasDomainEnding($0)
        }
    }

    /// Whether a word ends like a host name: `tag24.de`.
    private static func hasDomainEnding(_ word: Substring) -> Bool {
        guard let dot = word.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = word[word.index(after: dot)...]
        return ["com", "org", "net", "de", "at", "ch", "info", "eu", "uk", "fr", "it", "es", "tv", "ru", "pl"].contains(
            String(ending))
            && word.utf8.count > ending.utf8.count + 3
    }

    /// Whether a name is the name of the site or of its host.
    static func isSite(_ name: String, siteName: String?, host: String) -> Bool {
        let own = folded(name)
        if own.utf8.count < 3 { return false }
        if let siteName {
            let site = folded(siteName)
            if own == site
                || (own.utf8.count >= 4 && site.utf8.count >= 4 && (own.hasPrefix(site) || site.hasPrefix(own)))
            {
                return true
            }
        }
        let labels: [Substring] = host.split(separator: ".").dropLast().filter {
            $0 != "www" && $0 != "co" && $0 != "com"
        }
        // The registered name. On a blog host, the name of the blog is often the author.
        guard let label = labels.last else { return false }
        let domain = folded(String(label))
        if own == domain { return true }
        return min(own.utf8.count, domain.utf8.count) >= 4 && (own.contains(text: domain) || domain.contains(text: own))
    }

    /// Whether a name is that of the site and is none of a person: two or three words, the first one no article. Many
    /// people name their sites after themselves.
    static func isSiteAlone(_ name: String, siteName: String?) -> Bool {
        guard let siteName, MetaText.skeleton(name) == MetaText.skeleton(siteName) else { return false }
        // Chinese, Japanese and Korean names have no spaces.
        if name.unicodeScalars.contains(where: { $0.value >= 0x1100 }) { return false }
        let words = name.lowercased().split(separator: " ")
        return !(2...3).contains(words.count) || articles.contains(words[0])
    }

    private static let articles: Set<Substring> = ["the", "der", "die", "das", "le", "les", "el", "los", "las", "il"]

    /// Whether a byline names only the site: one word that is the name of its host.
    static func isHostAlone(_ name: String, host: String) -> Bool {
        guard !name.contains(" "), let label = host.split(separator: ".").dropLast().last else { return false }
        let own = folded(name)
        let domain = folded(String(label))
        return own == domain || (own.hasPrefix(domain) && domain.utf8.count > 3)
    }

    /// The letters and digits in lower case, with umlauts as in host names.
    private static func folded(_ text: String) -> String {
        var output = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "ä": output += "ae"
            case "ö": output += "oe"
            case "ü": output += "ue"
            case "ß": output += "ss"
            case "á", "à", "â", "ã": output += "a"
            case "é", "è", "ê": output += "e"
            case "í": output += "i"
            case "ó", "ô": output += "o"
            case "ú": output += "u"
            case "ñ": output += "n"
            case "ç": output += "c"
            default:
                if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        return output
    }

    /// Words that look like a name in a byline with dates and links.
    private static let phrases = [
        "posted on", "on ", "recipe", "redacción", "redacció", "foto", "фото", "photo", "bild:", "quelle",
        "veröffentlicht am", "publiziert am", "erstellt am", "published on", "updated",
        "published",
        "alle artikel", "alle beiträge",
        "visit the ", "sign in", "log in", "email", "e-mail", "categories", "if you are", "meet ", "about the",
        "all articles", "show all", "view all", "read more", "mehr", "posts by", "articles by", "vor ", "follow",
    ]

    private static func clean(_ part: String) -> String? {
        var text = Substring(part)
        if let at = text.firstIndex(where: { "([<".contains($0) }) { text = text[..<at] }
        if text.hasPrefix("in: ") { text = text.dropFirst(4) }
        text = text.drop { " .,:;-–—@\"'*#>→".contains($0) }
        while let last = text.last, " .,:;-–—\"'*→".contains(last) { text = text.dropLast() }
        guard !text.isEmpty, text.utf8.count <= 80, !text.contains("@") else { return nil }
        let lower = text.lowercased()
        if isTime(lower) { return nil }
        if phrases.contains(where: { lower.hasPrefix($0) || lower.hasSuffix($0) }) { return nil }
        let words = text.split(separator: " ")
        if words.count > 6 { return nil }
        if text.utf8.filter(\.isDigit).count > 3 { return nil }
        // A day and a month, or a weekday alone.
        if words.contains(where: { isMonthName($0) }), words.count < 2 || text.utf8.contains(where: \.isDigit) {
            return nil
        }
        guard text.unicodeScalars.contains(where: \.properties.isAlphabetic) else { return nil }
        if text.unicodeScalars.count < 3, text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        if text.utf8.count == 3, !text.contains(where: { "aeiouyAEIOUY".contains($0) }) { return nil }
        if text.contains(where: { "!?=".contains($0) }) || words.contains(where: { $0.utf8.allSatisfy(\.isDigit) }) {
            return nil
        }
        if isClause(words) || isPhrase(words) { return nil }
        if notNames.contains(lower) || isRole(lower) || isLabel(lower) || words.contains(where: isIdentifier) {
            return nil
        }
        return String(text)
    }

    /// Whether words are part of a sentence: "has two cats", "A. Person is a writer".
    private static func isClause(_ words: [Substring]) -> Bool {
        guard words.count >= 3, let first = words.first, let initial = first.first else { return false }
        if words.contains(where: { clauseWords.contains(String($0)) }) || first == "This"
            || first == "The" && words.count > 4
        {
            return true
        }
        return initial.isLowercase && !particles.contains(String(first))
            && words.dropFirst().allSatisfy {
                $0.first?.isLowercase ?? false
            }
    }

    /// "the numbers", but not "the Heron Team".
    private static func isPhrase(_ words: [Substring]) -> Bool {
        words[0] == "the" && words.dropFirst().allSatisfy { $0.first?.isLowercase ?? true }
    }

    private static let clauseWords: Set<String> = [
        "is", "has", "was", "are", "have", "ist", "hat", "est", "served", "lives", "writes",
    ]
    private static let particles: Set<String> = [
        "de", "da", "di", "du", "van", "von", "el", "al", "la", "le", "bin", "ten", "ter",
    ]

    /// Whether a text is a time of day: "7:57 am".
    private static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), (1...2).contains(colon) else { return false }
        return bytes[..<colon].allSatisfy(\.isDigit) && bytes.dropFirst(colon + 1).prefix(2).allSatisfy(\.isDigit)
    }

    /// Whether a word is a name from a program. Manuals format them like bylines: `DictWriter.writeheader`,
    /// `read_line`.
    private static func isIdentifier(_ word: Substring) -> Bool {
        if word.contains("_") { return true }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { $0.utf8.count >= 4 }
            && parts.dropFirst().contains { $0.first?.isLowercase ?? false }
    }

    private static func isMonthName(_ word: Substring) -> Bool {
        var key = NameKey()
        for byte in word.lowercased().utf8 where byte != 0x2E { key.append(byte) }
        return (MonthNames.table.find(key) ?? 0) > 0
    }
}
