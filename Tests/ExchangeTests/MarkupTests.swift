import Exchange
import JSONFormat
import TestSupport
import Testing

/// HTML of exports as Markdown: what it says stays, what cannot stay is named.
struct MarkupTests {
    /// The text and what was named, of an article of wallabag's.
    private func read(_ html: String) throws -> (text: String, lost: [String]) {
        var writer = JSONWriter(.oneLine)
        writer.write(.string(html))
        let content = String(decoding: writer.bytes, as: UTF8.self)
        let json = "[{\"is_archived\":1,\"title\":\"T\",\"url\":\"https://example.org/\",\"content\":\(content)}]"
        let entry = try #require(try Reading(json).entries.first)
        return (String(decoding: entry.text ?? [], as: UTF8.self), entry.untaken)
    }

    @Test(arguments: [
        ("<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"),
        ("<h2>Head</h2>Text<h3>A <b>b</b></h3>", "## Head\n\nText\n\n### A **b**"),
        ("<p>a <b> bold </b>and <i>it</i>, <s>old</s></p>", "a **bold** and *it*, ~~old~~"),
        ("<p><b>one</p><p>two</b></p>", "**one**\n\n**two**"),
        (
            "<p>see <a href=\"https://example.org/a(b)?x=1&amp;y=2\">the <em>page</em></a>.</p>",
            "see [the *page*](<https://example.org/a(b)?x=1&y=2>)."
        ),
        ("<a href=\"https://example.org/\"><h2>Title</h2></a>", "## [Title](https://example.org/)"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>x</p>", "- a\n- b\n  - c\n\nx"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        (
            "<pre><code class=\"language-swift\">let a = 1\n\n  b &lt; c\n</code></pre>",
            "```swift\nlet a = 1\n\n  b < c\n```"
        ),
        ("<p>run <code>a ` b</code> now</p>", "run ``a ` b`` now"),
        ("<pre>```</pre>", "````\n```\n````"),
        ("<p>a<br>b<br></p>", "a\\\nb"),
        ("<img src=\"https://example.org/a.png\" alt=\"A [b]\">", "![A \\[b\\]](https://example.org/a.png)"),
        ("<img data-src=\"/late.png\" src=\"data:,\">", "![](/late.png)"),
        ("<img data-lazy-src=\"/late.png\" src=\"data:,\">", "![](/late.png)"),
        ("<img srcset=\"/a,b.png 1x, /a,c.png 2x\">", "![](/a,c.png)"),
        ("<img src=\"data:,\" data-lazy-srcset=\"data:image/png;base64,AA== 1x,/c(1).png 2x\">", "![](</c(1).png>)"),
        ("<img src=\"data:,x\">", "![](data:,x)"),
        (
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>",
            "| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |"
        ),
        ("<p>x<sup>2</sup> <mark>m</mark></p>", "x<sup>2</sup> <mark>m</mark>"),
        ("<p>5 * 3, *no*, snake_case, [1] 1. a</p>", "5 \\* 3, \\*no\\*, snake_case, \\[1\\] 1. a"),
        ("<p># no</p><p>- no</p><p>1. no</p><p>&lt;b&gt;</p>", "\\# no\n\n\\- no\n\n1\\. no\n\n\\<b>"),
        ("<iframe src=\"https://example.org/v\"></iframe>", "[embedded page](https://example.org/v)"),
        ("<video src=\"https://example.org/v.mp4\"></video>", "[video](https://example.org/v.mp4)"),
        ("<ul><li><input type=checkbox checked> done</li></ul>", "- [x] done"),
        ("<p>a <math alttext=\"x^2\"><msup><mi>x</mi><mn>2</mn></msup></math> b", "a x^2 b"),
        ("<dl><dt>Term</dt><dd>Words</dd></dl>", "**Term**\n\nWords"),
        ("<table><tr><td><h1>A</h1><p>b</p></td><td>c</td></tr></table>", "# A\n\nb\n\nc"),
        ("no tags,\n  two lines", "no tags,\n  two lines"),
    ])
    func `what Markdown has is kept`(html: String, markdown: String) throws {
        #expect(try read(html).text == markdown)
    }

    @Test(arguments: [
        ("<p>a<script>b()</script></p>", "a", ["scripts in HTML"]),
        ("a<svg><path d=\"M0\"/><text>t</text></svg> b<p>c", "a b\n\nc", ["drawings (svg) in HTML"]),
        ("a<math><mi>x</mi></math><p>c", "a\n\nc", ["formulas (math) in HTML"]),
        ("<p>a<input type=text value=b></p>", "a", ["form fields in HTML"]),
        (
            "<table><tr><td colspan=2>a</td></tr></table>", "| a |\n| --- |",
            ["cells over several rows or columns in HTML"]
        ),
        ("<a href=\"javascript:x()\">a</a>", "a", ["links that run a script in HTML"]),
        ("<span data-citation=\"%7B%7D\">(Doe)</span>", "(Doe)", ["data-citation in HTML"]),
        ("a<!-- b -->", "a", ["comments in HTML"]),
    ])
    func `what Markdown cannot hold is named`(html: String, markdown: String, lost: [String]) throws {
        let (text, names) = try read("<p>" + html)
        #expect(text == markdown)
        #expect(names == lost)
    }

    @Test func `Zotero's notes, Karakeep's pages, annotations and feeds are no HTML any more`() throws {
        let zotero = try Reading(
            "\"Key\",\"Item Type\",\"Title\",\"Url\",\"Notes\"\n\"K1\",\"book\",\"T\",\"\",\"<p>My <b>note</b></p>; <h1>B</h1>\"\n"
        )
        #expect(zotero.entries.first?.text == Array("My **note**\n\n;\n\n# B".utf8))
        let karakeep = try Reading(
            #"{"bookmarks":[{"createdAt":1,"title":"T","content":{"type":"link","url":"https://example.org/","htmlContent":"<h1>A</h1>"}}]}"#
        )
        #expect(karakeep.entries.first?.text == Array("# A".utf8))
        let notes = try Reading(
            #"[{"url":"https://example.org/","annotations":[{"quote":"<p>the <i>words</i></p>","text":"a < b"}]}]"#)
        #expect(
            notes.entries.first?.annotations == [
                .object([JSON.Member("quote", .string("the *words*")), JSON.Member("note", .string("a < b"))])
            ])
        let feed = try Reading(
            "<rss><channel><item><link>https://example.org/</link><description>&lt;p&gt;a&lt;/p&gt;</description></item></channel></rss>"
        )
        #expect(feed.entries.first?.description == "a")
    }

    /// A text of a person's that mentions a tag is not HTML.
    @Test func `a text that is no HTML stays as it is`() throws {
        for text in ["use <b> for bold\n\n  twice", "<3 you", "a < b > c", "List<String>"] {
            var writer = JSONWriter(.oneLine)
            writer.write(.string(text))
            let json = "[{\"url\":\"https://example.org/\",\"note\":\(String(decoding: writer.bytes, as: UTF8.self))}]"
            #expect(try Reading(json).entries.first?.text == Array(text.utf8))
        }
    }

    /// Each is the beginning of something that costs time for each level or each end where it is done wrongly.
    @Test(arguments: [
        "<blockquote>", "<ul><li>", "<b><i><u>", "<table><tr><td>", "<a href=\"x\">", "<pre>", "<code>", "<h1><p>",
        "<svg>",
        "</li></ul>", "`", "<li></blockquote>", "#", "<dt>",
    ])
    func `the text is at most a few times as long as its HTML`(piece: String) throws {
        let html = String(repeating: piece, count: 20_000) + "<p>x" + String(repeating: "<p>y</ul>", count: 20_000)
        #expect(try read(html).text.utf8.count < html.utf8.count * 12)
    }
}
