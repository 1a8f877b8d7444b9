import Testing

@testable import Reader

/// The authors whom a page shows, and those who are not its authors.
struct AuthorMarksTests {
    private static func authors(_ body: String, head: String = "") -> [String] {
        article("<html><head><title>Herons</title>\(head)</head><body>\(body)</body></html>").authors
    }

    @Test(arguments: [
        "<h1>Herons</h1><p><span>By</span><span>Ada Winter</span></p>",
        "<h1>Herons</h1><div><p>Written by</p><p>Ada Winter</p></div>",
        "<h1>Herons</h1><div>Text <a href='/author/ada-winter'>Ada Winter</a> · Editor</div>",
        "<h1>Herons</h1><div class=author><a href=/ada>Ada Winter</a><span>Founder and Writer</span></div>",
        "<h1>Herons</h1><div class=author>Author<br><b>Ada Winter</b></div>",
    ])
    func `a name stands apart from what is around it`(_ body: String) {
        #expect(Self.authors(body) == ["Ada Winter"])
    }

    @Test(arguments: [
        ("<p class=byline>By Ada Winter, translated by Bob Mays</p>", ""),
        ("<p class=byline>By Ada Winter, as told to Bob Mays</p>", ""),
        ("<p class=byline>By Ada Winter in Berlin</p>", ""),
        ("<div class=author-box><h4 class=author-name>About Ada Winter</h4></div>", ""),
        ("<p class=byline>By Ada Winter</p>", "<meta name=author content='Heron Shed'>"),
        (
            "<div>Von <a rel=author href=/a>Ada Winter</a></div>",
            "<meta name=author content='HERON SHED, Hamburg, Germany'>"
        ),
        ("", "<meta name=author content='Ada Winter, Heron Shed'>"),
        (
            "",
            "<script type=application/ld+json>{\"@type\":\"Article\",\"author\":{\"@type\":\"Person\",\"name\":\"Winter, Ada\"}}</script>"
        ),
    ])
    func `the person is the author, not the site, the place or the translator`(_ byline: String, _ head: String) {
        let page =
            "<title>Herons | Heron Shed</title>\(head)<body><h1>Herons</h1>\(byline)<p>They stand in the water.</p></body>"
        #expect(article(page).authors == ["Ada Winter"])
    }

    @Test func `a person whose name the site has is its author if nobody else is named`() {
        let page =
            "<title>Herons - Ada Winter</title><meta name=author content='Ada Winter'><body><h1>Herons</h1><p>Text.</p></body>"
        #expect(article(page).authors == ["Ada Winter"])
    }

    @Test func `Japanese labels end with an equals sign, too`() {
        let page = "<title>鷺</title><body><h1>鷺</h1><p class=byline>文=佐藤 花子</p><p>水の中に立つ。</p></body>"
        #expect(article(page).authors == ["佐藤 花子"])
    }

    @Test(arguments: [
        "<h1>Tent</h1><div class=review><b class=author>Ada Winter</b><p>Dry.</p></div>",
        "<h1>Tent</h1><section class=testimonials><p class=author>Ada Winter</p></section>",
        "<h1>Herons</h1><p class=author-bio>has two cats</p>",
        "<h1>Herons</h1><p class=byline>LONDON (Reuters) - 3 May 2021</p>",
        "<h1>Herons</h1><table class='infobox biography vcard'><tr><th><div class=fn>Ada Winter</div></th></table>",
        "<h1>Herons</h1><p class=byline>By the numbers</p>",
    ])
    func `who reviews or praises is no author`(_ body: String) {
        #expect(Self.authors(body) == [])
    }

    @Test(
        arguments: [
            (
                "<meta name=citation_author content='Keller, A.'><meta name=citation_author content='Brandt, Nils'>",
                ["A. Keller", "Nils Brandt"]
            ),
            ("<meta name=author content='Keller, A. B.'>", ["A. B. Keller"]),
            ("<meta name=author content='Ada Keller, M.D.'>", ["Ada Keller"]),
            ("<meta name=author content='Ada Keller, Nils Brandt'>", ["Ada Keller", "Nils Brandt"]),
            ("<meta name=author content='Article by'>", []), ("<meta name=author content=Autoren>", []),
            (
                "<meta property=og:site_name content='Heron Post'><meta name=author content='Heron Post'><meta property=og:type content=article>",
                []
            ),
            (
                "<meta property=og:site_name content='Heron Post'><meta name=author content='Bird Society'><meta property=og:type content=article>",
                ["Bird Society"]
            ),
        ] as [(String, [String])])
    func `the head names persons, in either order, and not the site`(_ head: String, _ authors: [String]) {
        #expect(Self.authors("<h1>Herons</h1><p>They wait.</p>", head: head) == authors)
    }

    @Test func `a review and the entry of a list in the data say nothing of the page`() {
        for data in [
            #"{"@type":"Product","name":"Tent","review":[{"@type":"Review","author":{"name":"Ada Winter"},"datePublished":"2022-03-03"}]}"#,
            #"{"@type":"ItemList","itemListElement":[{"@type":"Article","author":{"name":"Ada Winter"},"datePublished":"2022-03-03"}]}"#,
        ] {
            let page = article("<script type='application/ld+json'>\(data)</script><h1>Tent</h1><p>Forty litres.</p>")
            #expect(page.authors == [] && page.published == nil)
        }
    }

    @Test(arguments: [
        "<div class=post><a class=username href='/members/ada.1/'>ada</a><p>Why?</p></div>"
            + "<div class=post><a class=username href='/members/bo.2/'>bo</a><p>So.</p></div>"
            + "<div class=post><a class=username href='/members/cy.3/'>cyd</a><p>No.</p></div>",
        "<div itemscope itemtype='https://schema.org/QAPage'><p>last post by <a href=/users/9/bo>bolle</a></p>"
            + "<div itemprop=author><a href=/users/1/ada>ada</a></div><div itemprop=author>bolle</div></div>",
    ])
    func `the author of a conversation is who began it`(_ posts: String) {
        #expect(Self.authors("<h1>Why do herons stand?</h1>\(posts)") == ["ada"])
    }

    @Test func `a label of the head tells who wrote the page`() {
        let label = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ada Winter'>"
        #expect(Self.authors("<h1>Herons</h1>", head: label) == ["Ada Winter"])
    }

    @Test(arguments: [
        "<h1>Hands</h1><div class=byline>By The Daily Flood</div>",
        "<h1>Hands</h1><span class=author>The Daily Flood</span>", "<h1>Hands</h1><p>By The Daily Flood</p>",
        "<h1>Hands</h1><div class='byline author'>Login</div>", "<h1>Hands</h1><div class=author>Sign up</div>",
    ])
    func `the site and a link to log in are no authors`(_ body: String) {
        #expect(Self.authors(body, head: "<meta property=og:site_name content='The Daily Flood'>") == [])
    }

    @Test func `a person may have given the site their name`() {
        let head = "<meta property=og:site_name content='Ada Winter'>"
        #expect(Self.authors("<h1>Hands</h1><div class=byline>By Ada Winter</div>", head: head) == ["Ada Winter"])
        let other = "<meta property=og:site_name content='山田太郎'>"
        #expect(Self.authors("<h1>Hands</h1><span class=author>山田太郎</span>", head: other) == ["山田太郎"])
    }

    @Test func `the account that a system comes with is no author`() {
        #expect(Self.authors("<h1>Hands</h1>", head: "<meta name=author content=wpadmin>") == [])
    }
}
