import HTML
import Testing

struct PageRewritingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let page: String
        let expected: String

        init(_ name: String, _ page: String, _ expected: String) {
            testDescription = name
            self.page = page
            self.expected = expected
        }
    }

    static let files: [String: Replacement] = [
        "https://a.test/dir/a.png": .file("assets/a.png"), "https://a.test/b.png": .file("assets/b.png"),
        "https://b.test/c.png": .data(mimeType: "image/png", [1, 2, 3]),
        "https://a.test/dir/s.css": .file("assets/s.css"), "https://a.test/dir/f.html": .file("assets/f.html"),
        "https://a.test/dir/a,b/c.png": .file("assets/c.png"), "https://a.test/dir/v.mp4": .file("assets/v.mp4"),
        "https://a.test/dir/x.png?a=1&b=2": .file("assets/x.png"), "https://a.test/other/a.png": .file("assets/o.png"),
        "https://a.test/dir/sprite.svg#one": .inlineSVG(
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg"><linearGradient id="g"/><symbol id="one" onclick="x()">\
                <path fill="url(#g)"/></symbol><symbol id="two"/></svg>
                """.utf8)),
    ]

    @Test(arguments: [
        Case("a page without anything stays", "<p class=x>a &amp; b<br></p>", "<p class=x>a &amp; b<br></p>"),
        Case("an image", "<img src=a.png alt=''>", #"<img src="assets/a.png" alt=''>"#),
        Case("white space around", "<img src=' /b.png\n'>", #"<img src="assets/b.png">"#),
        Case("an image as data", "<img src='//b.test/c.png'>", #"<img src="data:image/png;base64,AQID">"#),
        Case(
            "a missing image", "<img src=no.png alt=x>",
            #"<img data-sbfs-missing-src="https://a.test/dir/no.png" alt="x">"#),
        Case(
            "candidates keep their descriptors", "<img srcset='a.png 1x, /b.png 2x, no.png 3x'>",
            #"<img srcset="assets/a.png 1x, assets/b.png 2x">"#),
        Case(
            "a comma in a URL", "<img srcset='a,b/c.png 320w, a.png'>",
            #"<img srcset="assets/c.png 320w, assets/a.png">"#),
        Case("references in attributes", "<img src='x.png?a=1&amp;b=2'>", #"<img src="assets/x.png">"#),
        Case(
            "a style attribute", #"<p style="background:url(&quot;a.png&quot;) red">"#,
            #"<p style="background:url(&quot;assets/a.png&quot;) red">"#),
        Case("an image input", "<input type=IMAGE src=a.png>", #"<input type="IMAGE" src="assets/a.png">"#),
        Case("a background", "<td background=a.png>", #"<td background="assets/a.png">"#),
        Case("an object", "<object data=a.png></object>", #"<object data="assets/a.png"></object>"#),
        Case(
            "an object of nothing", "<object data='\u{1}\n'></object>", #"<object data-sbfs-missing-data=""></object>"#),
        Case("embedded nothing", "<embed src='\u{1F} '>", #"<embed data-sbfs-missing-src="">"#),
        Case(
            "a sheet", "<link rel=stylesheet href=s.css integrity=x crossorigin>",
            #"<link rel="stylesheet" href="assets/s.css">"#),
        Case("a preload", "<link rel=preload href=s.css as=style>x", "x"),
        Case(
            "an import that is none", "<style>a{} @import 's.css';</style>",
            #"<style>a{} @import "data:text/css,";</style>"#),
        Case("an inner sheet", "<style>@import 's.css';</style>", #"<style>@import "assets/s.css";</style>"#),
        Case("a link", "<a href=x ping=y>", #"<a href="https://a.test/dir/x">"#),
        Case("a fragment", "<a href='#x'>", "<a href='#x'>"),
        Case("a fragment of the page itself", "<a href='page.html#x'>", ##"<a href="#x">"##),
        Case("a script's link", "<a href=' java\nscript:x'>y", ##"<a href="#sbfs-none">y"##),
        Case(
            "links to what runs", "<map><area href=vbscript:x></map><a href=data:text/html,x>y",
            ##"<map><area href="#sbfs-none"></map><a href="#sbfs-none">y"##),
        Case("a form", "<form action=/post method=post>", #"<form action="https://a.test/post" method="post">"#),
        Case("a script", "a<script>if (a<b) '</p>'</script>b", "ab"),
        Case("a split script", "<<script></script>script>x", "&lt;script>x"),
        Case("an event", "<p onclick=x() id=a>", #"<p id="a">"#),
        Case("a base", "<base href=/other/><img src=a.png>", #"<img src="assets/o.png">"#),
        Case("a refresh", "<meta http-equiv=refresh content='0;url=/'>x", "x"),
        Case("a noscript", "<noscript><img src=a.png></noscript>", #"<img src="assets/a.png">"#),
        Case(
            "a frame", "<iframe src=f.html width=3>x</iframe>",
            #"<iframe src="assets/f.html" width="3" sandbox="allow-same-origin"></iframe>"#),
        Case(
            "an inner document", "<iframe srcdoc='<img src=a.png onload=x><script>1</script>'></iframe>",
            #"<iframe srcdoc="&lt;img src=&quot;assets/a.png&quot;>" sandbox="allow-same-origin"></iframe>"#),
        Case(
            "a video", "<video src=v.mp4 poster=a.png autoplay>", #"<video src="assets/v.mp4" poster="assets/a.png">"#),
        Case("a late image", "<img data-src=a.png src='data:,x'>", #"<img data-src="a.png" src="assets/a.png">"#),
        Case(
            "a late image and its twin", "<img data-src=a.png><noscript><img src=a.png></noscript>y",
            #"<img data-src="a.png" src="assets/a.png">y"#),
        Case("raw text as text", "<xmp><b>&</xmp>", "<pre>&lt;b&gt;&amp;</pre>"),
        Case("a title with markup", "<title>a<b>&amp;</title>", "<title>a&lt;b>&amp;</title>"),
        Case(
            "a style with markup", "<svg><style>a{}<img onerror=x></style></svg>",
            "<svg><style>a{}< img onerror=x></style></svg>"),
        Case("a comment", "<!-- a --><!--[if IE]><script></script><![endif]-->", "<!-- a --><!---->"),
        Case("a comment that the source cuts off", "<p>a<!--b--!", "<p>a<!---->"),
        Case("another", "<p>a<!--b--", "<p>a<!---->"),
        Case(
            "a frame that ends with its noscript", "<noscript><iframe src=x /></noscript>a",
            #"<iframe data-sbfs-missing-src="https://a.test/dir/x" sandbox="allow-same-origin"></iframe>a"#),
        Case("a name with NUL", "a<script\0>b</script\0>c", "abc"),
        Case("character data", "<svg><![CDATA[<b>]]></svg>", "<svg>&lt;b&gt;</svg>"),
        Case("an unclosed style", "<style>a{}", "<style>a{}</style>"),
        Case(
            "a sprite", "<svg><use href=sprite.svg#one /></svg>",
            ##"<svg><defs><linearGradient id="sbfs-1-g"/><symbol id="sbfs-1-one"><path fill="url(&quot;#sbfs-1-g&quot;)"/></symbol></defs><use href="#sbfs-1-one"/></svg>"##
        ),
        Case("a gradient", "<svg><rect fill='url(#g)'/></svg>", "<svg><rect fill='url(#g)'/></svg>"),
        Case(
            "a script's URL where none belongs",
            "<font to=javascript:x><p style=' javascript:x'><svg><path fill='javascript:x()' d=M0>",
            "<font><p><svg><path d=\"M0\">"),
        Case("a name that begins with =", "<p a/=b='c onclick=x ' ping=x>", "<p a>"),
        Case("such a name alone", "<p =onclick=x>", "<p>"),
        Case("repeated attributes", "<a href=x href=javascript:y>", #"<a href="https://a.test/dir/x">"#),
        Case(
            "a doctype", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p>",
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p>"),
    ])
    func `a page is rewritten`(_ example: Case) throws {
        #expect(try Rewriting.page(example.page, files: Self.files) == example.expected)
    }

    @Test(arguments: [
        "<!DOCTYPE html><html lang=en><head><title>x</title>", "x", "", "<p>x", "</p>x", "<head>", "<html><body>x",
        String(repeating: "<!-- comment -->\n", count: 200) + "<!DOCTYPE html><html><head>",
        "<!DOCTYPE html><html class='" + String(repeating: "x ", count: 900) + "'><head>",
        String(repeating: " ", count: 5_000) + "<html><head " + String(repeating: "a=b ", count: 500) + ">",
        "\u{FEFF}<html>", "<meta charset=utf-16><title>",
    ])
    func `the character set is in the first 1024 bytes, once`(page: String) throws {
        let context = PageContext(url: try Rewriting.url("https://a.test/"))
        let output = PageRewriting.rewritten(Array(page.utf8), context) { _ in .missing }
        let text = String(decoding: output, as: UTF8.self)
        #expect(String(decoding: output.prefix(1024), as: UTF8.self).contains("<meta charset=\"utf-8\">"))
        #expect(text.ranges(of: "charset").count == 1)
        #expect(output.first != 0xEF)
    }

    @Test func `the archive's policy allows only local resources`() {
        let allowed = Set(ArchiveHead.contentSecurityPolicy.split { " ;".contains($0) }.map(String.init))
        #expect(!allowed.contains { $0.hasPrefix("http") || $0 == "*" || $0.contains("eval") })
        #expect(ArchiveHead.contentSecurityPolicy.hasPrefix("default-src 'none'"))
        #expect(!ArchiveHead.contentSecurityPolicy.contains("script-src"))
    }

    @Test(arguments: [PageContext.Syntax.html, .xhtml])
    func `attributes beyond the limit are not written`(syntax: PageContext.Syntax) throws {
        let many = String(repeating: " a", count: HTMLTokenizer.attributeLimit - 1)
        let page = try Rewriting.page("<p id=x\(many) onclick=run() href=javascript:run()>y</p>", syntax: syntax)
        #expect(!page.contains("run()") && page.hasSuffix("\(many)>y</p>") && page.contains("<p id"))
    }
}
