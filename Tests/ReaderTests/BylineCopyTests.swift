import Testing

@testable import Reader

/// An article that begins with the byline that reader.html shows above it.
struct BylineCopyTests {
    private static func words(_ first: String, last: String = "") -> String {
        let page = article(
            "<html lang=en><head><title>Herons</title><meta name=author content='Ada Winter'></head><body><article>"
                + "<h1>Herons</h1>\(first)\(ExtractionTests.prose)<p>The river was quiet when Ada Winter left it.</p>\(last)"
                + "</article></body></html>")
        let reader = String(
            decoding: ReaderPage.html(page, original: ReaderPageTests.original) { _ in nil }, as: UTF8.self)
        return reader
    }

    private static func count(_ page: String) -> Int { page.split(text: "Ada Winter").count - 1 }

    @Test(arguments: [
        "<p>By Ada Winter</p>",
        "<div class=lead><p>By <a href=/people/ada><b>Ada Winter</b></a></p></div>",
        "<p>A small bird story.</p><p>Ada Winter</p>",
        "<p>Written by: ADA&nbsp;WINTER.</p>",
    ])
    func `its copy is left out`(first: String) {
        let page = Self.words(first)
        #expect(Self.count(page) == 2, "\(page.split(text: "<main>").last ?? "")")
        #expect(!page.lowercased().contains("by ada") && !page.contains("ADA"))
    }

    @Test(arguments: [
        "<p>Ada Winter walked along the river and saw a heron, and this is what she wrote about it that day.</p>",
        "<p>By Ada Winter and friends</p>",
        "<h2>Ada Winter</h2><p>She was born by the river and has lived there all her life, among the birds of it.</p>",
        "<p>Ada Winter: the heron is a patient bird, and so am I, since there is no other way to see one.</p>",
    ])
    func `a line that says more than the byline stays`(first: String) {
        #expect(Self.count(Self.words(first)) == 3)
    }

    @Test func `the same line at the end stays`() {
        let last = "<p>Nobody else had come that day, and nobody would come the day after it.</p><p>Ada Winter</p>"
        #expect(Self.count(Self.words("<p>Herons wait.</p>", last: last)) == 3)
    }
}
