import Testing

@testable import Reader

struct ExtractionTests {
    static let prose = (1...6).map {
        "<p>Paragraph \($0) of the story tells, at some length, what happened on the hill; it has commas, clauses and an end.</p>"
    }.joined(separator: "\n")

    /// A page as many systems make them: header, menu, article, comments, teasers, footer.
    static let page = """
        <html><head><title>On the hill - Example</title></head><body class="single has-sidebar">
        <header><a href=/>Example</a></header><nav><ul><li><a href=/1>Home</a><li><a href=/2>News</a></ul></nav>
        <div class=wrap><article class=post><h1>On the hill</h1><p class=byline>By Anna Berg</p><div class=share>Share this</div>
        <div class="entry-content">\(prose)<h2>A list</h2><ul><li>first thing<li>second thing</ul>
        <pre>code  kept
          as is</pre><figure><img src=a.png alt="A hill"><figcaption>The hill, seen</figcaption></figure>
        <p>Read more: <a href=/other>Another story about quite another hill</a></p></div>
        <div class=related-posts><h3>Related</h3><p>Teaser text of another story that is long enough to look like prose, too.</p></div>
        </article><div id=comments><p>I, for one, think that this comment is much longer than it ought to be, and wrong, too.</p></div>
        <aside>Aside text</aside></div><footer>Copyright text, all rights reserved, and so on.</footer></body></html>
        """

    @Test func `an article is freed of what stands around it`() {
        let text = article(Self.page).text
        for number in 1...6 { #expect(text.contains("Paragraph \(number) of the story")) }
        #expect(text.contains("A list\nfirst thing\nsecond thing\n"))
        #expect(text.contains("code  kept\n  as is"))
        for noise in [
            "Home", "Share", "Anna", "Teaser", "comment", "Aside", "Copyright", "Read more", "The hill, seen",
            "On the hill",
        ] {
            #expect(!text.contains(noise), "\(noise)")
        }
    }

    @Test func `an introduction apart from the body is part of the article`() {
        let page =
            "<main><h1>T</h1><div class=intro><p>The introduction stands in a box of its own, before the body.</p></div>"
            + "<div class=pic></div><section><div class=article-body>\(Self.prose)</div></section></main>"
        #expect(article(page).text.hasPrefix("The introduction stands"))
    }

    @Test func `a body in several blocks of one kind is whole`() {
        let page = "<body><div class=m>\(Self.prose)</div><div class=ad>x</div><div class=m>\(Self.prose)</div></body>"
        #expect(article(page).text.components(of: "Paragraph 3") == 2)
    }

    @Test func `states in class names say nothing`() {
        let page =
            "<article class='node--promoted is-sponsored has-sidebar'><div class='field--label-hidden'>\(Self.prose)</div></article>"
        #expect(article(page).text.contains("Paragraph 6"))
    }

    @Test(arguments: ["", "<", "<p>", "\0\0\0", "<html><body></body></html>", "plain text without any markup at all"])
    func `a page with nothing in it gives nothing, or what it has`(_ page: String) {
        let text = article(page).text
        #expect(text.utf8.count <= page.utf8.count)
    }
}

extension String {
    func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
