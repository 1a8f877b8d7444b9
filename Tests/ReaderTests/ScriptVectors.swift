/// Ways in which a page, shown again, could run a script or make a request.
enum ScriptVectors {
    static let all: [String] = handlers + addresses + elements + broken

    /// Event handlers on elements that the reader keeps and on others.
    private static let handlers: [String] = {
        let tags = [
            "p", "a href=x", "img src=x", "b", "div", "td", "li", "svg", "video", "details open", "body", "time", "h2",
            "blockquote", "code", "bdo",
        ]
        let events = [
            "onclick", "onerror", "onload", "onmouseover", "ontoggle", "onfocus autofocus", "ONANIMATIONSTART",
        ]
        return tags.flatMap { tag in events.map { "<\(tag) \($0)=alert(1)>text" } }
    }()

    private static let addresses: [String] = [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "&#106;avascript:alert(1)", "javascript&colon;alert(1)", "\u{1}javascript:alert(1)", "vbscript:x",
        "data:text/html,<script>x</script>",
        "data:image/svg+xml,<svg onload=x>", "file:///etc/passwd", "blob:https://x/y", "filesystem:x", "view-source:x",
        "//evil.example/x", "intent:x", "about:blank",
        "\\\\evil\\x", "javascript://%0aalert(1)",
    ].flatMap { ["<a href=\"\($0)\">l</a>", "<img src=\"\($0)\">", "<blockquote cite=\"\($0)\">q</blockquote>"] }

    private static let elements: [String] = [
        "<script>alert(1)</script>", "<SCRIPT SRC=//x></SCRIPT>", "<script/x>alert(1)</script>",
        "<style>*{background:url(//x)}</style>",
        "<link rel=stylesheet href=//x>", "<meta http-equiv=refresh content='0;url=javascript:x'>", "<base href=//x>",
        "<iframe src=//x></iframe>",
        "<iframe srcdoc='<script>x</script>'></iframe>", "<object data=//x></object>", "<embed src=//x>",
        "<applet code=x></applet>",
        "<form action=//x><input type=submit></form>", "<button formaction=javascript:x>b</button>",
        "<input onfocus=x autofocus>",
        "<svg><script>alert(1)</script></svg>", "<svg><a xlink:href=javascript:x><text>t</text></a></svg>",
        "<svg><animate onbegin=x attributeName=x></svg>",
        "<svg><use href=data:x></svg>", "<svg><foreignObject><p onclick=x>t</p></foreignObject></svg>",
        "<svg><style><img src=x onerror=x></style></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "<math href=javascript:x>CLICK</math>",
        "<math><annotation-xml encoding=text/html><p onclick=x>t</p></annotation-xml></math>",
        "<video poster=//x><source src=//x onerror=x></video>",
        "<audio src=//x onerror=x>", "<template><script>x</script></template>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
        "<textarea><script>x</script></textarea>", "<xmp><script>x</script></xmp>", "<plaintext><script>x</script>",
        "<frameset onload=x><frame src=//x>",
        "<marquee onstart=x>m</marquee>", "<table background=javascript:x><tr><td>t</table>",
        "<p style='background:url(javascript:x)'>t",
        "<p style='width:expression(alert(1))'>t", "<bgsound src=x>", "<layer src=x></layer>",
        "<isindex action=javascript:x>", "<dialog open>d</dialog>",
        "<select onchange=x><option>o</select>", "<keygen onfocus=x autofocus>", "<portal src=//x></portal>",
        "<custom-element onclick=x>c</custom-element>",
    ]

    /// Markup that parsers read differently.
    private static let broken: [String] = [
        "<<script>alert(1)//<</script>", "<img \"\"\"><script>alert(1)</script>\">",
        "<scr<script>ipt>alert(1)</scr</script>ipt>", "<p title='</p><script>x</script>'>t",
        "<a title=\"`onmouseover=alert(1)\">t</a>", "<img alt=\"`><script>x</script>\" src=lost.png>",
        "<img alt='\" onerror=\"x' src=lost.png>",
        "<!--><script>alert(1)</script>-->", "<!-- --!><script>x</script>", "<![CDATA[<script>x</script>]]>",
        "<?xml <script>x</script> ?>",
        "<div><p><b><table><tr><b><td><img src=x onerror=x></b>", "<b><p><a href=x><p>y</a></b>",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
        "<math><mi//xlink:href=\"data:x,<script>alert(4)</script>\">",
        "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;img src=x onerror=x&#62;",
        "<p>\u{0}<scr\u{0}ipt>x</scr\u{0}ipt>", "<a href=\"x\"onclick=\"alert(1)\">t</a>",
        "<a/onclick=alert(1)/href=x>t</a>", "<p/onclick=x>t", "<img src=x:alert(1) onerror=eval(src)>",
        "<td>loose</td><tr><td>cell", "</article></main></body><script>x</script>",
        "<p id=\"x\" onclick\n=\nalert(1)>t", "<a href=x title=\"--><script>x</script>\">t</a>",
        "<pre>\n</pre><script>x</script>", "<title></title><img src=x onerror=x>",
        "<ul><p onclick=x>a<li>b<ol>c</ul>", "<a href=\"http://x\u{0}\" onclick=x>t</a>", "<li><h2><ul><li><p>t",
        "<ruby><rt><p>x<rp><script>y</script>",
    ]
}
