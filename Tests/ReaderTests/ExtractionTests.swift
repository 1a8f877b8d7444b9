import Testing

@testable import Reader

struct ExtractionTests {
    static let prose = (1...6).map {
        "<p>Paragraph \($0) of the story tells, at some length, what happened on the hill; it has commas, clauses and an end.</p>"
    }.joined(separator: "\n")

    /// A typical page of many systems: header, menu, article, comments, teasers, footer.
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

    @Test func `the text around an article is removed`() {
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

    @Test(arguments: [
        "<span class=copybutton title='Hide the prompts'>&gt;&gt;&gt;</span>", "<a class='copy-btn'>Copy</a>",
        "<div class='md-code clipboard-copy'>Copy</div>",
    ])
    func `a button that copies an example is not part of the example`(_ button: String) {
        let text = article("<main><h1>T</h1>\(Self.prose)<div class=code>\(button)<pre>x = 1</pre></div></main>").text
        #expect(text.hasSuffix("end.\nx = 1\n") || text.hasSuffix("end.\nx = 1"))
    }

    @Test func `an introduction apart from the body is part of the article`() {
        let page =
            "<main><h1>T</h1><div class=intro><p>The introduction stands in a box of its own, before the body.</p></div>"
            + "<div class=pic></div><section><div class=article-body>\(Self.prose)</div></section></main>"
        #expect(article(page).text.hasPrefix("The introduction stands"))
    }

    @Test func `an article in several blocks of one kind is complete`() {
        let second = Self.prose.replacing("hill", with: "shore")
        let page = "<body><div class=m>\(Self.prose)</div><div class=ad>x</div><div class=m>\(second)</div></body>"
        #expect(article(page).text.components(of: "Paragraph 3") == 2)
    }

    @Test(arguments: [
        "<a class=headerlink href=#a>¶</a>", "<a href=#a>#</a>", "<a href='/page#a'>§</a>", "<a href=#a>🔗\u{FE0F}</a>",
        "<a class='anchor' href=#a>Permalink</a>", "<a class=anchor href=#a></a>",
    ])
    func `a heading's link to itself adds no words`(_ link: String) {
        let page = article(
            "<title>On the hill — Guide</title><main><h1>On the hill\(link)</h1>\(Self.prose)<h2>Further up\(link)</h2>"
                + "<p id=a>Here the path, which was narrow, ends at last; nobody goes on from here.</p></main>")
        #expect(page.title == "On the hill")
        #expect(page.text.contains("\nFurther up\nHere the path"))
    }

    @Test func `a heading that is a link into the page stays, and so does a link of punctuation elsewhere`() {
        let page = article(
            "<main><h1>On the hill</h1>\(Self.prose)<section><h2><a class=toc-backref href=#t>What was seen there</a>"
                + "<a class=headerlink href=#s>¶</a></h2>\(Self.prose)</section>"
                + "<section><h2><a class=toc-backref href=#t>What was heard there</a></h2>\(Self.prose)"
                + "<p>The language is called <a href=https://example.org/c>C#</a>, and that is all.</p></section></main>"
        )
        #expect(page.text.contains("\nWhat was seen there\n") && page.text.contains("\nWhat was heard there\n"))
        #expect(page.text.contains("called C#, and"))
        #expect(!page.text.contains("¶"))
    }

    @Test func `the text is in composed form`() {
        let text = article(
            "<main><h1>T</h1>\(Self.prose)<p>Cafe\u{301} au lait, with sugar; nobody drinks it there.</p></main>"
        ).text
        #expect(text.unicodeScalars.contains("é") && !text.unicodeScalars.contains("\u{301}"))
    }

    @Test func `a date line after the introduction is removed with its labels`() {
        let text = article(
            "<main><h1>T</h1><p>An introduction that says, in one sentence, what the story is going to be about.</p>"
                + "<div>Author:</div><div>Anna Berg</div><div>Publish date:</div><div>Nov 18, 2019</div>\(Self.prose)</main>"
        ).text
        #expect(!text.contains("2019") && !text.contains("Anna") && !text.contains("date:"))
        #expect(text.contains("An introduction") && text.contains("Paragraph 1"))
        // A block that contains the article besides its date is no line.
        let whole = article("<main><h1>T</h1><div>Nov 18, 2019<div>\(Self.prose)</div></div></main>").text
        #expect(whole.contains("Paragraph 1") && whole.contains("Paragraph 6"))
    }

    @Test func `class names of states have no effect`() {
        let page =
            "<article class='node--promoted is-sponsored has-sidebar'><div class='field--label-hidden'>\(Self.prose)</div></article>"
        #expect(article(page).text.contains("Paragraph 6"))
    }

    /// At least a third of the page: its own statements still count.
    @Test(arguments: [
        ("<div role=dialog aria-hidden=true>", false), ("<div class=modal style='display: none'>", false),
        ("<div class=modal>", true), ("<div aria-hidden=true>", true),
        ("<div role=dialog aria-hidden=true class=article-body>", true),
    ])
    func `a closed dialog is not an article, however long`(_ start: String, isKept: Bool) {
        let settings = Self.prose.replacing("story", with: "notice")
        let text = article("<article><h1>T</h1>\(Self.prose)\(start)\(settings)</div></article>").text
        #expect(text.contains("Paragraph 3 of the story") && text.contains("Paragraph 3 of the notice") == isKept)
    }

    @Test(arguments: ["", "<", "<p>", "\0\0\0", "<html><body></body></html>", "plain text without any markup at all"])
    func `an empty page gives nothing`(_ page: String) {
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
