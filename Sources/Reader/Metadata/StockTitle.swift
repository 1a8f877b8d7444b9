/// Titles that editors and systems give a page when nobody wrote one. They say nothing about it.
enum StockTitle {
    private static let titles: Set<String> = [
        "untitled", "untitled document", "untitled page", "untitled-1", "new page", "new page 1", "document", "page",
        "page title", "title", "no title", "insert title here", "index", "default", "home", "home page", "homepage",
        "welcome", "main", "blog", "news", "article", "post", "startseite", "unbenanntes dokument", "neue seite 1",
        "accueil", "document sans nom", "document sans titre", "inicio", "página principal", "documento sin título",
        "home page title", "react app", "vite app", "app", "website", "my site", "my website",
    ]

    static func isOne(_ title: String) -> Bool { titles.contains(title.lowercased()) }
}
