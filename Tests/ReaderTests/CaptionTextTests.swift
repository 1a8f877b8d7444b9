import Testing

@testable import Reader

/// Captions are text where they are what a page has to say.
struct CaptionTextTests {
    private static let figures = (1...5).map {
        "<figure><img src=\($0).jpg width=600 height=400><figcaption>The coast at dawn, seen from the cliffs in May, number \($0)."
            + "</figcaption></figure>"
    }.joined()

    @Test(arguments: [
        "", "<p>These pictures were made on one morning, from one place, by one person with one camera.</p>",
    ])
    func `the captions of an essay in pictures are its text`(_ lead: String) {
        let page = article(
            "<title>The coast</title><article><h1>Pictures of the coast</h1>\(lead)\(Self.figures)</article>")
        #expect(page.text.contains("number 1.") && page.text.contains("number 5."))
        let reader = ReaderPage.html(page, original: ReaderPageTests.original) { _ in "assets/p.jpg" }
        #expect(String(decoding: reader, as: UTF8.self).components(of: "<figcaption>The coast") == 5)
    }

    @Test func `one caption beside a text is none of its text`() {
        let page = article(ExtractionTests.page)
        #expect(!page.text.contains("The hill, seen"))
    }
}
