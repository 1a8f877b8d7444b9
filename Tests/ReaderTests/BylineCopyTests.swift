import Testing

@testable import Reader

/// An article that begins with the byline that reader.html shows above it.
struct BylineCopyTests {
    private static func words(_ first: String, last: String = "") -> String {
        let page = article(
            "<html lang=en><head><title>Herons</title><meta name=author content='Ada Winter'>"
                + "<meta name=date content=2024-05-03></head><body><article>"
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
        "By Ada Winter", "<small>by Ada Winter</small>", "<p>By Ada Winter, 3 May 2024</p>",
        "<p>By Ada Winter on May 3, 2024 at 10:15 am</p>", "<p>A small bird story.<br>By Ada Winter<br></p>",
    ])
    func `its copy is left out`(first: String) {
        let page = Self.words(first)
        #expect(Self.count(page) == 2, "\(page.split(text: "<main>").last ?? "")")
        #expect(!page.lowercased().contains("by ada") && !page.contains("ADA"))
    }

    /// The text after the byline, as it stays.
    @Test(arguments: [
        "<p><b>By Ada Winter</b> The herons came back.</p>",
        "<p><i>By <a href=/ada>Ada Winter</a></i><br>The herons came back.</p>",
        "<p>By Ada Winter<br>The herons came back.</p>", "<p>By Ada Winter — The herons came back.</p>",
        "<p><span class=byline>By Ada Winter</span> — The herons came back.</p>",
        "<p>By <b>Ada Winter</b> | The herons came back.</p>",
        "<p>By <a href=/ada>Ada Winter</a> “The herons came back.</p>",
        "<div>By <a href=/ada>Ada Winter</a><br><br>The herons came back.</div>",
        "<p><b>By Ada Winter, 3 May 2024</b> – The herons came back.</p>",
    ])
    func `its copy at the head of a paragraph is left out`(first: String) {
        let page = Self.words(first)
        let main = page.split(text: "<article>").last ?? ""
        #expect(Self.count(page) == 2, "\(main)")
        #expect(main.hasPrefix("\n<p>The herons came back.") || main.hasPrefix("\n<p>“The herons"), "\(main)")
    }

    @Test(arguments: [
        "<p><b>Ada Winter</b> walked along the river.</p>",
        "<p><span class=author>Ada Winter</span> walked along it.</p>",
        "<p>The report, written <span class=byline>by Ada Winter</span>, shows the herons.</p>",
        "<p>The photographs by <em>Ada Winter</em> show the herons.</p>",
        "<p>By <b>Ada Winter</b>'s account, they came.</p>",
        "<p>By <b>Ada Winter</b> and others — The herons came.</p>", "<p>By Ada Winter the herons were seen first.</p>",
        "<p>Yours, with all of the best wishes,<br>Ada Winter</p>", "<p>By Ada Winter, 4 May 2024</p>",
        "<p>By Ada Winter, 3 May 2024, from the river</p>",
    ])
    func `a name in a sentence, and a line that says more, stay`(first: String) {
        #expect(Self.count(Self.words(first)) == 3)
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

    @Test(arguments: [
        ("ar", "ليلى حداد", "بقلم: ليلى حداد"), ("el", "Ελένη Παππά", "Γράφει η Ελένη Παππά"),
        ("he", "יעל כהן", "מאת: יעל כהן"),
        ("hi", "अनिता शर्मा", "लेखक: अनिता शर्मा"), ("ja", "山田花子", "著者：山田花子"), ("th", "สมชาย ใจดี", "โดย สมชาย ใจดี"),
        ("zh", "王小明", "作者：王小明"), ("ko", "김민수", "김민수 기자"), ("ru", "Мария Иванова", "Автор: Мария Иванова"),
    ])
    func `its copy is left out in every script`(language: String, name: String, line: String) {
        let page = article(
            "<html lang=\(language)><head><title>Herons</title><meta name=author content='\(name)'></head><body><article>"
                + "<h1>Herons</h1><p>\(line)</p>\(ExtractionTests.prose)</article></body></html>")
        let reader = String(
            decoding: ReaderPage.html(page, original: ReaderPageTests.original) { _ in nil }, as: UTF8.self)
        #expect(page.authors == [name])
        #expect(reader.split(text: name).count - 1 == 1)
    }

    @Test func `a line with a date in digits of its own is left out`() {
        let page = article(
            "<h1>فيضانات النهر</h1><article><p class=date>١٢ مارس ٢٠٢٣</p>\(ExtractionTests.prose)</article>")
        #expect(page.published == "2023-03-12")
        #expect(!page.text.contains("٢٠٢٣"))
    }
}
