import Testing
import Time

@testable import Reader

/// Which of a page's dates is its day of publication.
struct DateChoiceTests {
    private func day(_ page: String, url: String = "https://site.example/piece") -> String? {
        Article(page: Array(page.utf8), url: url, today: CalendarDate(year: 2026, month: 11, day: 21)).published
    }

    private func data(_ json: String) -> String { "<script type='application/ld+json'>\(json)</script>" }

    @Test(arguments: [
        "<meta property=og:type content=product><h1>Lamp</h1><p>4 May 2021</p>",
        "<script type='application/ld+json'>{\"@type\":\"Product\",\"name\":\"Lamp\"}</script><h1>Lamp</h1><p>4 May 2021</p>",
        "<div itemscope itemtype='http://schema.org/Product'><h1>Lamp</h1><p>4 May 2021</p></div>",
        "<script type='application/ld+json'>{\"@type\":\"CollectionPage\"}</script><h1>Lamps</h1><p>4 May 2021</p>",
    ])
    func `what a shop sells has no day that it does not declare`(_ page: String) {
        #expect(day(page) == nil)
        #expect(day("<meta property=article:published_time content=2021-05-04>" + page) == "2021-05-04")
    }

    @Test(arguments: ["Event starts", "Sale ends", "Die Schau beginnt"])
    func `the day on which something begins or ends is none of the page`(_ words: String) {
        let page = "<h1>A lamp</h1><p class=date>\(words) 1 June 2025</p>"
        #expect(day(page) == nil)
        #expect(day(page + "<p class=published>Published 3 May 2021</p>") == "2021-05-03")
    }

    @Test(arguments: [
        "<p>Closing date: 30 April 2024</p>", "<p class=event>Saturday, 14 March 2026, 7.30 pm</p>",
        "<p>Retrieved 3 May 2018</p>", "<p>Accessed on 5 May 2020</p>", "<p>Act of 4 July 1996</p>",
        "<p>Prices as of 1 February 2024</p>", "<p>Copyright 3 May 2001 by Reg</p>",
        "<p>Converted to HTML: 2026-06-10T09:11:32Z</p>",
        "<section class=comments><div class=comment><span class=date>4 June 2019</span><p>Nice.</p></div></section>",
        "<aside class=related><a href=x>Other</a> <time datetime=2019-06-04>4 June 2019</time></aside>",
        "<aside class=widget><h3>Recent posts</h3><span class=post-date>June 4, 2019</span></aside>",
    ])
    func `a day of something else is none of the page`(_ part: String) {
        let text = (0..<12).map { "<p>Part \($0) of the text says how a coil is wound, and what it is for.</p>" }
            .joined()
        #expect(day("<main><article><h1>Winding the coil</h1>\(part)\(text)</article></main>") == nil)
        #expect(day("<main><article><h1>Winding the coil</h1>\(text)</article>\(part)</main>") == nil)
        let dated = "<p class=date>Published 3 May 2021</p>"
        #expect(day("<main><article><h1>Winding the coil</h1>\(dated)\(text)</article>\(part)</main>") == "2021-05-03")
    }

    @Test func `an event has no day of publication that it does not declare`() {
        let event = data("{\"@type\":\"MusicEvent\",\"startDate\":\"2026-03-14\"}")
        #expect(day(event + "<h1>Bells</h1><p>14 March 2026</p>") == nil)
    }

    @Test func `a job has the day on which it was posted`() {
        let job = data("{\"@type\":\"JobPosting\",\"datePosted\":\"2024-04-01\",\"validThrough\":\"2024-04-30\"}")
        #expect(day(job + "<h1>Miller</h1><p>Closing date: 30 April 2024</p>") == "2024-04-01")
    }

    @Test(arguments: [
        "Updated: May 12, 2022 | Originally published: January 9, 2019",
        "First published January 9, 2019. Last updated May 12, 2022.",
    ])
    func `beside an update the day of publication counts`(_ line: String) {
        #expect(day("<h1>Winding the coil</h1><p class=date>\(line)</p>") == "2019-01-09")
        #expect(day("<h1>Winding the coil</h1><p>\(line)</p>") == "2019-01-09")
    }

    @Test(arguments: ["11 Δεκεμβρίου 2022", "11 Δεκ 2022", "11 δεκεμβρίου 2022"])
    func `Greek months are known`(_ text: String) {
        #expect(day("<html lang=el><h1>Πηνίο</h1><p class=date>\(text)</p>") == "2022-12-11")
    }

    @Test func `a test of a product is an article`() {
        let test = data("{\"@type\":\"Article\"}") + data("{\"@type\":\"Product\"}")
        #expect(day(test + "<h1>A lamp, tested</h1><p>4 May 2021</p>") == "2021-05-04")
    }

    @Test(arguments: [
        ("https://site.example", nil), ("https://site.example/", nil), ("https://site.example/?utm_source=x", nil),
        ("https://site.example/?p=12", "2021-05-04"), ("https://site.example/a", "2021-05-04"), ("", "2021-05-04"),
    ])
    func `the front of a site has no day`(_ url: String, _ expected: String?) {
        #expect(day("<h1>Site</h1><p class=date>4 May 2021</p>", url: url) == expected)
    }

    @Test func `a plain page is dated by its data only if somebody wrote it`() {
        let page = data("{\"@type\":\"WebPage\",\"datePublished\":\"2021-05-04\"}") + "<h1>Our services</h1><p>Text</p>"
        #expect(day(page) == nil)
        #expect(day("<meta name=author content='Ada Example'>" + page) == "2021-05-04")
    }

    @Test func `the last change stands for the day only of a piece that somebody wrote`() {
        let page = "<meta property=article:modified_time content=2021-05-04><h1>Our services</h1><p>Text</p>"
        #expect(day(page) == nil)
        #expect(day("<meta name=author content='Ada Example'>" + page) == "2021-05-04")
    }

    @Test(arguments: [
        "<p>Offer valid 4 May 2021</p>", "<p>Member since May 4, 2021</p>", "<p>4 May 2021 – 9 June 2021</p>",
        "<p>Order before 4 May 2021</p>", "<table><tr><th>First listed<td>May 4, 2021</table>",
        "<p id=todays-date><b>Tuesday</b>, 4 May 2021</p>", "<p>Great, 9 out of 10</p>", "<p>7 March 12:46</p>",
    ])
    func `a date of something else is no day of publication`(_ line: String) {
        #expect(day("<h1>T</h1>\(line)<p>Text</p>") == nil)
        #expect(day("<h1>T</h1>\(line)<p>Posted on 2 June 2021</p>") == "2021-06-02")
    }

    @Test func `a note at the end of documentation about its last change is no day of publication`() {
        let text = (0..<60).map { "<p>Paragraph \($0).</p>" }.joined()
        let page = "<h1>module</h1>\(text)<p>Last updated on May 4, 2021.</p>"
        #expect(day(page) == nil)
        #expect(day("<h1>T</h1><p>Updated May 4, 2021</p>\(text)") == "2021-05-04")
        #expect(day(data("{\"@type\":\"Article\"}") + page) == "2021-05-04")
    }

    @Test func `values of a script that differ are of several things`() {
        let script = "<script>x = [{\"published_at\":\"2021-05-04\"},{\"published_at\":\"2021-05-04\"}]</script>"
        #expect(day("<h1>T</h1>\(script)") == "2021-05-04")
        #expect(day("<h1>T</h1>\(script)<script>y = {\"published_at\":\"2020-01-02\"}</script>") == nil)
    }

    @Test func `a page was public on the day that it shows`() {
        let head = "<meta property=article:published_time content=2021-05-04><h1>T</h1>"
        #expect(day(head + "<time>2 March 2019</time>") == "2019-03-02")
        #expect(day(head + "<p>Last post by Ada <time>5 May 2021</time></p>") == "2021-05-04")
    }

    @Test func `a cell of a layout is no sentence`() {
        let text = String(repeating: "Many words of a long text. ", count: 20)
        #expect(day("<table><tr><td><h1>T</h1>4 May 2021<div><p>\(text)</p></div></table>") == "2021-05-04")
    }

    @Test func `of a line with two dates, the first one is the day`() {
        let line = "<b class=date>4 MAY 2021</b><b class=date>Updated: 2 JUNE 2024</b>"
        #expect(day("<div class=date-line>News\(line)</div><h1>T</h1><p>Text</p>") == "2021-05-04")
    }

    @Test func `the name published is one of a date`() {
        #expect(day("<meta name=published content='May 4, 2021'><h1>T</h1>") == "2021-05-04")
    }

    @Test(arguments: [
        "<p>For example, the value \"2nd October 2007\" can be stored.</p>",
        "<p>In 2009-05-04 the format of packs changed.</p>", "<div>The format changed, on 2009-05-04, for packs.</div>",
        "<p>Die Funktion gibt es seit dem 4. März 2011 in allen Teilen.</p>",
        "<ul><li>The first release was on 4 March 2011.</li></ul>",
        "<table><tr><th>package</th><th>date</th></tr><tr><td>initscripts</td><td>2009-03-02</td></tr></table>",
        "<table><thead><tr><th>package<th>date</thead><tbody><tr><td>kernel<td><b>2009-03-02</b></table>",
    ])
    func `a date in a sentence or a table of documentation is none of the page`(_ markup: String) {
        let page = "<h1>Manual</h1><p>It tells of packs.</p>" + markup
        #expect(day(page, url: "https://site.example/docs/manual/packs.html") == nil)
    }

    @Test(arguments: [
        "<p>Zuletzt geprüft von der Redaktion am 4. Mai 2021.</p>",
        "<p>Artikeln skrevs av redaktionen den 4 maj 2021.</p>",
        "<table><tr><th>Author</th><th>Published</th></tr><tr><td>Ada Winter</td><td>4 May 2021</td></tr></table>",
    ])
    func `a line in any language that may say when a page was published counts elsewhere`(_ markup: String) {
        #expect(day("<h1>Herons</h1>" + markup + "<p>The river rises.</p>") == "2021-05-04")
    }

    @Test(arguments: [
        "<p>Published on the 4th of May 2021 by the editors.</p>", "<p>By the editors of the Post on 4 May 2021.</p>",
        "<p>4 May 2021<br>The river rises quickly in the spring.</p>",
        "<p>LONDON, May 4, 2021 (HP) - The river is rising again.</p>",
        "<p>London, 4 May 2021. The river is rising again.</p>", "<p>Ada Winter | 4 May 2021 | 5 min to read.</p>",
        "<div><span>4 May 2021</span> The river rises quickly in the spring.</div>",
        "<table><tr><th>Date</th><td>4 May 2021</td></tr><tr><th>Place</th><td>Ulm</td></tr></table>",
    ])
    func `a line that says when a page was published is no sentence of it`(_ markup: String) {
        #expect(day("<h1>Herons</h1>" + markup) == "2021-05-04")
    }

    @Test func `a table of documentation has no day of the page`() {
        let page = "<h1>Packages</h1><table><tr><td>initscripts</td><td>2009-03-02</td></tr></table>"
        #expect(day(page, url: "https://site.example/docs/packages/list.html") == nil)
        #expect(day(page) == "2009-03-02")
    }
}
