import HTML
import Testing

struct StyleSheetTests {
    static let files: [String: Replacement] = [
        "https://a.test/css/a.png": .file("a.png"), "https://a.test/b.png": .file("b.png"),
        "https://a.test/css/x.css": .file("x.css"), "https://b.test/f.woff2": .file("f.woff2"),
        "https://a.test/css/m.svg": .data(mimeType: "image/svg+xml", [0x3C]),
        "https://a.test/css/a%20b.png": .file("ab.png"), "https://a.test/css/a(b).png": .file("p.png"),
    ]

    @Test(arguments: [
        ("a{color:red}", "a{color:red}"),
        ("a{background:url(a.png)}", #"a{background:url("a.png")}"#),
        ("a{background:url( 'a.png' )}", #"a{background:url( "a.png" )}"#),
        ("a{background:URL(\"/b.png\")}", #"a{background:URL("b.png")}"#),
        ("a{background:u\\72l(a.png)}", #"a{background:url("a.png")}"#),
        ("a{background:url(a\\.png)}", #"a{background:url("a.png")}"#),
        ("a{background:url(\"a\\20 b.png\")}", #"a{background:url("ab.png")}"#),
        ("a{background:url(a\\(b\\).png)}", #"a{background:url("p.png")}"#),
        ("a{background:url(a b.png)}", "a{background:url(a b.png)}"),
        ("a{background:url(no.png)}", #"a{background:url("data:,")}"#),
        ("/* url(a.png) */", "/* url(a.png) */"),
        ("a::after{content:'url(a.png)'}", "a::after{content:'url(a.png)'}"),
        (
            "a{background:image-set('a.png' 1x, url(/b.png) 2x)}",
            #"a{background:image-set("a.png" 1x, url("b.png") 2x)}"#
        ),
        (
            "a{background:-webkit-image-set(\"a.png\" type('image/png') 1x)}",
            #"a{background:-webkit-image-set("a.png" type('image/png') 1x)}"#
        ),
        ("a{background:src('a.png')}", #"a{background:src("a.png")}"#),
        ("a{background:src(var(--x))}", "a{background:src(var(--x))}"),
        ("@import 'x.css';", #"@import "x.css";"#),
        (
            "@import url(x.css) layer(l) supports(display:grid) screen;",
            #"@import url("x.css") layer(l) supports(display:grid) screen;"#
        ),
        ("@charset 'utf-16';@import \"x.css\";", #"@import "x.css";"#),
        ("@layer a, b;@import 'x.css';", #"@layer a, b;@import "x.css";"#),
        ("@import 'no.css';", #"@import "data:text/css,";"#),
        ("a{} @import 'x.css';", #"a{} @import "data:text/css,";"#),
        ("@namespace url(http://www.w3.org/1999/xhtml);", "@namespace url(http://www.w3.org/1999/xhtml);"),
        ("@font-face{src:url(//b.test/f.woff2)format('woff2')}", #"@font-face{src:url("f.woff2")format('woff2')}"#),
        ("a{mask:url(m.svg)}", #"a{mask:url("data:image/svg+xml;base64,PA==")}"#),
        ("a{fill:url(#g)}", "a{fill:url(#g)}"),
        ("a{fill:url(main.css#g)}", ##"a{fill:url("#g")}"##),
        ("a{background:url(data:image/png;base64,AA)}", "a{background:url(data:image/png;base64,AA)}"),
        ("a{background:url()}", "a{background:url()}"),
        ("a{background:url(a.png", #"a{background:url("a.png")"#),
        ("a{background:url('a.png", #"a{background:url("a.png""#),
        ("a{b:url(a.png)}}c{d:url(/b.png)}", #"a{b:url("a.png")}}c{d:url("b.png")}"#),
        ("<!-- a{b:url(a.png)} -->", #"<!-- a{b:url("a.png")} -->"#),
        ("a{b:'\n;c:url(a.png)}", "a{b:'\n;c:url(\"a.png\")}"),
        ("@media x{a{b:url(a.png)}}", #"@media x{a{b:url("a.png")}}"#),
    ])
    func `references of a sheet are replaced`(sheet: String, expected: String) throws {
        #expect(try Rewriting.sheet(sheet, files: Self.files) == expected)
    }

    @Test(arguments: [
        (
            "@font-face{src:url(f.ttf)} a{mask-image:url(m.svg);background:url(a.png)} a{--i:url(i.svg)}",
            "font mask image mask"
        ),
        ("@import 'x.css';a{list-style:url(l.png)}", "importedStyleSheet image"),
        ("a{b:url(javascript:x)} c{d:url(file:///etc/passwd)}", ""),
        ("a{-webkit-mask:url(a.svg),url(b.svg);filter:url(f.svg#f)}", "mask mask mask"),
    ])
    func `each reference has a kind`(sheet: String, expected: String) throws {
        let found = StyleSheetRewriting.references(
            of: Array(sheet.utf8), url: try Rewriting.url("https://a.test/x/y.css"))
        #expect(found.map(\.kind.rawValue).joined(separator: " ") == expected)
    }
}
