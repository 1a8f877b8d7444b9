import Glibc
import TestSupport
import Testing
import URLs

@testable import Capture

/// With the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct RenderingTests {
    /// One transparent pixel, as GIF.
    private static let picture: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0, 0,
        0,
        0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

    @Test func `a picture above the limit that the browser gave up on is known as too large`() throws {
        let trial = try BrowserTrial(["/": "<img src=/big.png><p>x"]) { _ in
            // The connection ends before the announced bytes are there.
            .raw(
                Array("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 9000000\r\n\r\n".utf8)
                    + [UInt8](repeating: 0x20, count: 2 << 20))
        }
        var request = try trial.request("/")
        request.limits.bodyBytes = 1 << 20
        let page = try trial.browser.render(request)
        guard case .missing(.tooLarge)? = page.resources[trial.server.address("/big.png")]?.body else {
            Issue.record("\(String(describing: page.resources))")
            return
        }
        try trial.end()
    }

    @Test func `changes by scripts are in the markup`() throws {
        let trial = try BrowserTrial([
            "/made": """
            <!DOCTYPE html><title>before</title><p id=p></p><noscript><img src=n.png></noscript>
            <script>document.title = 'after'; p.textContent = 'made & done'</script>
            """,
            "/form": """
            <input id=t><input id=s type=password><input id=c type=checkbox><select id=l><option>1<option>2</select>
            <textarea id=a>old</textarea><script>t.value = 'typed'; s.value = 'secret'; c.checked = true;
            l.selectedIndex = 1; a.value = 'new'</script>
            """,
            "/sheets": """
            <style id=s>p { color: red }</style><style id=o>p { color: red }</style><p>x</p><script>
            s.sheet.insertRule('q { color: blue }', 0);
            const a = new CSSStyleSheet(); a.replaceSync('b { color: green; content: "</style>" }');
            document.adoptedStyleSheets = [a]</script>
            """,
            "/shadow": """
            <div id=o></div><div id=c></div><script>
            o.attachShadow({mode: 'open'}).innerHTML = '<i>open</i>';
            const r = c.attachShadow({mode: 'closed'}); r.innerHTML = '<input>'; r.firstChild.value = 'deep'</script>
            """,
            "/drawn": """
            <canvas id=c width=20 height=10></canvas><img id=i><script>
            c.getContext('2d').fillRect(0, 0, 20, 10);
            c.toBlob(b => { i.src = URL.createObjectURL(b) })</script>
            """,
            "/frames": "<iframe src=/inner></iframe><iframe srcdoc='<p>doc</p>'></iframe>",
            "/inner": "<title>inner</title><p>inside</p>",
        ])
        let made = try trial.render("/made")
        #expect(made.title == "after")
        #expect(made.text.hasPrefix("<!DOCTYPE html>"))
        #expect(made.text.contains("<p id=\"p\">made &amp; done</p><noscript><img src=n.png></noscript>"))
        #expect(made.notes == [])

        let form = try trial.html("/form")
        #expect(form.contains(#"<input id="t" value="typed">"#))
        #expect(form.contains(#"<input id="c" type="checkbox" checked="">"#))
        #expect(form.contains(#"<option>1</option><option selected="">2"#))
        #expect(form.contains(">new</textarea>"))
        #expect(!form.contains("value=\"secret\""))

        let sheets = try trial.html("/sheets")
        #expect(sheets.contains("<style id=\"s\">q { color: blue; }\np { color: red; }</style>"))
        #expect(sheets.contains("<style id=\"o\">p { color: red }</style>"))
        #expect(sheets.contains(#"<style>b { color: green; content: "<\/style>"; }</style>"#))

        let shadow = try trial.html("/shadow")
        #expect(shadow.contains(#"<template shadowrootmode="open"><i>open</i></template>"#))
        #expect(shadow.contains(#"<template shadowrootmode="closed"><input value="deep"></template>"#))

        let drawn = try trial.html("/drawn")
        #expect(drawn.contains("background-image: url(&quot;data:image/png;base64,"))
        #expect(drawn.contains(#"<img id="i" src="data:image/png;base64,"#))

        let frames = try trial.render("/frames")
        #expect(frames.text.contains(#"<iframe src="/inner" data-sbfs-frame="0">"#))
        #expect(frames.text.contains(#"data-sbfs-frame="1""#))
        #expect(frames.frames.map(\.url) == [trial.server.address("/inner"), "about:srcdoc"])
        #expect(
            frames.frames.map { String(decoding: $0.document?.html ?? [], as: UTF8.self).contains("<p>") } == [
                true, true,
            ])
        try trial.end()
    }

    @Test func `bodies come from the browser, and nothing is requested twice`() throws {
        let trial = try BrowserTrial([
            "/page": "<link rel=stylesheet href=/moved.css><img src=/a.gif><img loading=lazy src=/a.gif><p>text</p>"
        ]) { request in
            switch request.path {
            case "/moved.css": .redirect("/real.css")
            case "/real.css":
                .text("p { background: url(bg.png) } /* é */", fields: ["Content-Type: text/css; charset=utf-8"])
            case "/a.gif": .whole(fields: ["Content-Type: image/gif"], body: Self.picture)
            default: .text("no", status: 404, fields: ["Content-Type: text/html"])
            }
        }
        let page = try trial.render("/page")
        let sheet = try #require(page.resources[trial.server.address("/moved.css")])
        #expect(sheet.finalURL == trial.server.address("/real.css"))
        guard case .text(let text) = sheet.body else { return #expect(Bool(false)) }
        #expect(String(decoding: text, as: UTF8.self) == "p { background: url(bg.png) } /* é */")
        guard case .bytes(let image)? = page.resources[trial.server.address("/a.gif")]?.body else {
            return #expect(Bool(false))
        }
        #expect(image == Self.picture)
        #expect(page.resources[trial.server.address("/bg.png")]?.status == 404)
        let targets = trial.server.targets.filter { $0 != "/favicon.ico" }
        #expect(Set(targets).count == targets.count)
        try trial.end()
    }

    @Test func `private addresses are out of the page's reach`() throws {
        let secret = try TestServer { _ in .text("secret", fields: ["Access-Control-Allow-Origin: *"]) }
        let port = secret.port
        let trial = try BrowserTrial([
            "/page": """
            <p id=p>text</p><img src="http://127.0.0.1:\(port)/i"><iframe src="http://localhost:\(port)/f"></iframe>
            <link rel=preconnect href="http://127.0.0.1:\(port)"><script>
            new WebSocket('ws://127.0.0.1:\(port)/w'); navigator.sendBeacon('http://127.0.0.1:\(port)/b');
            fetch('http://[::1]:\(port)/s').then(r => r.text()).then(t => { p.textContent = t })</script>
            """
        ]) { request in request.path == "/away" ? .redirect("http://127.0.0.1:\(port)/x") : .text("no", status: 404) }
        let page = try trial.render("/page")
        #expect(page.text.contains("<p id=\"p\">text</p>"))
        #expect(page.notes.contains(.refused(HostPort(host: "127.0.0.1", port: port))))
        guard case .missing(.refused)? = page.resources["http://127.0.0.1:\(port)/i"]?.body else {
            return #expect(Bool(false))
        }
        #expect(throws: BrowserFailure.refused(url: "http://127.0.0.1:\(port)/x")) { _ = try trial.render("/away") }
        #expect(secret.connectionCount == 0)
        try trial.end()
        secret.close()
    }

    @Test func `scripts and answers without end do not keep it`() throws {
        let trial = try BrowserTrial([
            "/loop": "<p>before</p><script>for (;;);</script>",
            "/dialog": "<p>text</p><script>alert(1); confirm(2)</script>",
            "/drip": "<p>text</p><img src=/endless>",
        ]) { request in
            request.path != "/endless"
                ? .text("no", status: 404)
                : .stream { connection in
                    _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
                    _ = connection.waitForClose(milliseconds: 60_000)
                }
        }
        let loop = try trial.render("/loop")
        #expect(loop.text.contains("<p>before</p>"))
        #expect(loop.notes.contains(.scriptStopped))
        #expect(try trial.render("/dialog").notes.contains(.dialogDismissed))
        let drip = try trial.render("/drip", within: .seconds(12))
        #expect(drip.notes.contains(.loadNeverFired))
        guard case .missing(.unfinished)? = drip.resources[trial.server.address("/endless")]?.body else {
            return #expect(Bool(false))
        }
        try trial.end()
    }

    @Test func `a document that the server is still sending is taken, and known to be unfinished`() throws {
        let trial = try BrowserTrial(["/whole": "<p>whole<img src=/endless>"]) { request in
            .stream { connection in
                let type = request.path == "/endless" ? "image/png" : "text/html"
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n<p>first</p>")
                while connection.send("<p>next</p>"), !connection.waitForClose(milliseconds: 500) {}
            }
        }
        let part = try trial.render("/part", within: .seconds(8))
        #expect(part.isUnfinished && part.text.contains("first"))
        #expect(try !trial.render("/whole", within: .seconds(8)).isUnfinished)
        try trial.end()
    }

    @Test func `an answer that is not HTML is given as it came`() throws {
        let trial = try BrowserTrial(["/x": "<p>x</p>"]) { request in
            switch request.path {
            case "/text": .text("plain", fields: ["Content-Type: text/plain"])
            case "/zip": .text("PK\u{5}\u{6}", fields: ["Content-Type: application/zip"])
            case "/xhtml":
                .text(
                    #"<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>a<br/></p><div/>b</body></html>"#,
                    fields: ["Content-Type: application/xhtml+xml"])
            default: .text("gone", status: 410, fields: ["Content-Type: text/html"])
            }
        }
        let text = try trial.render("/text")
        #expect(text.document == nil)
        #expect(text.contentType == "text/plain")
        #expect(text.body == Array("plain".utf8))
        let zip = try trial.render("/zip")
        #expect(zip.document == nil)
        #expect(zip.contentType == "application/zip")
        #expect(try trial.html("/xhtml").contains("<p>a<br></p><div></div>b"))
        let gone = try trial.render("/gone")
        #expect(gone.status == 410)
        #expect(gone.text.contains("gone"))
        try trial.end()
    }

    @Test func `cookies go to their own host and last for one page`() throws {
        let trial = try BrowserTrial([:]) {
            .text("<p>[\($0.fields["cookie"] ?? "")]</p>", fields: ["Content-Type: text/html"])
        }
        var request = try trial.request("/a")
        request.cookies = [
            Cookie(name: "sid", value: "1", domain: "127.0.0.1", isHostOnly: true),
            Cookie(name: "other", value: "2", domain: "example.org", isHostOnly: true),
            // The browser refuses this name, but must keep the other cookies.
            Cookie(name: "a\u{1};b", value: "3", domain: "127.0.0.1", isHostOnly: true),
        ]
        #expect(try trial.browser.render(request).text.contains("[sid=1]"))
        #expect(try trial.html("/b").contains("[]"))
        try trial.end()
    }

    @Test func `a page in UTF-8 that says so nowhere is read as such, another is not`() throws {
        let trial = try BrowserTrial([
            "/page": "<title>Größe</title><h1>Größe</h1><p>„schön“, 日本語</p><script>document.title += '.'</script>"
        ]) { request in
            request.path == "/old"
                ? .whole(
                    fields: ["Content-Type: text/html"], body: Array("<p>Gr".utf8) + [0xF6, 0xDF] + Array("e".utf8))
                : .text("nothing", status: 404, fields: ["Content-Type: text/plain"])
        }
        let page = try trial.render("/page")
        #expect(page.title == "Größe." && page.text.contains("„schön“, 日本語"), "\(page.text)")
        #expect(try trial.html("/old").contains("Größe"))
        #expect(trial.server.targets.filter { $0 == "/page" }.count <= 2)
        #expect(trial.server.targets.filter { $0 == "/old" }.count == 1)
        try trial.end()
    }

    @Test func `boxes that are shown only while they are in the window are shown`() throws {
        let boxes = (0..<5).map { "<section id=s\($0) class=box><h2>Part \($0)</h2><p>Its text.</p></section>" }
        let trial = try BrowserTrial([
            "/page": """
            <!DOCTYPE html><style>section { height: 700px; opacity: 0; transform: translateY(50px) } .in { opacity: 1; transform: none }
            .show div { position: absolute; opacity: 0 } .show .on { opacity: 1 }</style>
            <div class=show><div class=on>Slide one</div><div id=two>Slide two</div></div>\(boxes.joined())<script>
            const o = new IntersectionObserver(l => { for (const e of l) e.target.classList.toggle('in', e.isIntersecting) });
            for (const e of document.querySelectorAll('section')) o.observe(e);
            </script>
            """
        ])
        let page = try trial.html("/page")
        let tags = page.split(separator: "<").filter { $0.hasPrefix("section") }
        #expect(tags.count == 5)
        for tag in tags where !tag.contains("class=\"box in\"") {
            #expect(tag.contains("opacity: 1 !important"), "\(tag)")
        }
        #expect(page.contains("<div id=\"two\">"))
        try trial.end()
    }

    @Test func `a browser that is killed has died, and leaves nothing`() throws {
        let trial = try BrowserTrial(["/page": "<p>x</p>"])
        for process in FakeBrowser.processes(naming: trial.folder.path) {
            if let number = pid_t(process.dropFirst(8)) { kill(number, SIGKILL) }
        }
        let failure = #expect(throws: BrowserFailure.self) { _ = try trial.render("/page") }
        guard case .died? = failure else { return #expect(Bool(false)) }
        #expect(FakeBrowser.processes(naming: trial.folder.path) == [])
        try trial.end()
    }

    @Test func `a page does not see the scale at which it is drawn`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <body style="margin:0"><div id=d style="width:50%;height:100vh"></div><p id=p></p>
            <iframe src="/inner" style="width:400px;height:300px"></iframe><script>
            const size = r => [r.width, r.height].join('x');
            new IntersectionObserver(([e]) => {
              p.textContent = ['page', size(e.boundingClientRect), size(e.rootBounds), innerWidth, innerHeight, outerWidth,
                devicePixelRatio, visualViewport.scale, matchMedia('(resolution: 1dppx)').matches].join(' ');
            }).observe(d)
            </script>
            """,
            "/inner": """
            <p id=p></p><script>p.textContent = ['inner', innerWidth, innerHeight, devicePixelRatio].join(' ')</script>
            """,
        ])
        let page = try trial.render("/page")
        #expect(page.text.contains("page 640x800 1280x800 1280 800 1280 1 1 true"), "\(page.text)")
        let inner = page.frames.compactMap { $0.document.map { String(decoding: $0.html, as: UTF8.self) } }
        #expect(inner.contains { $0.contains("inner 400 300 1") }, "\(inner)")
        try trial.end()
    }
}
