import StuffBucket
import TestSupport
import Testing

/// The shared markup, as it is searched.
struct MarkupCorpusTests {
    @Test(arguments: MarkupCorpus.texts)
    func `the visible text is the text of a page`(markup: String) {
        let text = String(decoding: VisibleText.of(Array(markup.utf8)), as: UTF8.self)
        #expect(text.contains("seen") && !text.contains("hidden"), "\(text)")
    }
}
