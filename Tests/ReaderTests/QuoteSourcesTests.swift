import Testing

@testable import Reader

struct QuoteSourcesTests {
    private static let quote =
        "<p>The sea is wide, the lamp is small, and the nights up here are longer than anybody told me.</p>"

    private func page(_ markup: String) -> Article {
        article("<h1>T</h1><article>\(ExtractionTests.prose)\(markup)\(ExtractionTests.prose)</article>")
    }

    @Test(arguments: [
        "<blockquote>\(quote)<footer>— <cite>Keeper Hansen, 1884</cite></footer></blockquote>",
        "<blockquote>\(quote)<div><footer>— Keeper Hansen, 1884</footer></div></blockquote>",
        "<blockquote>\(quote)<cite>Keeper Hansen, 1884</cite></blockquote>",
        "<figure><blockquote>\(quote)</blockquote><figcaption>Keeper Hansen, <cite>1884</cite></figcaption></figure>",
        "<figure><figcaption>Keeper Hansen, 1884</figcaption><blockquote>\(quote)</blockquote></figure>",
    ])
    func `a quote keeps who said it`(_ markup: String) {
        let found = page(markup)
        #expect(found.text.contains("nights up here"))
        #expect(found.text.contains("Keeper Hansen, 1884"))
        let reader = String(decoding: ReaderPage.html(found, original: nil) { _ in nil }, as: UTF8.self)
        #expect(reader.contains("Keeper Hansen"))
        #expect(TerminalText.render(found, width: 80).contains("Keeper Hansen, 1884"))
    }

    @Test func `other footers and captions are as before`() {
        let text = page(
            "<figure><img src=a.png><figcaption>The hill, seen</figcaption></figure><footer>Filed under hills</footer>"
        ).text
        #expect(!text.contains("seen"))
        #expect(!text.contains("Filed"))
    }
}
