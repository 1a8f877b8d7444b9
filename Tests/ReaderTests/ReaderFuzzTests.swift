import TestSupport
import Testing
import Time

@testable import Reader

/// Generated and mutated pages: reading ends, and nothing of them runs.
struct ReaderFuzzTests {
    private static let pieces = [
        "<p>", "</p>", "<div class=article-body>", "</div>", "<table>", "<tr>", "<td>", "</table>", "<li>", "<ul>",
        "</ul>", "<a href=x>", "</a>",
        "<b>", "</b>", "<h1>", "</h1>", "<h2>", "<script type=application/ld+json>",
        "{\"@type\":\"Article\",\"author\":[", "</script>", "<svg>", "</svg>",
        "<pre>", "</pre>", "<br>", "<img src=a.png alt=x>", "<figure>", "<figcaption>", "<blockquote>", "<dl>", "<dt>",
        "<dd>", "<!--", "-->", "&amp", "&#1234;",
        "<noscript>", "</noscript>", "<template>", "<select>", "<option>", "<title>", "</title>", "<textarea>",
        "<math>", "<time datetime=2021-03-04>",
        "<span class=byline>By A B", "4. März 2021", "Some text, with a comma. ", "漢字、かな。", "\u{0}", "<", ">", "\"",
        "'", "=", "/", "<p onclick=x>", "<button>",
        "<form>", "</form>", "<details><summary>", "<ol start=-5>", "<td colspan=99999999999999999999>", "<body>",
        "<html>", "<head>", "</body>",
    ].map { Array($0.utf8) }

    private static func page(_ generator: inout SeededGenerator) -> [UInt8] {
        var page: [UInt8] = Bool.random(using: &generator) ? Array(ExtractionTests.page.utf8) : []
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            let piece = pieces.randomElement(using: &generator) ?? []
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where !page.isEmpty:
                page[Int.random(in: 0..<page.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            case 1 where !page.isEmpty: page.removeLast(Int.random(in: 0...page.count / 2, using: &generator))
            case 2 where !page.isEmpty:
                page.insert(contentsOf: piece, at: Int.random(in: 0...page.count, using: &generator))
            default: page += piece
            }
        }
        return page
    }

    @Test func `any bytes are a page, and its reader holds nothing that runs`() {
        var generator = SeededGenerator(seed: FuzzSetting.seed)
        for _ in 0..<FuzzSetting.cases(300) {
            let page = Self.page(&generator)
            let article = Article(
                page: page, url: "https://www.example.org/", today: CalendarDate(year: 2026, month: 11, day: 21))
            let reader = ReaderPage.html(article, original: ReaderPageTests.original) { _ in "assets/picture.png" }
            let faults = ReaderPageTests.faults(reader)
            if !faults.isEmpty || String(validating: reader, as: UTF8.self) == nil {
                Issue.record("\(faults): \(page)")
            }
            _ = TerminalText.render(article, width: 40)
            _ = TerminalText.render(whole: reader, width: 60)
            _ = article.quality(status: nil)
        }
    }
}
