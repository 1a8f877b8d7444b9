import Testing

@testable import Reader

/// The notes to which marks in the text lead.
struct NoteTargetsTests {
    private func page(_ text: String, _ notes: String) -> Article {
        article(
            "<title>On the hill</title><article><h1>On the hill</h1>\(WholePartsTests.longProse)\(text)"
                + "<section class=footnotes><ol>\(notes)</ol></section></article>")
    }

    private func reader(_ page: Article) -> String {
        String(decoding: ReaderPage.html(page, original: ReaderPageTests.original) { _ in nil }, as: UTF8.self)
    }

    @Test(arguments: [
        "<sup id=r1><a href=#f1>1</a></sup>", "<a href=#f1 role=doc-noteref><sup>1</sup></a>", "<a href=#f1>[1]</a>",
        "<a href=#f1>*</a>",
    ])
    func `the note of a mark in the text stays`(_ mark: String) {
        let page = page("<p>Nobody knows why.\(mark)</p>", "<li id=f1>See the book. <a href=#r1>↩</a></li>")
        #expect(page.text.contains("See the book."))
        #expect(reader(page).contains("id=\"r-f1\""))
    }

    @Test func `an element that no mark leads to does not stay for it`() {
        let features = MainText.features(
            PageReading(
                page: Array(
                    "<p>Nobody knows why. <a href=#f1>Subscribe</a> <a href=#f2>2</a></p><p id=f1>Write to us.</p><h2 id=f2>Two</h2>"
                        .utf8), contentType: nil, url: ""), title: nil)
        let none = [Bool](repeating: false, count: 3)
        #expect(NoteTargets.of(features, [true, false, false], excluded: none).blocks.isEmpty)
    }

    @Test(arguments: [(2, false), (40, true)])
    func `many notes are shown and are not part of the running text`(_ count: Int, _ areBeside: Bool) {
        let marks = (1...count).map { "<sup><a href=#f\($0)>\($0)</a></sup>" }.joined()
        let notes = (1...count).map { "<p id=f\($0)>Keeper, A.: The hill in year \($0).</p>" }
        let features = MainText.features(
            PageReading(
                page: Array(
                    "<div><p>\(ExtractionTests.prose)</p><p>Nobody knows why.\(marks)</p>\(notes.joined())</div>".utf8),
                contentType: nil, url: ""), title: nil)
        let blocks = features.blocks.blocks.count
        let kept = (0..<blocks).map { $0 < blocks - count }
        let found = NoteTargets.of(features, kept, excluded: Array(repeating: false, count: blocks))
        #expect(found.blocks == Array(blocks - count..<blocks) && found.areBeside == areBeside)
        var choice = BlockChoice(
            features.blocks.blocks, Array(repeating: 1, count: blocks),
            Caution(MetaTags(features.tree), StructuredData(features.tree), url: "", prose: 0))
        choice.keep(kept)
        choice.keepNotes(found)
        let content = ModelExtraction(features, choice).content(title: nil)
        #expect(String(decoding: content.plainText(), as: UTF8.self).contains("in year 2") == !areBeside)
        var markup = ReaderMarkup(content, links: LinkResolution(base: nil, page: nil)) { _ in nil }
        markup.write()
        #expect(String(decoding: markup.bytes, as: UTF8.self).contains("in year 2"))
    }
}
