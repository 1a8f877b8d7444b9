import Testing

@testable import Reader

/// Notes and warnings in the text of a page, and messages of the page itself, which have the same names.
struct NoticeTests {
    private static let note = "<p>Never open the sluice twice.</p>"

    @Test(arguments: [
        "<div class='markdown-alert markdown-alert-warning'><p class=markdown-alert-title>Warning</p>\(note)</div>",
        "<div class='alert alert-info' role=alert>Never open the sluice twice.</div>",
        "<div class='theme-admonition alert alert--secondary'><div class=heading>note</div><div>\(note)</div></div>",
        "<div class='admonition note'><p class=admonition-title>Note</p>\(note)</div>",
        "<aside class=note>\(note)</aside>",
        "<div class='notice notice--info'>\(note)</div><div class='notice notice--info'><p>Nor the gate.</p></div>",
    ])
    func `a note after a paragraph is part of the text`(_ note: String) {
        for page in [
            "<main><h1>The mill</h1>\(ExtractionTests.prose)\(note)\(ExtractionTests.prose)</main>",
            "<nav><a href=/a>Home</a></nav><article><h1>The mill</h1>\(note)\(ExtractionTests.prose)</article>",
        ] {
            #expect(article(page).text.contains("Never open the sluice twice."), "\(page.prefix(60))")
        }
    }

    @Test(arguments: [
        "<div class=alert role=alert>Your session ends soon, stay signed in.</div>",
        "<aside class=notice><p>Our site has a new home, visit it today.</p></aside>",
    ])
    func `a message of the page is none`(_ message: String) {
        let page = "<body>\(message)<header><a href=/>Mill Post</a></header><main><h1>The mill</h1>"
        let text = article(page + ExtractionTests.prose + "</main></body>").text
        #expect(!text.contains("session") && !text.contains("new home"))
        #expect(text.contains("Paragraph 6"))
    }
}
