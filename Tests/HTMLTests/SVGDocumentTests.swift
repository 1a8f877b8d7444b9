import HTML
import Testing

struct SVGDocumentTests {
    static let files: [String: Replacement] = ["https://a.test/img/a.png": .file("a.png")]

    @Test(arguments: [
        ("<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>", "<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>"),
        ("<?xml version='1.0' encoding='latin1'?><?xml-stylesheet href='x.css'?><svg/>", "<svg/>"),
        ("<svg><script>a&lt;b</script><script href='x'/><g/></svg>", "<svg><g/></svg>"),
        ("<svg><s:script xmlns:s='http://www.w3.org/2000/svg'>x</s:script><g/></svg>", "<svg><g/></svg>"),
        ("<svg onload='x()'><a xlink:href='javascript:x'>y</a></svg>", "<svg><a>y</a></svg>"),
        ("<svg><image href='a.png'/></svg>", #"<svg><image href="a.png"/></svg>"#),
        (
            "<svg><image x:href='no.png'/></svg>",
            #"<svg><image data-sbfs-missing-x-href="https://a.test/img/no.png"/></svg>"#
        ),
        (
            "<svg><style><![CDATA[a>b{fill:url(a.png)}]]></style></svg>",
            #"<svg><style>a&gt;b{fill:url("a.png")}</style></svg>"#
        ),
        (
            "<svg><title>a</title><text>b<![CDATA[<c>]]></text></svg>",
            "<svg><title>a</title><text>b&lt;c&gt;</text></svg>"
        ),
        (
            "<!DOCTYPE svg [<!ENTITY n \"http://x/\"><!ENTITY t '<script>'>]><svg xmlns:n=\"&n;\">&t;</svg>",
            #"<svg xmlns:n="http://x/">&lt;script&gt;</svg>"#
        ),
        (
            "<svg><rect fill='url(#g)' style='fill:url(pic.svg#g)'/></svg>",
            ##"<svg><rect fill='url(#g)' style="fill:url(&quot;#g&quot;)"/></svg>"##
        ),
        ("<svg><linearGradient href='other.svg#g'/></svg>", #"<svg><linearGradient data-sbfs-missing-href=""/></svg>"#),
        (
            "<svg><foreignObject><p xmlns='x' onclick='y'>z<br/></p></foreignObject></svg>",
            #"<svg><foreignObject><p xmlns='x'>z<br/></p></foreignObject></svg>"#
        ),
        ("<svg><set attributeName='href' to='javascript:x'/></svg>", "<svg><set/></svg>"),
    ])
    func `an SVG file stays an SVG file and has nothing active`(document: String, expected: String) throws {
        #expect(try Rewriting.svg(document, files: Self.files) == expected)
    }

    @Test(arguments: [
        (
            "<html><head/><body><p/>a<br/></body></html>",
            "<!DOCTYPE html><html><head></head><body><p></p>a<br/></body></html>"
        ),
        (
            "<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html><script/><div/>b</html>",
            "<!DOCTYPE html><html><div></div>b</html>"
        ),
        ("<p><script><![CDATA[ if (a < b) ]]></script>c</p>", "<!DOCTYPE html><p>c</p>"),
        ("<style><![CDATA[ a > b {} ]]></style>", "<!DOCTYPE html><style> a > b {} </style>"),
        ("<style>/*<![CDATA[*/a{}/*]]>*/</style>", "<!DOCTYPE html><style>/**/a{}/**/</style>"),
        ("<title>a &lt; b</title>", "<!DOCTYPE html><title>a &lt; b</title>"),
        ("<p xml:lang='de'>a<![CDATA[<b>&]]></p>", #"<!DOCTYPE html><p xml:lang='de' lang="de">a&lt;b&gt;&amp;</p>"#),
        ("<svg:svg xmlns:svg='x'><svg:g/></svg:svg>", "<!DOCTYPE html><svg xmlns:svg='x'><g></g></svg>"),
        (
            "<textarea/><img src='a.png'/>",
            #"<!DOCTYPE html><textarea></textarea><img data-sbfs-missing-src="https://a.test/dir/a.png"/>"#
        ),
        ("<_x a='><img onerror=y>'/>z", "<!DOCTYPE html>z"),
    ])
    func `XHTML becomes HTML that reads the same`(page: String, expected: String) throws {
        #expect(try Rewriting.page(page, syntax: .xhtml) == expected)
    }
}
