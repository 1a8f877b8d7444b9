import Testing

@testable import Reader

struct PageQualityTests {
    @Test(
        arguments: [
            ("<title>Just a moment...</title><p>Checking your browser before accessing.", nil, PageKind.blocked),
            ("<title>Sign in</title><form><input name=u><input type=password><button>Go</button></form>", nil, .login),
            ("<title>404 Not Found</title><h1>Not Found</h1>", nil, .error), ("<h1>Sorry</h1>", 500, .error),
            ("<h1>Sorry</h1>", 403, .blocked), ("<p>x", 401, .login), (ExtractionTests.page, 200, .article),
            (ExtractionTests.page + "<form><input type=password></form>", 200, .article),
            ("<title>x</title><p>Short.", 200, .article),
            ("<title>Harbour Post</title><h1>Oops! That page can’t be found.</h1><p>Maybe try a search?", 200, .error),
            ("<title>Seite nicht gefunden – Hafenpost</title><p>Leider.", nil, .error),
            (
                "<title>Shop</title><h1>Application error: a client-side exception has occurred (see console).</h1>",
                200, .error
            ),
            ("<title>Not far</title><h1>Why a page is not available twice</h1>" + ExtractionTests.prose, 200, .article),
            ("<title>Shop</title><div id=root></div>", 200, .empty),
            ("<title>Shop</title><div>Loading…</div>", 200, .empty),
            ("<title>Comic</title><img src=a.png alt>", 200, .article), ("<title>Sign</title><p>Ω", 200, .article),
            ("<title>Guide</title><p>Loading a truck.", 200, .article), ("", 200, .empty),
        ] as [(String, Int?, PageKind)])
    func `a wall, a login and an error are distinguished from an article`(
        _ page: String, _ status: Int?, _ kind: PageKind
    ) {
        let text = String(repeating: ExtractionTests.prose, count: 4)
        let page = page.replacing("<h2>", with: text + "<h2>")
        #expect(article(page).quality(status: status).kind == kind)
    }

    @Test(arguments: [
        ("<body><div id=root></div><script src=x></script>", true),
        ("<noscript>Please enable JavaScript.</noscript>", true),
        ("<body><div id=root>\(ExtractionTests.prose)</div>", false), (ExtractionTests.page, false),
        ("<p>Hello.", false),
    ])
    func `an empty frame needs a script`(_ page: String, _ expected: Bool) {
        #expect(article(page).quality().needsScript == expected)
    }

    @Test func `an article is better than a wall, and more text is better than less`() {
        let full = article(ExtractionTests.page).quality()
        let wall = article("<title>Just a moment...</title>").quality()
        let short = article("<p>A few words only.").quality()
        #expect(
            full.isBetter(than: wall) && full.isBetter(than: short) && short.isBetter(than: wall)
                && !wall.isBetter(than: full))
        #expect(article("<p>これは短い文章です。").quality().wordCount == 5)
    }
}
