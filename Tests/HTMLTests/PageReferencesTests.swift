import HTML
import Testing

struct PageReferencesTests {
    @Test(arguments: [
        ("<img src=a srcset='b 1x, c 2x'>", "image a, image b, image c"),
        ("<picture><source srcset=a><img src=b></picture>", "image a, image b"),
        ("<video src=a poster=b><track src=c><source src=d></video>", "media a, poster b, track c, media d"),
        (
            "<link rel='shortcut icon' href=a><link rel=apple-touch-icon href=b><link rel=mask-icon href=c>",
            "icon a, icon b, icon c"
        ),
        ("<link rel=stylesheet href=a><link rel='alternate stylesheet' href=b>", "styleSheet a, styleSheet b"),
        ("<link rel=preload href=a><link rel=canonical href=b><link rel=manifest href=c>", ""),
        ("<link rel=preload as=style href=a onload=\"this.rel='stylesheet'\">", "styleSheet a"),
        ("<style>@import 'a';@font-face{src:url(b)}c{d:url(e)}</style>", "importedStyleSheet a, font b, image e"),
        ("<p style=\"--x:url(a);mask:url(b)\">", "mask a, mask b"),
        (
            "<svg><use href=a#b /><image xlink:href=c /><feImage href=d /><rect mask='url(e#f)'/></svg>",
            "sprite a#b, image c, image d, mask e#f"
        ),
        ("<iframe src=a></iframe><iframe srcdoc='<img src=b>'></iframe>", "frame a, image b"),
        ("<frameset><frame src=a></frameset>", "frame a"),
        ("<object data=a></object><embed src=b>", "object a, object b"),
        ("<input type=image src=a><input src=b>", "image a"),
        ("<body background=a><table background=b><td background=c>", "image a, image b, image c"),
        (
            "<meta property=og:image content=a><meta name=twitter:image content=b><meta name=x content=c>",
            "metaImage a, metaImage b"
        ),
        ("<img data-src=a><img src=data:image/gif;base64,x data-original=b>", "image a, image b"),
        ("<img src=real.png data-src=b>", "image real.png"),
        ("<noscript><img src=a></noscript>", "image a"),
        ("<template shadowrootmode=open><img src=a><style>b{c:url(d)}</style></template>", "image a, image d"),
        ("<img src=a><base href=/other/><base href=/x/>", "image ../other/a"),
        ("<a href=a><form action=b><blockquote cite=c><script src=d></script>", ""),
        ("<img src='data:image/png,x'><img src=javascript:x><img src=file:///etc/passwd><img src=blob:x>", ""),
        ("<img src='a&amp;b'><img src='a&copy=1'>", "image a&b, image a&copy=1"),
        ("<img src='https://['>", ""), ("<!-- <img src=a> --><title><img src=b></title>", ""),
        ("<link rel=stylesheet href=a media=print onload=\"this.media='all'\">", "styleSheet a"),
    ])
    func `the references of a page are found in order`(page: String, expected: String) throws {
        let wanted = expected.split(separator: ", ").map { entry -> String in
            let parts = entry.split(separator: " ")
            let path =
                parts[1].hasPrefix("../") ? "https://a.test/" + parts[1].dropFirst(3) : "https://a.test/dir/" + parts[1]
            return parts[0] + " " + path
        }
        #expect(try Rewriting.references(page) == wanted)
    }

    @Test func `a page whose scripts ran has no noscript and no late images`() throws {
        let page = "<noscript><p>Please</p></noscript><img data-src=b><iframe data-sbfs-frame=3></iframe>"
        #expect(try Rewriting.references(page, hasRunScripts: true) == ["frame about:blank"])
        #expect(
            try Rewriting.page(page, hasRunScripts: true, otherwise: .file("f.html"))
                == #"<img data-src=b><iframe src="f.html" sandbox="allow-same-origin"></iframe>"#)
    }

    @Test(arguments: [
        // Shown nowhere else, so it would be lost.
        ("<noscript><img src=a></noscript>", ["image https://a.test/dir/a"]),
        ("<noscript> <a href=x><picture><img src=a></picture></a> </noscript>", ["image https://a.test/dir/a"]),
        ("<noscript><div><span><img src=a></span></div></noscript>", ["image https://a.test/dir/a"]),
        // A script has replaced it.
        ("<img src=a><noscript><img src=a></noscript>", ["image https://a.test/dir/a"]),
        ("<noscript><img src=a></noscript><img src=./a>", ["image https://a.test/dir/a"]),
        // Not only a picture, or a counting pixel.
        ("<noscript>No script? <img src=a></noscript>", []),
        ("<noscript><img src=a width=1 height=1></noscript>", []),
        ("<noscript><img src=a style='display: none'></noscript>", []),
        ("<noscript><iframe src=a></iframe><img src=b></noscript>", []),
    ])
    func `a picture only in noscript is kept after scripts have run`(page: String, expected: [String]) throws {
        #expect(try Rewriting.references(page, hasRunScripts: true) == expected)
    }

    @Test func `an icon has the attributes of its link`() throws {
        let context = PageContext(url: try Rewriting.url("https://a.test/"))
        let page = "<link rel='Shortcut  ICON' href=i sizes='16x16 32x32' type=image/png>"
        let icon = PageRewriting.references(of: Array(page.utf8), context).references.first?.icon
        #expect(icon?.relation == "shortcut icon")
        #expect(icon?.sizes == "16x16 32x32")
        #expect(icon?.type == "image/png")
    }

    @Test func `references are at the start of their tags`() throws {
        let context = PageContext(url: try Rewriting.url("https://a.test/"))
        let page = "ab<img src=x><style>p{q:url(r)}</style><iframe srcdoc='  <img src=y>'></iframe>"
        #expect(PageRewriting.references(of: Array(page.utf8), context).references.map(\.offset) == [2, 20, 39])
    }
}
