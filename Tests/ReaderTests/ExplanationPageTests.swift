import Testing
import Time

@testable import Reader

struct ExplanationPageTests {
    private static func explanation(_ page: String) -> String {
        let bytes = ExplanationPage.html(
            page: Array(page.utf8), url: "https://www.example.org/a/page.html",
            today: CalendarDate(year: 2026, month: 11, day: 21))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `each block has its decision`() {
        let lines = Self.explanation(ExtractionTests.page).split(separator: "\n")
        for (words, decision) in [
            ("Paragraph 3 of the story", "kept: "), ("first thing", "kept: "), ("Copyright text", "dropped: "),
            ("this comment is much longer", "dropped: "), ("Aside text", "dropped: "),
        ] {
            let line = lines.first { $0.contains(words) } ?? ""
            #expect(line.contains("<td>\(decision)"), "\(words): \(line)")
        }
        #expect(lines.contains { $0.contains("this comment is much longer") && $0.contains("comments") })
    }

    @Test func `markup of the page is text in its explanation`() {
        let hostile =
            "<p>&lt;script&gt;alert(1)&lt;/script&gt; <b onclick=x>\(ExtractionTests.prose)</b><img src=x onerror=y>"
        let text = Self.explanation("<title>&lt;/title&gt;&lt;script&gt;</title><main>\(hostile)</main>")
        #expect(!text.contains("<script") && !text.contains("onclick") && !text.contains("<img"))
        #expect(text.contains("&lt;script&gt;alert(1)"))
        #expect(text.contains("default-src 'none'"))
    }

    @Test func `a page without text has an explanation without blocks`() {
        #expect(Self.explanation("").contains("0 of 0 blocks are kept"))
    }
}
