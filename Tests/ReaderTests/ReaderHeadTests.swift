import TestSupport
import Testing

@testable import Reader

/// What reader.html says around the article: the day, the time that reading takes, and what it leaves out.
struct ReaderHeadTests {
    private static func reader(_ html: String) -> String {
        String(decoding: ReaderPage.html(article(html), original: ReaderPageTests.original) { _ in nil }, as: UTF8.self)
    }

    @Test(arguments: [
        ("en", "5 March 2024"), ("en-US", "March 5, 2024"), ("en-gb", "5 March 2024"), ("de-AT", "5. März 2024"),
        ("fr", "5 mars 2024"), ("es", "5 de marzo de 2024"), ("pt-BR", "5 de março de 2024"), ("it", "5 marzo 2024"),
        ("nl", "5 maart 2024"), ("pl", "5 marca 2024"), ("ru", "5 марта 2024 г."), ("hu", "2024. március 5."),
        ("fi", "5. maaliskuuta 2024"), ("el", "5 Μαρτίου 2024"), ("ja", "2024年3月5日"), ("zh-Hant", "2024年3月5日"),
        ("ko", "2024년 3월 5일"), ("he", "5 במרץ 2024"), ("vi", "5 tháng 3, 2024"), ("tlh", "2024-03-05"),
        ("th", "5 มีนาคม 2567"), ("bg", "5 март 2024 г."), ("bn", "৫ মার্চ, ২০২৪"), ("fa", "۵ مارس ۲۰۲۴"),
        ("hr", "5. ožujka 2024."), ("sr", "5. март 2024."), ("sr-Latn-RS", "5. mart 2024."), ("ur", "5 مارچ، 2024"),
        ("lt", "2024 m. kovo 5 d."), ("et", "5. märts 2024"),
        ("", "2024-03-05"),
    ])
    func `a day is written as in the page's language`(language: String, text: String) {
        #expect(DayText.of("2024-03-05", language: language) == text)
        #expect(DayText.of("2024-03-05T23:10:00+09:00", language: language) == text)
    }

    @Test func `each month has a name of its own`() {
        for language in [
            "en", "de", "fr", "es", "ca", "it", "pt", "ro", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "hu",
            "tr", "ru", "uk", "el", "id", "he", "ar", "hi", "vi", "ja", "ko",
            "bg", "hr", "sr", "sr-Latn", "ur", "et",
        ] {
            let days = (1...12).map { DayText.of("2024-\($0 < 10 ? "0" : "")\($0)-07", language: language) }
            #expect(Set(days).count == 12 && days.allSatisfy { $0.contains("2024") && $0.contains("7") }, "\(language)")
            #expect(!days.contains { $0.hasPrefix("2024-") }, "\(language)")
        }
        for language in ["th", "bn", "fa", "lt"] {
            #expect(Set((1...9).map { DayText.of("2024-0\($0)-07", language: language) }).count == 9, "\(language)")
        }
        #expect(DayText.of("2024-01-01", language: "fr") == "1er janvier 2024")
        #expect(DayText.of("2024-04-02", language: "ca") == "2 d'abril de 2024")
    }

    @Test(arguments: [(30, nil), (120, 1), (230, 1), (460, 2), (2_300, 10)] as [(Int, Int?)])
    func `the time is that of the words, not of the markup`(words: Int, minutes: Int?) {
        let text = String(repeating: "<a href=\"a b c\">word</a> ", count: words)
        #expect(ReadingTime.minutes(ofMarkup: Array(text.utf8)) == minutes)
        #expect(ReadingTime.minutes(ofMarkup: Array(String(repeating: "水", count: 1_500).utf8)) == 3)
    }

    @Test func `the head has the day and the time, in the frame`() {
        let page = Self.reader(
            "<html lang=de><meta name=author content='Ann Author'><meta property=article:published_time content=2024-03-05>"
                + "<h1>T</h1><article>" + String(repeating: "<p>\(ExtractionTests.prose)</p>", count: 30) + "</article>"
        )
        let head = page.split(separator: "<header>").last?.split(separator: "</header>").first ?? ""
        #expect(head.contains("Ann Author · <time datetime=\"2024-03-05\">5. März 2024</time>"))
        #expect(head.contains(" min</p><!--/sbfs:frame-->"))
    }

    @Test func `links to the editor of a heading are left out`() {
        let edit = "<span class='mw-editsection'><span>[</span><a href='/w?action=edit'>edit</a><span>]</span></span>"
        let page = Self.reader(
            "<h1>T</h1><article>\(ExtractionTests.prose)<h2>Course\(edit)</h2>\(ExtractionTests.prose)"
                + "<div class=mw-heading><h2>Mouth</h2>\(edit)</div>\(ExtractionTests.prose)</article>")
        #expect(page.contains(">Course</h2>") && page.contains(">Mouth</h2>"))
        #expect(!page.contains("edit"))
    }

    @Test func `links back to the top are left out, those of footnotes are kept`() {
        let links = [
            "<a href=#>↑</a>", "<a href='#top'>Back to top ▲</a>", "<a href='#page'>Nach oben</a>", "<a href='#'>^</a>",
        ]
        let kept = [
            "<a href='#cite-1'>↑</a>", "<a href='#fn1'>1</a>", "<a href='/top'>Top</a>", "<a href='#part'>Top ten</a>",
        ]
        let page = Self.reader(
            "<h1>T</h1><article id=page><div class=entry-content>\(ExtractionTests.prose)<p id=cite-1>a</p><p id=fn1>b</p>"
                + "<p id=part>c</p><p>\((links + kept).joined(separator: ", ")) and so it ends, after some more words.</p></div></article>"
        )
        for word in ["Back to top", "Nach oben", ">^<", "href=\"#\""] { #expect(!page.contains(word), "\(word)") }
        for word in [">↑</a>", ">1</a>", ">Top</a>", ">Top ten</a>"] { #expect(page.contains(word), "\(word)") }
    }

    @Test(arguments: ["ก", "ກ", "ខ", "က"])
    func `letters without spaces between the words take time`(letter: String) {
        let text = String(repeating: letter, count: 4_400)
        #expect(ReadingTime.minutes(ofMarkup: Array("<p>\(text)</p>".utf8)) == 5)
        #expect(article("<article><p>\(text)</p></article>").quality().wordCount == 1_100)
    }

    @Test(arguments: [
        ("el", 1, "1 λεπτό"), ("el", 2, "2 λεπτά"), ("zh", 2, "2 分钟"), ("zh-CN", 2, "2 分钟"), ("zh-TW", 2, "2 分鐘"),
        ("zh-Hant", 2, "2 分鐘"), ("zh-Hant-HK", 2, "2 分鐘"), ("zh-Hans-HK", 2, "2 分钟"), ("th", 2, "2 นาที"),
    ])
    func `minutes are said as in the page's language`(language: String, minutes: Int, text: String) {
        #expect(ReadingTime.text(minutes, language: language) == text)
    }

    @Test(
        arguments: [
            ("春になると高い谷の雪が溶け、川の水位が急に上がります。", "ja"), ("แม่น้ำเอ่อขึ้นอย่างรวดเร็วในฤดูใบไม้ผลิ", "th"),
            ("הנהר עולה במהירות באביב", "he"), ("Ο ποταμός ανεβαίνει γρήγορα την άνοιξη", "el"),
            ("강은 봄에 빠르게 불어납니다", "ko"),
            ("The river rises, said the Greek: ποταμός", nil), ("Весной река поднимается", nil), ("春天河水迅速上涨", nil),
            ("", nil),
        ] as [(String, String?)])
    func `a script tells the language of a page that does not say it`(text: String, language: String?) {
        #expect(ScriptLanguage.of(text.utf8) == language)
    }

    @Test func `the day is written in the language that the script tells`() {
        let page = Self.reader(
            "<meta property=article:published_time content=2024-03-05><h1>川</h1><article>"
                + String(repeating: "<p>春になると高い谷の雪が溶け、川の水位が急に上がり、低い土地はこれ以上水を吸うことができません。</p>", count: 6)
                + "</article>")
        #expect(page.contains(">2024年3月5日</time>"))
    }

    @Test func `the paragraph that leads into the article is marked`() {
        let page = Self.reader(
            "<h1>T</h1><article><p class='lead standfirst'>A bird waits by the river, and nobody knows for what it waits.</p>"
                + "\(ExtractionTests.prose)<p class=lead>A later one, which leads nowhere, has no style of its own.</p></article>"
        )
        #expect(page.contains("<article>\n<p class=\"lead\">A bird waits"))
        #expect(page.split(text: "class=\"lead\"").count == 2)
        let around = Self.reader(
            "<h1>T</h1><article><div class=standfirst><p>A bird waits by the river, and nobody knows for what.</p></div>"
                + "\(ExtractionTests.prose)</article>")
        #expect(around.contains("<p class=\"lead\">A bird waits"))
    }

    @Test func `a rule and a paragraph around a link back to the top are left out`() {
        let page = Self.reader(
            "<h1>T</h1><article>\(ExtractionTests.prose)<hr><p><a href='#top'>↑ Back to top</a></p></article>")
        #expect(!page.contains("<hr>") && !page.contains("<p></p>"))
    }
}
