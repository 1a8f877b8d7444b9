import Glibc
import TestSupport
import Testing

@testable import Capture

/// What a capture waits for, with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct WaitingTests {
    @Test func `a worker's requests are waited for, and its own script does not keep the page busy`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <p id=p></p><script>new Worker('/worker.js').onmessage = e => { p.textContent = e.data }</script>
            """,
            "/shared": "<p>text</p><script>new SharedWorker('/shared.js')</script>",
        ]) { request in
            switch request.path {
            case "/worker.js":
                return .text(
                    "new Worker('/nested.js').onmessage = e => postMessage(e.data)",
                    fields: ["Content-Type: text/javascript"])
            case "/nested.js":
                return .text(
                    "fetch('/late').then(r => r.text()).then(postMessage)", fields: ["Content-Type: text/javascript"])
            case "/late":
                usleep(900_000)
                return .text("from the worker", fields: ["Content-Type: text/plain"])
            default: return .text("", fields: ["Content-Type: text/javascript"])
            }
        }
        let page = try trial.render("/page")
        #expect(page.text.contains("<p id=\"p\">from the worker</p>"))
        #expect(page.notes == [])
        #expect(try trial.render("/shared").notes == [])
        try trial.end()
    }

    @Test func `a page that says that it is loading is waited for after it has become quiet`() throws {
        let script =
            "<script>setTimeout(() => { r.innerHTML = '<p>' + 'The text is here. '.repeat(40) }, 1600)</script>"
        let trial = try BrowserTrial([
            "/word": "<!DOCTYPE html><header>The Paper</header><div id=r><p>Loading…</p></div>" + script,
            "/other": "<!DOCTYPE html><body id=r>読み込み中です" + script,
            "/blank": "<!DOCTYPE html><nav><a href=/>Home</a></nav><div id=app><main id=r></main></div>" + script,
            "/bones": "<!DOCTYPE html><div id=r><div class=card-skeleton style='height:90px;width:300px'></div></div>"
                + script,
            "/busy": "<!DOCTYPE html><h1>News</h1><div id=r aria-busy=true style='height:90px'></div>"
                + "<script>setTimeout(() => fetch('/data').then(() => { r.innerHTML = '<p>'"
                + " + 'The text is here. '.repeat(40); r.ariaBusy = null }), 1600)</script>",
        ])
        for path in ["/blank", "/bones", "/busy", "/other", "/word"] {
            let page = try trial.render(path)
            #expect(page.text.contains("The text is here."), "\(path)")
            #expect(!page.isUnfinished, "\(path)")
        }
        try trial.end()
    }

    @Test func `a page that goes on saying that it is loading is unfinished, one with a text is not`() throws {
        let text = "<p>" + String(repeating: "The text is here. ", count: 40)
        let script = "<script>let n = 0</script>"
        let trial = try BrowserTrial([
            "/never": "<!DOCTYPE html><div id=root><p>Chargement en cours</p></div>\(script)",
            "/text": "<!DOCTYPE html><nav hidden>\(text)\(text)</nav><main>\(text)<div class=loading>Loading comments"
                + "</div></main>\(script)",
            "/short": "<!DOCTYPE html><p>Loading docks of the harbour are closed on the day of the feast, they say</p>"
                + "\(script)",
            "/picture": "<!DOCTYPE html><body style='background: url(/a.gif)'>\(script)",
        ])
        #expect(try trial.render("/never").isUnfinished)
        for path in ["/text", "/short", "/picture"] { #expect(try !trial.render(path).isUnfinished, "\(path)") }
        try trial.end()
    }

    @Test func `a page with next to no text is waited for, one with something to show is not`() throws {
        let text = "<p>' + 'The text is here. '.repeat(40) + '</p>"
        let trial = try BrowserTrial([
            "/timer": "<!DOCTYPE html><title>T</title><h1>The mill</h1><div id=r></div>"
                + "<script>setTimeout(() => { r.innerHTML = '\(text)' }, 1600)</script>",
            "/asked":
                "<!DOCTYPE html><title>T</title><h1>The mill</h1><p>By Ada Winter<div id=r></div><script>onload = () =>"
                + " setTimeout(() => fetch('/data').then(() => { r.innerHTML = '\(text)' }), 700)</script>",
            "/form":
                "<!DOCTYPE html><h1>The mill</h1><input><p id=r></p><script>setTimeout(() => { r.id = 'late' }, 15000)</script>",
            "/picture": "<!DOCTYPE html><svg width=500 height=500></svg><p id=r></p>"
                + "<script>setTimeout(() => { r.id = 'late' }, 15000)</script>",
        ])
        for path in ["/timer", "/asked"] {
            var request = try trial.request(path)
            request.limits.scantPatience = .seconds(20)
            let page = try trial.browser.render(request)
            #expect(page.text.contains("The text is here.") && !page.isUnfinished, "\(path)")
        }
        for path in ["/form", "/picture"] {
            var request = try trial.request(path)
            request.limits.scantPatience = .seconds(20)
            #expect(try trial.browser.render(request).text.contains("id=\"r\""), "\(path)")
        }
        try trial.end()
    }

    @Test func `the page behind a page that leads on is saved`() throws {
        let trial = try BrowserTrial([
            "/meta": "<!DOCTYPE html><meta http-equiv=refresh content='2; url=/there'><p>You are being redirected.",
            "/script":
                "<!DOCTYPE html><p>One second.</p><script>setTimeout(() => { location = '/there' }, 1200)</script>",
            "/clock": "<!DOCTYPE html><meta http-equiv=refresh content='4;url=/clock'><p>It is noon.",
            "/there": "<!DOCTYPE html><p>\(String(repeating: "The text is here. ", count: 40))",
        ])
        for path in ["/meta", "/script", "/clock"] {
            var request = try trial.request(path)
            request.limits.scantPatience = .seconds(20)
            let page = try trial.browser.render(request)
            #expect(page.text.contains(path == "/clock" ? "It is noon." : "The text is here."), "\(path)")
            #expect(page.finalURL.hasSuffix(path == "/clock" ? path : "/there"), "\(path)")
        }
        try trial.end()
    }

    @Test func `a page that works without a change is waited for`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <p id=p></p><script>
            const turns = new MessageChannel();
            let left = 40;
            turns.port1.onmessage = () => {
              for (const end = performance.now() + 15; performance.now() < end;);
              if (left--) turns.port2.postMessage(0); else p.textContent = 'worked';
            };
            onload = () => turns.port2.postMessage(0)
            </script>
            """
        ])
        #expect(try trial.html("/page").contains("<p id=\"p\">worked</p>"))
        try trial.end()
    }

    @Test func `the limit of requests holds for workers too`() throws {
        let trial = try BrowserTrial(["/page": "<p>text</p><script>new Worker('/worker.js')</script>"]) { request in
            request.path == "/worker.js"
                ? .text(
                    "(async () => { for (let i = 0; i < 60; i++) await fetch('/data?' + i).catch(() => {}) })()",
                    fields: ["Content-Type: text/javascript"])
                : .text("data", fields: ["Content-Type: text/plain"])
        }
        var request = try trial.request("/page")
        request.limits.requests = 20
        #expect(try trial.browser.render(request).notes.contains(.tooManyRequests(limit: 20)))
        #expect(trial.server.targets.count < 50)
        try trial.end()
    }

    @Test func `every part of a long page becomes visible, whether or not the page changes`() throws {
        let parts = (0..<30).map { "<div style='height:800px' id=d\($0)></div>" }.joined()
        let observer = """
            const seen = new IntersectionObserver(l => { for (const e of l) if (e.isIntersecting) see(e.target) });
            for (const e of document.querySelectorAll('div')) seen.observe(e)
            """
        let trial = try BrowserTrial([
            "/still": "\(parts)<script>const see = e => { new Image().src = '/seen?' + e.id }; \(observer)</script>",
            "/busy": "\(parts)<script>const see = e => { e.textContent = 'shown' }; \(observer)</script>",
        ])
        #expect(try trial.render("/still").notes == [])
        let seen = Set(trial.server.targets.filter { $0.hasPrefix("/seen") })
        #expect(seen == Set((0..<30).map { "/seen?d\($0)" }))
        #expect(try trial.html("/busy").split(separator: ">shown<").count == 31)
        try trial.end()
    }

    @Test func `a page's window loads no page of the browser's own`() throws {
        let trial = try BrowserTrial([:])
        let end = ContinuousClock.now + .seconds(60)
        let context = try trial.browser.call(
            "Target.createBrowserContext", [.init("disposeOnDetach", .bool(true))], until: end
        ).string("browserContextId")
        _ = try trial.browser.call(
            "Target.createTarget",
            [
                .init("url", .string("about:blank")), .init("browserContextId", .string(context ?? "")),
                .init("width", .integer(1280)), .init("height", .integer(800)),
            ], until: end)
        let targets = try trial.browser.call(
            "Target.getTargets", [.init("filter", .array([.object([])]))], until: end)
        let urls = targets.value("targetInfos").map(targets.document.elements)?.compactMap {
            targets.document.member("url", of: $0).flatMap(targets.document.string)
        }
        #expect(Set(urls ?? []) == ["about:blank"])
        try trial.end()
    }
}
