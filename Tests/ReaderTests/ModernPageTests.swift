import Characters
import Testing
import Time

@testable import Reader

/// Markup of modern pages: shadow roots, formulas, pictures that are no `img`, disclosure, ruby.
struct ModernPageTests {
    private static func reader(_ page: String) -> String {
        let bytes = ReaderPage.html(article(page), original: ReaderPageTests.original) { _ in "assets/picture.png" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["open", "closed"])
    func `an article in a shadow root is read`(_ mode: String) {
        let page = article(
            "<title>T</title><body><my-article><template shadowrootmode=\(mode)><main>\(ExtractionTests.prose)</main>"
                + "</template></my-article></body>")
        #expect(page.text.contains("Paragraph 1 of the story") && page.text.contains("Paragraph 6 of the story"))
        #expect(page.quality().wordCount > 100)
    }

    @Test(arguments: [
        "<my-page><template shadowrootmode=open><main><h1>T</h1><slot></slot></main></template>TEXT</my-page>",
        "<my-page><template shadowrootmode=open><header>Menu</header><article><slot name=text></slot></article>"
            + "<footer>Imprint</footer></template><div slot=text>TEXT</div></my-page>",
        "<main><h1>T</h1><my-box><template shadowrootmode=open><style>p{}</style><div class=box><slot></slot></div>"
            + "</template>TEXT</my-box></main>",
        "<main><h1>T</h1><p>First, a paragraph of the page itself, which says what is to come, and where.</p>"
            + "<my-tip><template shadowrootmode=open><b>Note</b> <slot></slot></template><span>TEXT</span></my-tip></main>",
    ])
    func `text in the slot of a shadow root is read`(_ page: String) {
        let text = article(page.replacing("TEXT", with: ExtractionTests.prose)).text
        #expect(text.contains("Paragraph 1 of the story") && text.contains("Paragraph 6 of the story"))
    }

    @Test func `what stands in a slot is read where the slot is`() {
        let page =
            "<my-page><template shadowrootmode=open><article><h1>T</h1>\(ExtractionTests.prose)<slot name=note>None</slot>"
            + "<p>Then the water falls again, and the stones are seen.</p><slot></slot>"
            + "<slot name=no><p>Nobody wrote this part, so that the words of the page itself are here.</p></slot>"
            + "</article></template><p slot=note>A note about the stones, by one who counted them.</p>"
            + "<p>The rest of the story is told here, in the words of the miller himself.</p></my-page>"
        let text = article(page).text
        let parts = ["Paragraph 6", "A note about", "Then the water falls", "The rest of the story", "Nobody wrote"]
        let places = parts.map { text.firstRange(ofText: $0)?.lowerBound }
        #expect(!places.contains(nil), "\(text)")
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(!text.contains("None"))
    }

    @Test func `slots nested without end do no harm`() {
        let part = "<my-box><template shadowrootmode=open><div><div><slot></slot></div></div></template>"
        let page = String(repeating: part, count: 400) + "<p>\(ExtractionTests.prose)</p>"
        #expect(article(page).text.contains("Paragraph 6 of the story"))
    }

    @Test func `text that the browser did not show is not read`() {
        let page = article(
            "<main><h1>T</h1>\(ExtractionTests.prose)<p data-sbfs-unseen>Never shown, to nobody at all, ever.</p>"
                + "<p>Then the water <span data-sbfs-unseen>unseen</span> falls.</p>\(ExtractionTests.prose)</main>")
        #expect(!page.text.contains("Never shown") && !page.text.contains("unseen"))
        #expect(page.text.contains("Then the water falls."))
    }

    @Test func `a power is no other number`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<p>There are 10<sup>6</sup> stones in 2 km<sup>2</sup>, or 10<sup>-3</sup>"
            + " of all, as was counted in 1990<sup><a href=#n>3</a></sup>, on the 1<sup>st</sup> of May.</p></main>"
        #expect(article(page).text.contains("There are 10^6 stones in 2 km2, or 10^-3 of all"))
        #expect(article(page).text.contains("the 1st of May"))
    }

    @Test func `a formula keeps its meaning in a heading and in a cell`() {
        let half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
        let square = "<math><msup><mi>c</mi><mn>2</mn></msup></math>"
        let page = article(
            "<main><h1>The energy is m\(square)</h1>\(ExtractionTests.prose)<h2>On \(half)</h2>\(ExtractionTests.prose)"
                + "<table><tr><th>What<th>Value<tr><td>One \(half)<td>\(square)</table>\(ExtractionTests.prose)</main>")
        #expect(page.title == "The energy is mc^2")
        #expect(page.text.contains("On 1/2\n"))
        #expect(page.text.contains("One 1/2 c^2"))
    }

    @Test func `a picture keeps its size`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<img src=a.jpg width=640 height=480><img src=b.jpg width=1 height=1>"
            + "<img src=c.jpg width='50%' height=20>\(ExtractionTests.prose)</main>"
        let reader = Self.reader(page)
        #expect(reader.contains("alt=\"\" width=\"640\" height=\"480\" loading"))
        #expect(reader.split(separator: "width=\"").count == 2)
    }

    @Test func `a template that is no shadow root stays unread`() {
        let page = article(
            "<main><h1>T</h1>\(ExtractionTests.prose)<template><p>Not shown, ever.</p></template></main>")
        #expect(!page.text.contains("Not shown"))
    }

    @Test func `a formula in a sentence keeps its text`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<p>Then, at noon, the level is <math><semantics><mrow><mn>42</mn>"
            + "</mrow><annotation encoding='application/x-tex'>4^2</annotation></semantics></math> metres, and falls.</p></main>"
        #expect(article(page).text.contains("the level is 42 metres"))
        #expect(Self.reader(page).contains("the level is 42 metres"))
    }

    @Test func `the poster of a video stays as a picture`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<video poster=p.jpg src=v.mp4></video>\(ExtractionTests.prose)</main>"
        #expect(Self.reader(page).contains("<img src=\"assets/picture.png\""))
    }

    @Test func `the words of a drawing that is drawn elsewhere stay`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<svg role=img aria-label='A chart of the levels'><use href='#c'/></svg>"
            + "\(ExtractionTests.prose)</main>"
        #expect(Self.reader(page).contains("[A chart of the levels]"))
    }

    @Test func `details that are open stay open, and an empty summary shows no mark`() {
        let open = "<details open><summary>More</summary><p>\(ExtractionTests.prose)</p></details>"
        let empty = "<details open><summary></summary><p>\(ExtractionTests.prose)</p></details>"
        #expect(Self.reader("<main><h1>T</h1>\(ExtractionTests.prose)\(open)</main>").contains("<details open>"))
        #expect(!Self.reader("<main><h1>T</h1>\(ExtractionTests.prose)\(empty)</main>").contains("<details"))
    }

    @Test func `readings of Japanese words are beside them, not in them`() {
        let page =
            "<main lang=ja><h1>T</h1>"
            + "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>は、とても長い文章の中にあります。</p>"
            + "\(ExtractionTests.prose)</main>"
        #expect(article(page).text.contains("漢字は、とても"))
        #expect(Self.reader(page).contains("<rt>かん</rt>"))
    }
}
