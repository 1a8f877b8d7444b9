import Testing

@testable import Reader

/// Pages in which the model of blocks finds no text: notes of a few words, and text without paragraphs.
struct PlainBlocksTests {
    private static let navigation = "<nav><a href=/>Home</a> <a href=/about>About us</a> <a href=/news>News</a></nav>"
    private static let footer =
        "<footer><p>© 2024 Smith Ltd. All rights reserved.</p><a href=/privacy>Privacy policy</a></footer>"
    private static let sentences =
        "The river rises quickly in spring, when the snow melts and the ground below takes no more water. Farmers along "
        + "the lower reach have kept diaries of the floods since long ago. In the archive there are forty-two volumes, bound "
        + "in grey linen, and each begins in March. The water stood in the fields for nine days."

    @Test(arguments: [
        ("<article><h1>Note</h1><p>Closed on Monday.</p></article>", "Closed on Monday."),
        ("<main><h1>Note</h1><p>All systems operational.</p></main>", "All systems operational."),
        ("<div><h1>Note</h1><p>Closed on Monday.</p></div>", "Closed on Monday."),
        ("<article><h1>Note</h1><p>Closed on Monday</p></article>", "Closed on Monday"),
        ("<main><h1>Note</h1><p>月曜休み</p></main>", "月曜休み"),
        ("<header>Smith Ltd</header><h1>Note</h1><p>Closed on Monday.</p>", "Closed on Monday."),
        (
            "<article><h1>Note</h1><p>O river,<br>how slow you go<br>to the sea</p></article>",
            "O river,\nhow slow you go\nto the sea"
        ),
        (
            "<article><h1>Note</h1><p>Closed on Monday.</p><p>Open again on Tuesday.</p></article>",
            "Closed on Monday.\nOpen again on Tuesday."
        ),
    ])
    func `a footer is not taken for a short article`(_ markup: String, _ text: String) {
        for page in [markup + Self.footer, Self.navigation + markup + Self.footer] {
            #expect(article("<title>Note</title><body>\(page)").text == text)
        }
        let plain = "<div><p>© 2024 Smith Ltd. All rights reserved.</p></div>"
        #expect(article("<title>Note</title><body>\(markup)\(plain)").text == text)
        let named = "<div class=footer><p>© 2024 Smith Ltd. All rights reserved.</p><a href=/privacy>Privacy</a></div>"
        #expect(article("<title>Note</title><body>\(markup)\(named)").text == text)
    }

    @Test(arguments: ["%", "<b>%</b>", "<center>%</center>", "<span>%</span>", "<div><b>%</b></div>", "<font>%</font>"])
    func `text without paragraphs is the text`(_ markup: String) {
        let page = markup.replacing(text: "%", with: Self.sentences)
        #expect(article("<title>T</title><body>\(page)").text == Self.sentences)
        #expect(article("<title>T</title><body>\(Self.navigation)\(page)\(Self.footer)").text == Self.sentences)
    }

    @Test func `the links around a text do not outweigh it`() {
        let menu = (1...60).map { "<li><a href=/\($0)>Part \($0) of the site</a></li>" }.joined()
        let page = "<title>T</title><body><nav><ul>\(menu)</ul></nav>\(Self.sentences)"
        #expect(article(page).text == Self.sentences)
    }

    @Test func `a page that is empty or all links has no text`() {
        let links = ["first", "second", "third", "fourth", "fifth"].map {
            "<a href=/\($0)>The \($0) story of the day and how it went on</a> "
        }
        for markup in ["", links.joined(), "<main>\(links.joined())</main>"] {
            #expect(article("<title>T</title><body>\(markup)").text == "", "\(markup)")
        }
    }
}
