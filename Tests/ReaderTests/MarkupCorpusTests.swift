import TestSupport
import Testing

@testable import Reader

/// The shared markup, as the reader's tree and reader.html have it.
struct MarkupCorpusTests {
    @Test(arguments: MarkupCorpus.texts)
    func `the tree holds the text of a page`(markup: String) {
        let text = PageParser.parse(Array(markup.utf8)).plainText(0)
        #expect(text.contains("seen") && !text.contains("hidden"), "\(text)")
    }

    @Test(arguments: MarkupCorpus.pictures)
    func `reader.html shows the picture of a page`(markup: String) {
        let page = article(
            "<h1>T</h1><article><div class=entry-content>\(ExtractionTests.prose)\(markup)<p>End of it.</p></div></article>"
        )
        let reader = ReaderPage.html(page, original: ReaderPageTests.original) {
            $0.path.hasSuffix("p.png") ? "assets/picture.png" : nil
        }
        #expect(String(decoding: reader, as: UTF8.self).contains("src=\"assets/picture.png\""))
    }
}
