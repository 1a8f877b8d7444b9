import Glibc
import HTML
import Testing
import URLs

@testable import Reader

struct ReaderPageTests {
    static let original = WebURL("https://www.example.org/a/page.html")

    /// reader.html of a page whose article consists of this markup and some prose.
    static func reader(_ markup: String) -> [UInt8] {
        let page = article(
            "<h1>T</h1><article><div class=entry-content>\(ExtractionTests.prose)\(markup)<p>End of it, at last.</p></div></article>"
        )
        return ReaderPage.html(page, original: original) { $0.href.hasSuffix("lost.png") ? nil : "assets/picture.png" }
    }

    private static let allowed: Set<String> = [
        "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "article", "h1", "h2", "h3", "h4",
        "h5", "h6", "p", "ul", "ol",
        "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "pre", "code", "kbd",
        "samp", "var", "blockquote", "q",
        "figure", "figcaption", "img", "a", "em", "i", "strong", "b", "u", "s", "del", "ins", "sub", "sup", "mark",
        "small", "cite", "abbr", "dfn", "time",
        "bdi", "bdo", "ruby", "rt", "rp", "br", "hr", "details", "summary",
    ]

    /// Faults of a page as a browser's parser reads it; empty if there are none.
    static func faults(_ page: [UInt8]) -> [String] {
        let tree = PageParser.parse(page)
        var faults: [String] = []
        for index in tree.nodes.indices.dropFirst() where tree.nodes[index].tag != .text {
            let node = tree.nodes[index]
            let isOfFormula = node.tag == .other && (tree.part(index) ?? .source) != .source
            if !allowed.contains(node.tag.name), !isOfFormula { faults.append("element \(node.tag.name)") }
            if isOfFormula, node.start < node.stop { faults.append("attribute in a formula") }
            for place in Int(node.start)..<Int(node.stop) {
                let attribute = tree.attributes[place]
                let value = String(decoding: tree.text[Int(attribute.start)..<Int(attribute.stop)], as: UTF8.self)
                switch attribute.name {
                case .href:
                    if !["https://", "http://", "mailto:", "#r-"].contains(where: value.hasPrefix) {
                        faults.append("href \(value)")
                    }
                case .class: if node.tag != .p || value != "lead" { faults.append("class \(value)") }
                case .src:
                    if value != "assets/picture.png", !DrawingTests.isHarmless(value) { faults.append("src \(value)") }
                case .width, .height: if Int(value) == nil { faults.append("size \(value)") }
                case .id: if !value.hasPrefix("r-") { faults.append("id \(value)") }
                case .alt, .title, .dir, .lang, .colspan, .rowspan, .start, .datetime, .content, .name, .httpEquiv,
                    .charset:
                    break
                default: faults.append("attribute \(attribute.name)")
                }
            }
        }
        return faults + unknownAttributes(page)
    }

    /// Attributes that the parser would drop, found in the bytes of the tags themselves.
    private static func unknownAttributes(_ page: [UInt8]) -> [String] {
        let text = String(decoding: page, as: UTF8.self)
        var faults: [String] = []
        for tag in text.split(separator: "<").dropFirst() {
            let inside = tag.prefix { $0 != ">" }
            for part in inside.split(separator: " ").dropFirst() {
                let name = part.prefix { $0 != "=" }.lowercased()
                if name.hasPrefix("on") && part.contains("=\"") { faults.append("attribute \(name)") }
                if name == "style" { faults.append("style") }
            }
        }
        return faults
    }

    @Test func `vectors of script injection pass through without anything that runs`() {
        let vectors = ScriptVectors.all
        #expect(vectors.count >= 200)
        for vector in vectors {
            let page = Self.reader(vector)
            #expect(Self.faults(page).isEmpty, "\(vector): \(Self.faults(page))")
        }
    }

    /// `Scripts/xss-check` makes this test write the pages, and opens them in a browser.
    @Test(.enabled(if: getenv("XSS_OUTPUT") != nil))
    func `pages for the browser are written`() throws {
        let folder = getenv("XSS_OUTPUT").map { String(cString: $0) } ?? "."
        func write(_ name: String, _ bytes: [UInt8]) throws {
            let file = try #require(fopen("\(folder)/\(name)", "w"))
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
            fclose(file)
        }
        for (number, vector) in ScriptVectors.all.enumerated() {
            try write("rawreader-\(number).html", Array("<!DOCTYPE html><body>\(vector)".utf8))
            let page = Self.reader(vector)
            try write("reader-\(number).html", page)
            // Without the policy, so that the markup alone must prevent scripts.
            let text = String(decoding: page, as: UTF8.self)
            let policy = try #require(text.firstRange(of: /<meta http-equiv="Content-Security-Policy"[^>]*>/))
            let bare = text[..<policy.lowerBound] + text[policy.upperBound...]
            try write("barereader-\(number).html", Array(bare.utf8))
        }
    }

    @Test func `titles and authors are hostile text too`() {
        let evil = "\"><script>alert(1)</script>"
        let page = article(
            "<meta property=og:title content='&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;x '><h1>\(evil)</h1><span class=byline>\(evil)</span><p>x"
        )
        #expect(Self.faults(ReaderPage.html(page, original: Self.original) { _ in "\"><script>" }).isEmpty)
    }

    @Test(arguments: ["div class=share", "p class=share", "ul class=share", "nav"])
    func `a block that is left out separates the text before it from the text after it`(_ block: String) {
        let first = "This line begins before the buttons of the page, which nobody reads, and it is long enough to stay"
        let second =
            "while this one follows them, at once, without any space, and is just as long as the first one was."
        let markup =
            "<div>\(first)<\(block)>Share</\(block.prefix { $0 != " " })>\(second)</div>\(ExtractionTests.prose)"
        #expect(
            article("<main><h1>T</h1>\(ExtractionTests.prose)\(markup)</main>").text.contains(first + "\n" + second))
        let reader = String(decoding: Self.reader(markup), as: UTF8.self)
        #expect(reader.contains(first) && reader.contains(second))
        #expect(!reader.contains(first + second) && !reader.contains("Share"))
    }

    @Test func `a table with one cell of text in a row is layout, and one with empty cells is data`() {
        let row =
            "<tr><td width=40></td><td><div>A comment that somebody wrote.</div><p>It has two lines.</p></td></tr>"
        let layout = String(
            decoding: Self.reader("\(ExtractionTests.prose)<table>\(row)</table><table>\(row)</table>"), as: UTF8.self)
        #expect(layout.contains("A comment that somebody wrote.") && !layout.contains("<td"))
        let data = String(
            decoding: Self.reader("\(ExtractionTests.prose)<table><tr><td>Sheep<td>12<tr><td>Goats<td></table>"),
            as: UTF8.self)
        #expect(data.contains("<td>Goats</td>"))
    }

    @Test(
        arguments: [
            (
                "<iframe src=https://www.youtube-nocookie.com/embed/abc123?rel=0 title='The hill at dawn'></iframe>",
                "<p><a href=\"https://www.youtube.com/watch?v=abc123\">The hill at dawn (www.youtube.com)</a></p>"
            ),
            (
                "<div class=embed><iframe data-src=//player.vimeo.com/video/7></iframe></div>",
                "<p><a href=\"https://player.vimeo.com/video/7\">player.vimeo.com</a></p>"
            ),
            ("<iframe src=https://ads.example/youtube.com/embed/abc123></iframe>", nil),
            ("<iframe src=javascript:alert(1)></iframe>", nil),
        ] as [(String, String?)])
    func `a film in a frame is linked`(_ frame: String, _ expected: String?) {
        let reader = String(
            decoding: Self.reader(
                "\(ExtractionTests.prose)\(frame)<p>And so the day on the hill began, as all days do, slowly.</p>"),
            as: UTF8.self)
        #expect(expected.map { reader.contains($0) } ?? !reader.contains("example/youtube"))
        #expect(!reader.contains("<iframe"))
    }

    @Test(arguments: ["li", "td"])
    func `boxes beside each other do not run together`(_ part: String) {
        let outer = part == "li" ? "ul><li" : "table><tr><th>Name</th></tr><tr><td"
        let reader = String(
            decoding: Self.reader(
                "\(ExtractionTests.prose)<\(outer)><h3>Methods</h3><div><div>Modifier</div><div>Method</div><div><code>void</code></div>"
                    + "<div><code>hum</code></div><div>Hums loudly until it is stopped.</div></div></\(part)>"),
            as: UTF8.self)
        #expect(reader.contains("Modifier<br>Method<br><code>void</code><br><code>hum</code><br>Hums loudly"))
    }

    @Test(arguments: [
        ("<html lang=ar>", "كان الجسر القديم يربط بين ضفتي النهر منذ مئات السنين، وكان التجار يعبرونه كل صباح", "rtl"),
        (
            "<html lang=en>", "הגשר הישן חיבר בין שתי גדות הנהר במשך מאות שנים, והסוחרים עברו בו מדי בוקר עם סחורתם",
            "rtl"
        ),
        (
            "<html dir=ltr>", "הגשר הישן חיבר בין שתי גדות הנהר במשך מאות שנים, והסוחרים עברו בו מדי בוקר עם סחורתם",
            "ltr"
        ),
    ])
    func `a text runs as its letters do where the page does not say it`(_ html: String, _ text: String, _ dir: String) {
        let page = article("\(html)<body><div dir=rtl><article><h1>T</h1><p>\(text)</p></article></div>")
        let reader = String(decoding: ReaderPage.html(page, original: Self.original) { _ in nil }, as: UTF8.self)
        #expect(reader.components(of: " dir=\"\(dir)\">\n<head>") == 1)
    }

    @Test func `the foot of the page speaks its language`() {
        let page = article("<html lang=de-AT><article><h1>T</h1>\(ExtractionTests.prose)</article>")
        let reader = String(decoding: ReaderPage.html(page, original: Self.original) { _ in nil }, as: UTF8.self)
        #expect(reader.contains("Diese Seite ist lokal gespeichert. Das Original: <a href"))
    }

    @Test func `a written page stays the same when it is parsed and written again`() {
        for vector in ScriptVectors.all + [
            ExtractionTests.page,
            "<table><tr><th>a<th>b<tr><td>1<td>2</table><ol start=3><li>x<p>y</ol><dl><dt>t<dd>d</dl>",
        ] {
            let first = Self.reader(vector)
            let tree = PageParser.parse(first)
            guard let body = tree.nodes.firstIndex(where: { $0.tag == .article }) else { continue }
            let content = Content(
                tree: tree, roots: [body], isDropped: [Bool](repeating: false, count: tree.nodes.count),
                isCaption: [Bool](repeating: false, count: tree.nodes.count))
            var again = ReaderMarkup(content, links: LinkResolution(base: Self.original, page: Self.original)) { _ in
                "assets/picture.png"
            }
            again.write()
            let second = PageParser.parse(again.bytes)
            #expect(second.plainText(0) == tree.plainText(body), "\(vector)")
        }
    }

    @Test func `structure, pictures and links are kept`() {
        let text = String(
            decoding: Self.reader(
                "<h1>What was found on the hill</h1><ul><li>A stone that stood in the grass, as <b>tall</b> as a man</ul>"
                    + "<p>The table shows how many stones were found, and where.<table><tr><th>Place<th>Stones<tr><td colspan=2>none</table>"
                    + "<p>This program counts them:<pre><code>count  stones</code></pre><p>The keeper of the hill wrote about it:"
                    + "<blockquote>Nobody has ever moved one of them, as far as we know.</blockquote>"
                    + "<figure><img data-src=/p.png alt=A><figcaption>C</figcaption></figure><img src=lost.png alt=Gone>"
                    + "<p>More is told <a href=../x?a=1&b=2>elsewhere</a>, in <a href=#n>a note below</a>, by <a href=mailto:a@b.c>the keeper</a>"
                    + " and <a href='javascript:alert(1)'>nowhere</a>, in many words.<p id=n>The note says that the stones are older than the hill, which nobody believes."
            ),
            as: UTF8.self)
        for part in [
            "<h2>What was found on the hill</h2>", "as <b>tall</b> as a man</li>", "<th>Place</th>",
            "<td colspan=\"2\">none</td>", "<pre><code>count  stones</code></pre>", "<blockquote><p>Nobody",
            "<img src=\"assets/picture.png\" alt=\"A\"", "<figcaption>C</figcaption>", "[Gone]",
            "href=\"https://www.example.org/x?a=1&amp;b=2\"", "href=\"#r-n\"", "id=\"r-n\"", "href=\"mailto:a@b.c\"",
            "This page is saved locally",
            "Content-Security-Policy", "prefers-color-scheme: dark",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("javascript"))
    }

    @Test func `without its frame a page holds the heading and the article`() {
        let page = article(
            "<meta name=author content='Ann Author'><h1>Heading</h1><article><p>\(ExtractionTests.prose)</article>")
        let whole = ReaderPage.html(page, original: Self.original) { _ in nil }
        let rest = PageParser.parse(ReaderFrame.removed(from: whole))
        let text = rest.plainText(rest.nodes.firstIndex { $0.tag == .body } ?? 0)
        #expect(text.hasPrefix("Heading ") && text.contains(String(ExtractionTests.prose.prefix(20).dropFirst(3))))
        for words in ["Ann Author", "example.org", "locally"] {
            #expect(PageParser.parse(whole).plainText(0).contains(words) && !text.contains(words), "\(words)")
        }
    }

    @Test(arguments: ["", "/etc/passwd", "../x", "a/../../b", "javascript:x", "file:///x", "a\\b", "x?y"])
    func `a picture's file is below the page or left out`(_ path: String) {
        let page = ReaderPage.html(article("<article>\(ExtractionTests.prose)<img src=a.png></article>"), original: nil)
        { _ in path }
        #expect(PageParser.parse(page).nodes.allSatisfy { $0.tag != .img })
    }
}
