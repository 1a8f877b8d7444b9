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

    @Test func `the words of a drawing stay`() {
        let page =
            "<main><h1>T</h1>\(ExtractionTests.prose)<svg role=img aria-label='A chart of the levels'><path d='M0 0'/></svg>"
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
