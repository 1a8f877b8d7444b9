/// Lines inside an article that point to other articles.
enum Pointers {
    /// Whether a line only points elsewhere: it begins with words that say so, and has a link or ends with a colon.
    static func isPointer(_ line: [UInt8], hasLink: Bool) -> Bool {
        if !hasLink && line.count > 60 { return false }
        guard let rest = openings.rest(of: line) else { return false }
        return hasLink || isShort(rest)
    }

    /// Whether a heading begins a part that is not the article: further reading, the author, contacts.
    static func isSectionHeading(_ line: [UInt8]) -> Bool {
        [sections, openings].contains { $0.rest(of: line).map(isShort) ?? false }
    }

    /// Less than 30 characters.
    private static func isShort(_ rest: ArraySlice<UInt8>) -> Bool { rest.count { $0 & 0xC0 != 0x80 } < 30 }

    private static let sections = LineOpenings([
        "über den autor", "über die autorin", "über uns", "zum autor", "zur autorin", "zur person", "about the author",
        "about us", "about author",
        "à propos de l'auteur", "sobre el autor", "sobre o autor", "l'autore", "over de auteur", "kontakt",
        "pressekontakt", "ansprechpartner",
        "ansprechpartnerin", "contact", "press contact", "media contact", "contacts", "neueste artikel",
        "neueste beiträge", "aktuelle beiträge", "latest news",
        "latest posts", "latest articles", "recent posts", "most read", "most popular", "meistgelesen", "tags",
        "schlagworte", "schlagwörter", "kategorien",
        "categories", "share this", "teilen", "comments", "kommentare", "leave a reply", "leave a comment",
        "schreibe einen kommentar", "newsletter",
        "das könnte", "top-themen", "links zum thema", "downloads", "similar posts", "similar articles",
        "popular posts", "articles liés",
        "artículos relacionados", "noticias relacionadas", "notas relacionadas", "articoli correlati", "gerelateerde",
        "powiązane", "podobne",
    ])

    private static let openings = LineOpenings([
        "read more", "read also", "also read", "see also", "see more", "more:", "related:", "related stories",
        "related articles", "related posts",
        "related content", "don't miss", "don’t miss", "you may also like", "you might also like", "recommended",
        "more from", "more in", "more on",
        "further reading", "click here to subscribe", "sign up", "subscribe to", "follow us", "watch:", "listen:",
        "continue reading", "up next",
        "lesen sie auch", "lesen sie mehr", "lesen sie hier", "auch interessant", "das könnte sie auch interessieren",
        "das könnte dich auch interessieren", "mehr zum thema", "mehr dazu", "mehr lesen", "weiterlesen",
        "weitere artikel", "weitere beiträge",
        "weitere informationen", "weiterführende", "weitere themen", "weitere aktuelle", "passend zum thema",
        "zum thema", "siehe auch",
        "mehr aus", "ähnliche beiträge", "ähnliche artikel", "interessant auch", "jetzt lesen", "noch mehr",
        "à lire aussi", "lire aussi", "lire également", "à lire également", "voir aussi", "sur le même sujet",
        "pour aller plus loin",
        "vea también", "ver también", "lea también", "lee también", "leer más", "te puede interesar", "puedes ver",
        "más información",
        "mire:", "le puede interesar", "temas relacionados", "leia também", "leia mais", "veja também", "saiba mais",
        "leggi anche", "leggi di più",
        "potrebbe interessarti", "lees ook", "lees meer", "czytaj też", "czytaj także", "zobacz też", "zobacz także",
        "przeczytaj też",
        "przeczytaj także", "schon gelesen", "zum weiterlesen", "subscribe now", "hazte miembro", "suscríbete",
        "suscribite",
        "читайте также", "читать также", "смотрите также", "čtěte také", "přečtěte si", "läs också",
        "läs mer",
        "læs også", "les også", "ilgili haberler",
    ])
}
