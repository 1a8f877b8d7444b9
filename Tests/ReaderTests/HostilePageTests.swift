import Testing
import Time

@testable import Reader

/// Pages that are made to cost much, or that hold nothing to read.
struct HostilePageTests {
    @Test(arguments: ["", " ", "<html></html>", "<body><div></div></body>", "<script>text()</script>"])
    func `a page without text has no main text`(_ page: String) {
        #expect(article(page).text.isEmpty)
        #expect(article(page).quality().wordCount == 0)
    }

    @Test func `a page that is all links is read as a list or as nothing, and its reader holds no dropped text`() {
        let links = (1...2000).map { "<li><a href=/\($0)>Link number \($0) of the page</a>" }.joined()
        let page = article("<title>Links</title><ul>\(links)</ul>")
        let count = page.text.components(of: "Link number")
        #expect(count == 0 || count > 1800)
        let reader = ReaderPage.html(page, original: ReaderPageTests.original) { _ in nil }
        #expect(String(decoding: reader, as: UTF8.self).components(of: "Link number") == count)
    }

    @Test func `a page of a million nodes is read`() {
        let page =
            Array("<main>\(ExtractionTests.prose)".utf8)
            + Array(repeatElement(Array("<p>a".utf8), count: 500_000).joined())
        let found = Article(page: page, url: "", today: CalendarDate(year: 2026, month: 11, day: 21))
        #expect(found.content.tree.nodes.count > 1_000_000)
        #expect(found.content.isDropped.count == found.content.tree.nodes.count)
    }

    @Test func `a hundred thousand classes say nothing, and the article is read`() {
        let boxes = (1...100_000).map {
            "<b class=c\(Character(Unicode.Scalar(UInt8(97 + $0 % 26))))\($0)x\($0 * 7)></b>"
        }
        let page = article("<title>T</title><main><h1>T</h1>\(ExtractionTests.prose)</main>" + boxes.joined())
        #expect(page.text.contains("Paragraph 1 of the story") && page.text.contains("Paragraph 6 of the story"))
    }

    @Test func `elements that nest without end are read`() {
        let deep = String(repeating: "<div class=comment><p>", count: 50_000)
        let page = article("<main><h1>T</h1>\(ExtractionTests.prose)</main>\(deep)")
        #expect(page.text.contains("Paragraph 3 of the story"))
    }

    @Test(arguments: [
        ("<dl><dt>term<dd>", 20_000), ("<dt>a term<dd>what it means, in words", 100_000),
        ("<table><tr><td>cell</td><td>of it", 5_000), ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", 50_000),
        ("<h2>A heading</h2>", 100_000), ("<h2>Heading</h2><p>Words of it, at some length, with commas.", 50_000),
    ])
    func `lists, tables and headings without end are read`(_ part: String, _ count: Int) {
        let page = article(
            "<title>T</title><main><h1>T</h1>\(ExtractionTests.prose)\(String(repeating: part, count: count))</main>")
        #expect(!page.content.roots.isEmpty)
    }

    @Test func `names that call everything boilerplate do not leave nothing`() {
        let prose = String(repeating: ExtractionTests.prose, count: 4)
        let page = article(
            "<title>T</title><div class='comments sidebar footer hidden share cookie-consent' aria-hidden=true>"
                + "<div class='related newsletter advertisement'><h1>T</h1>\(prose)</div></div>")
        #expect(page.text.contains("Paragraph 1 of the story") && page.text.contains("Paragraph 6 of the story"))
    }

    @Test func `a damaged table is no model`() {
        #expect(BlockModel([]) == nil)
        #expect(BlockModel([1, 0, 1, 0, 0, 64]) == nil)
        #expect(BlockModel([1, 0, 0, 0, 0, 64, 0]) != nil)
        #expect(BlockModel([1, 0, 0, 0, 0, 64, 0, 0]) == nil)
        // A tree of one inner node.
        #expect(BlockModel([1, 0, 1, 0, 0, 64, 1, 0, 0, 0, 1, 0, 0, 0, 2]) == nil)
        #expect(BlockModel([0x80, 0, 0, 0, 0, 64]) == nil)
    }
}
