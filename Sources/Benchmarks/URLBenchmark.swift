internal import URLs

/// Measures parsing and resolving of URLs: typical links of a page, resolved against the page's URL.
enum URLBenchmark {
    private static let links = [
        "/wiki/Main_Page", "https://www.example.org/a/b/c.html?x=1&y=2#part", "../images/picture-320.jpg", "#top",
        "?page=2",
        "//cdn.example.net/assets/3f2a/app.css", "article.html", "HTTPS://Example.COM:443/%7Euser/./x/../y",
        "mailto:a@b.example",
        "https://de.wikipedia.org/wiki/Köln",
    ]

    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let rounds = options.number("runs", 100_000)
        guard let base = WebURL("https://www.example.org/2026/11/some/page.html?utm=1") else { return }
        var byteCount = 0
        let start = ContinuousClock.now
        for _ in 0..<rounds {
            for link in links { byteCount += WebURL(link, base: base)?.utf8.count ?? 0 }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "\(Int(Double(rounds * links.count) / seconds)) resolutions a second (\(byteCount / rounds) bytes a round)")
    }
}
