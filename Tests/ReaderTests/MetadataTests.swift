import Testing
import Time

@testable import Reader

func article(_ page: String, url: String = "https://www.example.org/a/page.html", contentType: String? = nil) -> Article
{
    Article(
        page: Array(page.utf8), contentType: contentType, url: url, today: CalendarDate(year: 2026, month: 11, day: 21))
}

struct MetadataTests {
    @Test(arguments: [
        ("<title>A walk in the hills - Example</title><h1>A walk in the hills</h1>", "A walk in the hills"),
        ("<title>A walk | The Hill Post</title><meta property=og:site_name content='The Hill Post'>", "A walk"),
        ("<title>The Hill Post: A walk</title><meta property=og:site_name content='The Hill Post'>", "A walk"),
        ("<meta property=og:title content='Ham &amp;amp; eggs'>", "Ham & eggs"),
        ("<h1><b>Only</b> a\n heading</h1>", "Only a heading"),
        (
            "<title>Closures - The Hill Book</title><h1 class=menu-title>The Hill Book</h1><main><h1 id=closures>Closures</h1>"
                + "<p>Text.</p></main>", "Closures"
        ),
        (
            "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"headline\":\"From \\u0064ata\",}</script>",
            "From data"
        ),
        ("<title>Untitled Document</title><article><h1>Why the old bridge fell</h1>", "Why the old bridge fell"),
        ("<title>Home</title><article><h1>Why the old bridge fell</h1>", "Why the old bridge fell"),
        ("<title>Gazette</title><article><h1>Why the old bridge fell</h1>", "Why the old bridge fell"),
        ("<title>Home</title><h1>Hills</h1><h1>Bridges</h1>", "Home"),
        ("<title>Gazette</title><h1>Hi</h1>", "Gazette"),
        (
            "<title>Leaking heel post - Lockkeepers Forum</title><div id=site-description><a id=logo href=./index.php></a>"
                + "<h1>Lockkeepers Forum</h1></div><h2 class=topic-title><a href=x>Leaking heel post</a></h2>",
            "Leaking heel post"
        ),
        (
            "<title>Winding the coil • Lockkeepers Forum</title><h1>Lockkeepers Forum</h1><h2>Winding the coil</h2>",
            "Winding the coil"
        ),
        (
            "<title>Left-hand oven: Sixteen hours of dough</title><h1 class=title><a href=/>Left-hand oven</a></h1>"
                + "<h3 class='post-title entry-title'>Sixteen hours of dough</h3>", "Sixteen hours of dough"
        ),
        ("<title>Radio Shed » Winding the coil</title><h1><a href=/>Radio Shed</a></h1>", "Winding the coil"),
        ("<title>Acme Docs</title><h1>Installing the gauge</h1>", "Installing the gauge"),
        ("<title>Radio Shed</title><a href=https://www.example.org/>Radio Shed</a><h1>Coils</h1>", "Coils"),
        (
            "<meta property=og:title content='Winding the coil'><title>Radio Shed</title><h1>Radio Shed</h1>"
                + "<h2>Winding the coil</h2>", "Winding the coil"
        ),
        (
            "<title>My lake, my boat and I</title><h1 class=site-title>The house at the lake</h1>",
            "My lake, my boat and I"
        ),
    ])
    func `the title is found without the site's name`(_ page: String, _ expected: String) {
        #expect(article(page).title == expected)
    }

    @Test(arguments: [
        (
            "<title>Difference between &lt;b&gt; and &lt;strong&gt;</title>", "Difference between <b> and <strong>"
        ),
        ("<title>Vector&lt;int&gt; vs Array&lt;int&gt;</title>", "Vector<int> vs Array<int>"),
        ("<title>When to write &amp;amp; in HTML</title>", "When to write &amp; in HTML"),
        ("<h1>What &lt;em&gt;this&lt;/em&gt; means</h1>", "What <em>this</em> means"),
        (
            "<meta property=og:title content='Use &lt;b&gt;x&lt;/b&gt; now'><h1>Use &lt;b&gt;x&lt;/b&gt; now</h1>",
            "Use <b>x</b> now"
        ),
        (
            "<meta property=og:title content='When to write &amp;amp;'><title>When to write &amp;amp;</title>",
            "When to write &amp;"
        ),
        ("<meta property=og:title content='The &lt;b&gt; element'>", "The <b> element"),
        ("<meta property=og:title content='A &lt;em&gt;long&lt;/em&gt; walk'>", "A long walk"),
        (
            "<meta property=og:title content='A &lt;em&gt;long&lt;/em&gt; walk'><title>A long walk</title>",
            "A long walk"
        ),
        (
            "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"headline\":\"Vector&lt;int&gt; &amp; more\"}"
                + "</script>", "Vector<int> & more"
        ),
    ])
    func `angle brackets and references in a title are text`(_ page: String, _ expected: String) {
        #expect(article(page).title == expected)
    }

    @Test(arguments: [
        ("<meta name=author content='By Anna Berg and Bo Li'>", ["Anna Berg", "Bo Li"]),
        ("<a rel=author href=/x>Anna Berg</a>", ["Anna Berg"]),
        ("<span class=byline>Von Anna Berg</span>", ["Anna Berg"]),
        ("<div itemprop=author><img><span itemprop=name>Anna Berg</span> Editor</div>", ["Anna Berg"]),
        (
            "<script type='application/ld+json'>[{\"@graph\":[{\"@type\":\"Article\",\"author\":{\"@id\":\"#a\"}},"
                + "{\"@type\":\"Person\",\"@id\":\"#a\",\"name\":\"Anna Berg\"}]}]</script>", ["Anna Berg"]
        ),
        ("<h1>T</h1><p>By Anna Berg</p><p>Text follows here.</p>", ["Anna Berg"]),
        (
            "<h1>T</h1><div class=byline>By <span class=author>Anna Berg</span> and <span class=author>Bo Li</span></div>",
            ["Anna Berg", "Bo Li"]
        ),
        ("<h1>T</h1><span class=author>Anna Berg</span><span class=author>Bo Li</span>", ["Anna Berg", "Bo Li"]),
        ("<h1>T</h1><span class=author>publisher</span>", []), ("<h1>T</h1><span class=author>Benutzername</span>", []),
        ("<h1>T</h1><span class=author>7:57 AM</span>", []), ("<h1>T</h1><p class=byline>By 7:57 AM</p>", []),
        ("<meta name=author content='Example'>", []), ("<meta name=author content='Hill Media GmbH'>", []),
        ("<meta name=author content='admin'>", []), ("<meta name=author content='https://example.org/anna'>", []),
        ("<div class=comment><span class=author>Someone Else</span></div>", []),
        ("<span class=byline>Posted on March 4, 2021</span>", []), ("<p>By the way, this is a text.</p>", []),
        ("<meta name=author content='a@b.example'>", []),
        ("<dt id=csv.DictWriter.writeheader><span class=writer>DictWriter.writeheader</span>()</dt>", []),
        ("<span class=author>read_line</span>", []), ("<span class=author>J.R. Berg</span>", ["J.R. Berg"]),
    ])
    func `authors are people, or there are none`(_ page: String, _ expected: [String]) {
        #expect(article(page).authors == expected)
    }

    @Test(arguments: [
        ("<meta property=article:published_time content='2021-03-04T10:00:00+01:00'>", "2021-03-04T10:00:00+01:00"),
        ("<time datetime=2021-03-04>x</time>", "2021-03-04"), ("<p class=entry-date>4. März 2021</p>", "2021-03-04"),
        ("<h1>T</h1><div>4 March 2021</div>", "2021-03-04"),
        (
            "<div class=related><time datetime=2020-01-01></time></div><h1>T</h1><time datetime=2021-03-04></time>",
            "2021-03-04"
        ),
        (
            "<meta property=article:published_time content='2021-03-04T23:30:00Z'><h1>T</h1><p>March 5, 2021</p>",
            "2021-03-05"
        ),
    ])
    func `the day of publication is found`(_ page: String, _ expected: String) {
        #expect(article(page).published == expected)
    }

    @Test(arguments: [
        (0..<4).map { "<article><h2><a href=/\($0)>Part \($0)</a></h2><time>\(9 - $0) March 2021</time></article>" },
        (0..<4).map { "<div><h3><a href=/\($0)>Part \($0)</a></h3><span class=when>\(9 - $0) March 2021</span></div>" },
    ])
    func `the dates of what a page lists are not its own`(_ teasers: [String]) {
        let list = teasers.joined()
        #expect(article("<h1>News</h1><main>\(list)</main>").published == nil)
        #expect(
            article("<h1>News</h1><p class=date>4 May 2021</p><main>\(list)</main>").published == "2021-05-04")
    }

    @Test func `the first date of a conversation is that of the page`() {
        let posts = (0..<4).map { "<div><p>Words of one.</p><span class=when>\($0 + 4) March 2021</span></div>" }
        #expect(article("<h1>T</h1>\(posts.joined())").published == "2021-03-04")
    }

    @Test func `a date that a page repeats is its own`() {
        let date = "<div><span class=when>4 March 2021</span></div>"
        #expect(article("<h1>T</h1>\(date)<p>Text</p>\(date)<p>More</p>\(date)").published == "2021-03-04")
    }

    @Test func `if two dates are close together, the one that the page shows counts`() {
        let head =
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"datePublished\":\"2021-03-04\"}</script>"
        #expect(article(head + "<h1>T</h1><time>9. März 2021</time><p>x").published == "2021-03-09")
        // Too far away, it is another date: of an event, or of the last change.
        #expect(article(head + "<h1>T</h1><time>9. Mai 2021</time><p>x").published == "2021-03-04")
        let tag = "<meta property=article:published_time content=2021-03-06T10:00:00+01:00>"
        #expect(article(head + tag + "<h1>T</h1><p>x").published == "2021-03-06T10:00:00+01:00")
    }

    @Test func `a page without a date has none, unless its address gives it`() {
        #expect(article("<p>nothing in 2021</p>").published == nil)
        #expect(article("<p>x</p>", url: "https://example.org/2021/03/04/x").published == "2021-03-04")
        #expect(
            article("<p>x</p>", url: "https://archive.example/web/20200101000000/http://example.org/2019/03/04/x")
                .published == "2019-03-04")
    }

    @Test func `other parts of the head are kept`() {
        let page = article(
            "<html lang=de dir=ltr><head><meta name=description content='Worum  es geht'><link rel=canonical href=https://a.test/c>"
                + "<meta property=og:image content=/i.png><meta property=og:site_name content='Die Seite'></head><p>x")
        #expect(page.language == "de" && page.direction == "ltr" && page.description == "Worum es geht")
        #expect(page.canonicalURL?.href == "https://a.test/c" && page.image == "/i.png" && page.siteName == "Die Seite")
    }

    @Test func `a page in an old encoding is read`() {
        let bytes: [UInt8] = Array("<meta charset=iso-8859-1><title>Stra".utf8) + [0xDF] + Array("e</title>".utf8)
        let page = Article(page: bytes, url: "", today: CalendarDate(year: 2026, month: 1, day: 1))
        #expect(page.title == "Straße")
    }

    @Test(arguments: [
        "{", "[[[[[[", "{\"a\":", "{\"a\"}", "\"", "{\"@type\":\"Article\",\"author\":{\"@id\":\"#x\"}}", "nul",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\ud800\"}", "/* {", "{,,:}", "]}",
    ])
    func `broken data do no harm`(_ json: String) {
        #expect(article("<script type='application/ld+json'>\(json)</script><h1>T</h1>").title == "T")
    }

    @Test(arguments: [
        // Notes on versions and examples in reference pages, not publication.
        "<h1>os</h1><p>Operating system interfaces.</p>\(ExtractionTests.prose)<dl><dt>os.x</dt><dd>Changed in 2017-06-02.</dd></dl>",
        "<title>git-log manual</title><h1>git-log</h1><p>Show commits.</p><pre>$ git log --since 2011-04-05</pre>\(ExtractionTests.prose)",
        "<h1>Packages</h1>\(ExtractionTests.prose)<p>The archive was signed with a key that was made on 12 March 2009, and is old.</p>",
    ])
    func `a date in the middle of a text is no date of publication`(_ page: String) {
        #expect(article(page).published == nil)
    }
}
