import TestSupport
import Testing

@testable import Capture

/// Dialogs that cover a page, its scroll lock, and heights that follow its window; with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct CoverTests {
    private static let article = "<main>" + String(repeating: "<p>The water wears the stones down.</p>", count: 60)
    private static let lock = "<style>body { overflow: hidden; height: 100% }</style>"
    private static let wall = """
        <div id=backdrop style="position:fixed;inset:0;background:#0008;z-index:9"></div>
        <div id=box role=dialog style="position:fixed;left:20%;top:30%;width:60%;height:40%;z-index:10">We use cookies</div>
        """

    /// Pages with something to hide: the text before the article, and the ids of what must be hidden.
    private static let covers: [String: (html: String, hidden: [String])] = [
        "/wall": (lock + wall, ["backdrop", "box"]),
        "/named": (
            #"<div id=c class="consent-layer" style="position:fixed;inset:0;background:#fff;z-index:9">Accept all</div>"#,
            ["c"]
        ),
        "/modal": ("<dialog id=d style='width:90%;height:90%'>Subscribe</dialog><script>d.showModal()</script>", ["d"]),
        "/shadow": (
            """
            <cmp-banner id=h></cmp-banner><script>h.attachShadow({mode: 'open'}).innerHTML =
            '<div id=s role=dialog style="position:fixed;inset:0;z-index:9">Cookies</div>'</script>
            """, ["s"]
        ),
        "/closed": (
            """
            <cookie-wall id=h style="display:block;height:0"></cookie-wall><script>h.attachShadow({mode: 'closed'}).innerHTML =
            '<div style="position:fixed;inset:0;z-index:9">Cookies</div>'</script>
            """, ["h"]
        ),
        "/plain-host": (
            lock
                + """
                <div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML =
                '<div style="position:fixed;inset:0;background:#0008"></div><div style="position:fixed;inset:20%">Cookies</div>'</script>
                """, ["h"]
        ),
        "/no-button": (
            lock
                + """
                <div id=backdrop style="position:fixed;inset:0;background:#0008;z-index:9"></div>
                <div id=box style="position:fixed;left:20%;top:30%;width:60%;height:40%;z-index:10;background:#fff"><h2>Subscribe to continue</h2></div>
                """, ["backdrop", "box"]
        ),
        "/late": (
            """
            <script>addEventListener('scroll', () => {
            if (!document.getElementById('box')) document.body.insertAdjacentHTML('afterbegin', `\(wall)`) })</script>
            """, ["backdrop", "box"]
        ),
    ]

    /// Pages on which nothing may be hidden.
    private static let plain: [String: String] = [
        "/header": "<header id=x style='position:fixed;top:0;left:0;right:0;height:80px'>Menu</header>" + article,
        "/app": "<div id=x class=modal-app style='position:fixed;inset:0;overflow:auto'>\(article)</main></div>",
        "/picture": "<div id=x style='position:fixed;inset:0;z-index:-1;background:red'></div>" + article,
        "/side": "<nav id=x role=navigation style='position:fixed;left:0;top:0;bottom:0;width:25%'>Pages</nav>"
            + article,
        "/bar": "<div id=x style='position:fixed;left:0;right:0;bottom:0;height:60px'>We use cookies</div>" + article,
    ]

    @Test func `what covers a page is hidden, its scroll lock released, and its lazy pictures are there`() throws {
        let picture =
            "<script>new IntersectionObserver((l, o) => { if (l[0].isIntersecting) { i.src = '/far.gif' } }).observe(i)</script>"
        let trial = try BrowserTrial(
            Self.covers.mapValues {
                "<!DOCTYPE html>\($0.html)\(Self.article)<img id=i width=9 height=9></main>\(picture)"
            })
        for (path, (_, hidden)) in Self.covers.sorted(by: { $0.key < $1.key }) {
            let page = try trial.render(path)
            #expect(page.coverCount == hidden.count, "\(path)")
            for id in hidden {
                let tag = try #require(Self.tag(page.text, id), "\(path) \(id)")
                #expect(tag.contains("data-sbfs-cover=") && tag.contains("display: none !important"), "\(path) \(tag)")
            }
            #expect(page.text.contains(#"src="/far.gif""#), "\(path)")
        }
        let locked = try trial.html("/wall")
        #expect(locked.contains(#"<body data-sbfs-locked="" style="overflow: visible !important;">"#))
        #expect(try #require(Self.tag(locked, "box")).contains("data-sbfs-cover=\"position:fixed;left:20%;top:30%"))
        try trial.end()
    }

    @Test func `bars, menus, pictures and the page itself are not hidden`() throws {
        let trial = try BrowserTrial(Self.plain.mapValues { "<!DOCTYPE html>" + Self.lock + $0 })
        for path in Self.plain.keys.sorted() {
            let page = try trial.render(path)
            #expect(page.coverCount == 0, "\(path)")
            #expect(!page.text.contains("data-sbfs-cover") && !page.text.contains("data-sbfs-bare"), "\(path)")
            // A long page that nothing scrolls is let go.
            #expect(page.text.contains("data-sbfs-locked") == (path != "/app"), "\(path)")
        }
        try trial.end()
    }

    @Test func `thousands of boxes that cover a page are all hidden`() throws {
        let box = "<div class=overlay style='position:fixed;inset:0'>x</div>"
        let rooted = "<x-wall class=overlay style='position:fixed;inset:0'></x-wall>"
        let script =
            "<script>for (const e of document.querySelectorAll('x-wall'))"
            + " e.attachShadow({mode: 'open'}).innerHTML = '<p>wall</p>'</script>"
        let trial = try BrowserTrial([
            "/plain": "<!DOCTYPE html>\(Self.article)</main>" + String(repeating: box, count: 3000),
            "/rooted": "<!DOCTYPE html>\(Self.article)</main>" + String(repeating: rooted, count: 3000) + script,
        ])
        for path in ["/plain", "/rooted"] { #expect(try trial.render(path).coverCount == 3000, "\(path)") }
        try trial.end()
    }

    @Test func `a page that is only locked scrolls, one that a box of its own scrolls stays`() throws {
        let bar = "<div style='position:fixed;left:0;right:0;bottom:0'><p>We use cookies</p><button>OK</button></div>"
        let trial = try BrowserTrial([
            "/bar": "<!DOCTYPE html><style>body { overflow: hidden }</style>\(Self.article)</main>\(bar)",
            "/fixed": "<!DOCTYPE html><body style='position:fixed;width:100%'>\(Self.article)</main>",
            "/box": "<!DOCTYPE html><body style='overflow:hidden;margin:0'><p>Menu<div style='height:100vh;"
                + "overflow:auto'>\(Self.article)</main></div><p>\(Self.article)</main>",
            "/short": "<!DOCTYPE html><body style='overflow:hidden'><p>The water wears the stones down.",
            // The window scrolls with html; body hides what stands beside it.
            "/html":
                "<!DOCTYPE html><html style='overflow-y:scroll'><body style='overflow:hidden'>\(Self.article)</main>",
            "/root": "<!DOCTYPE html><body style='overflow:hidden;margin:0'><x-s><template shadowrootmode=open><div "
                + "style='height:100vh;overflow:auto'>\(Self.article)</main></div></template></x-s><p>\(Self.article)</main>",
        ])
        let bar1 = try trial.render("/bar")
        #expect(bar1.coverCount == 0)
        #expect(bar1.text.contains(#"<body data-sbfs-locked="" style="overflow: visible !important;">"#))
        #expect(try trial.html("/fixed").contains("position: static !important"))
        for path in ["/box", "/short", "/html", "/root"] {
            #expect(try !trial.html(path).contains("data-sbfs-"), "\(path)")
        }
        try trial.end()
    }

    @Test func `shades and fades that came with a wall are hidden, a background is not`() throws {
        let dialog =
            "<div role=dialog style='position:fixed;top:20%;left:30%;width:40%;z-index:100'><p>Cookies?</p><button>OK</div>"
        let shade =
            "<!DOCTYPE html><style>body { overflow: hidden } body::before { content: ''; position: fixed; "
            + "inset: 0; background: rgba(0, 0, 0, .7); z-index: LEVEL }</style>\(Self.article)</main>\(dialog)"
        let lines = String(repeating: "<p>The water wears the stones down.</p>", count: 30)
        let wall = "<div class=paywall style='position:fixed;left:0;right:0;bottom:0;height:70vh'>Subscribe</div>"
        let fade = "position:absolute;bottom:0;left:0;right:0;height:200px;background:linear-gradient(transparent,#fff)"
        let cut =
            "<!DOCTYPE html><style>#cut { max-height: 300px; overflow: hidden; position: relative } "
            + "#cut::after { \(fade); STYLE }</style><article><h1>Stones</h1><div id=cut>\(lines)"
            + "<div id=fade style='\(fade)'></div><p id=end style='\(fade)'>The end</p></div></article>\(wall)"
        let trial = try BrowserTrial([
            "/shade": shade.replacing(text: "LEVEL", with: "99"),
            "/background": shade.replacing(text: "LEVEL", with: "-1"),
            "/fade": cut.replacing(text: "STYLE", with: ""),
            "/after": cut.replacing(text: "STYLE", with: "content: ''"),
        ])
        let page = try trial.html("/shade")
        #expect(page.contains(#"data-sbfs-bare="before""#))
        #expect(page.contains("[data-sbfs-bare~=before]::before"))
        #expect(try !trial.html("/background").contains("data-sbfs-bare"))
        let faded = try trial.html("/fade")
        #expect(try #require(Self.tag(faded, "fade")).contains("display: none !important"))
        #expect(try #require(Self.tag(faded, "end")).contains("data-sbfs-") == false)
        #expect(!faded.contains("data-sbfs-bare"))
        let after = try trial.html("/after")
        #expect(try #require(Self.tag(after, "cut")).contains(#"data-sbfs-bare="after""#))
        try trial.end()
    }

    @Test func `as it is, a page keeps what covers it`() throws {
        let trial = try BrowserTrial(["/wall": "<!DOCTYPE html>" + Self.lock + Self.wall + Self.article])
        var request = try trial.request("/wall")
        request.keepsCovers = true
        let page = try trial.browser.render(request)
        #expect(page.coverCount == 0 && !page.text.contains("data-sbfs-") && page.text.contains("<div id=\"box\""))
        try trial.end()
    }

    @Test func `a height that a script sets to the window's follows it, another does not`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <!DOCTYPE html><style>body { margin: 0 }</style><div id=a></div><div id=b style="height: 400px">b</div><script>
            const root = document.documentElement.style; root.setProperty('--fixed', '500px');
            const fit = () => {
              a.style.height = (innerHeight - 64) + 'px'; root.setProperty('--vh', innerHeight * 0.01 + 'px');
              root.setProperty('--app-height', innerHeight + 'px');
            }; fit(); addEventListener('resize', fit)
            </script>
            """
        ])
        let page = try trial.html("/page")
        #expect(page.contains(#"<div id="a" style="height: calc(-64px + 100vh);">"#))
        #expect(page.contains(#"<div id="b" style="height: 400px">"#))
        let root = try #require(page.firstMatch(of: /<html[^>]*style="([^"]*)"/)).1
        #expect(
            root.contains("--vh: 1vh;") && root.contains("--app-height: 100vh;") && root.contains("--fixed: 500px;"),
            "\(root)")
        try trial.end()
    }

    @Test func `a drawing by WebGL is a picture`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <canvas id=c width=20 height=10></canvas><canvas id=d width=20 height=10></canvas><p id=p></p><script>
            const g = c.getContext('webgl'), plain = d.getContext('2d'); p.textContent = g ? 'drawn' : 'no WebGL';
            if (g) { g.clearColor(1, 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT) }
            plain.fillStyle = 'rgb(255 0 0)'; plain.fillRect(0, 0, 20, 10)
            </script>
            """
        ])
        let page = try trial.render("/page")
        #expect(page.text.contains("<p id=\"p\">drawn</p>"))
        let pictures = ["c", "d"].map {
            Self.tag(page.text, $0)?.split(separator: "base64,").last?.prefix { $0 != "&" }
        }
        #expect(pictures[0] != nil && pictures[0] == pictures[1])
        #expect(page.notes == [])
        try trial.end()
    }

    /// The start tag of the element with an id.
    private static func tag(_ html: String, _ id: String) -> String? {
        html.split(separator: "<").first { $0.contains("id=\"\(id)\"") }.map { String($0.prefix { $0 != ">" }) }
    }
}
