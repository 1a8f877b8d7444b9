import Testing

@testable import Reader

/// Parts of a page that stay whole, though the model is unsure of their few words.
struct WholePartsTests {
    /// More words than a short page has.
    static let longProse = (1...18).map {
        "<p>Paragraph \($0) of the story tells, at some length, what happened on the hill; it has commas, clauses and an end.</p>"
    }.joined(separator: "\n")

    private func text(_ part: String) -> String {
        article("<title>On the hill</title><article><h1>On the hill</h1>\(Self.longProse)\(part)</article>").text
    }

    @Test(arguments: [
        ("<div>Bare text in a box.</div>", "Bare text in a box."),
        (
            "<div class=note><strong>Note:</strong> The path is closed in winter.</div>",
            "Note: The path is closed in winter."
        ),
        (
            "<div class='admonition warning'><p class=admonition-title>Warning</p><p>Never go before noon.</p></div>",
            "Warning\nNever go before noon."
        ),
        ("<dl><dt>Length</dt><dd>12 km</dd></dl>", "Length\n12 km"),
        (
            "<form><input type=hidden name=state><p>This paragraph is in a form, as in old systems, and is a part of it.</p></form>",
            "This paragraph is in a form"
        ),
        (
            "<h2>References</h2><ol><li>Smith, J. (1999). <a href=https://a.example/1>Hills and their keepers</a>. York: Wood "
                + "Press.</li><li>Jones, A. (2004). <a href=https://a.example/2>Sheep</a>. Leeds.</li></ol>",
            "Jones, A. (2004). Sheep. Leeds."
        ),
        ("<div role=tabpanel>Content of the second panel</div>", "Content of the second panel"),
    ])
    func `the last short part of an article stays`(_ part: String, _ expected: String) {
        #expect(text(part).contains(expected))
    }

    @Test(arguments: [
        "<form><p>News of the hill, once a week.</p><input type=email><button>Send</button></form>",
        "<nav><p>News of the hill, once a week.</p></nav>",
        "<p class=newsletter>News of the hill, once a week.</p>",
    ])
    func `what is no part of it does not come back`(_ part: String) {
        #expect(!text(part).contains("News of the hill"))
    }

    private static let walk =
        "<p>The keeper of the station carried a lantern through the village in the morning, along the harbour and over the "
        + "bridge, and everybody who saw him said that it had been so for years. Behind the orchard he met a traveller with "
        + "a letter, and they spoke about the weather until the bakery opened its window.</p>"

    @Test func `a list of which most is kept is kept as a whole`() {
        let page = article(
            "<!doctype html><html lang=en><title>A walk along the river</title><header><nav><a href=/>Home</a> <a href=/about>About"
                + "</a></nav></header><article><h1>A walk along the river</h1>\(Self.walk)<ol><li>Go left.</li><li>Go right.</li>"
                + "<li>Stop.</li></ol></article><footer>Copyright 2019 Example Inc.</footer>")
        #expect(page.text.hasSuffix("Go left.\nGo right.\nStop."))
    }

    @Test func `the refrain of a song comes back, and a page that holds its text twice shows it once`() {
        let refrain = "<p>Oh carry me home to the other side,<br>where the tall white lilies grow.</p>"
        let song = article(
            "<!doctype html><title>Song of the river</title><article><h1>Song of the river</h1><p>The night is long and the river is "
                + "wide,<br>row, my brothers, row.</p>\(refrain)<p>The moon is pale and the wind is cold,<br>row, my brothers, row.</p>"
                + "\(refrain)</article>")
        #expect(song.text.components(of: "lilies") == 2)
        let twice = article(
            "<title>On the hill</title><article><h1>On the hill</h1><div>\(ExtractionTests.prose)</div><div class=print>"
                + "\(ExtractionTests.prose)</div></article>")
        #expect(twice.text.components(of: "Paragraph 3") == 1)
    }

    @Test func `short answers stay beside a kept question`() {
        let answers =
            "<div id=answers><h2>2 Answers</h2><div class=answer><p>Use fingers.</p></div><div class=answer><p>Or write them down.</p>"
            + "<pre>1 2 3</pre></div></div>"
        let long = article(
            "<title>How do I count sheep?</title><h1>How do I count sheep?</h1><div class=question>\(ExtractionTests.prose)</div>"
                + answers)
        let short = article(
            "<title>How do I count sheep?</title><h1>How do I count sheep?</h1><div class=question><p>I have a flock and want to count "
                + "it.</p></div>" + answers)
        for page in [long, short] {
            #expect(page.text.contains("Use fingers.") && page.text.contains("Or write them down.\n1 2 3"))
        }
    }

    @Test func `a heading whose links are left out does not stay alone`() {
        let links =
            "<h2>Further reading</h2><ul><li><a href=https://a.example>The hill</a></li><li><a href=https://b.example>Maps</a></li></ul>"
        for prose in [ExtractionTests.prose, Self.longProse] {
            let page = article("<title>On the hill</title><article><h1>On the hill</h1>\(prose)\(links)</article>")
            #expect(!page.text.hasSuffix("Further reading"))
        }
    }

    @Test func `the first line of a short page and what it folds up stay`() {
        let page = article(
            "<title>Boiler repair | WarmCo</title><section class=hero><h1>Boiler repair</h1><p>Fast help, seven days a week.</p>"
                + "</section><section><div><h3>Parts</h3><p>Our engineers bring all the parts and repair most faults in one visit.</p></div>"
                + "<div><h3>Phone</h3><p>We answer the phone day and night, on Sundays and holidays too.</p></div></section>"
                + "<section class=faq><h2>Questions</h2><details><summary>How much is it?</summary><p>From £60 for the first hour.</p>"
                + "</details></section>")
        #expect(page.text.hasPrefix("Fast help, seven days a week."))
        #expect(page.text.hasSuffix("Questions\nHow much is it?\nFrom £60 for the first hour."))
    }
}
