import Characters
import Glibc
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import Capture

/// Captures of whole pages with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct RenderedPageTests {
    private static let text = (0..<12).map {
        "<p>Stone \($0) lay in the bed of the river, and the water went over it in spring and in autumn.</p>"
    }.joined()

    /// Saves the page of a server with the browser.
    private func capture(
        _ server: TestServer, path: String = "/", begin: (String) -> Void = { _ in }
    ) throws -> PageTrial {
        try PageTrial(server, path: path, seconds: 60) { order in
            order.browser = "auto"
            begin(order.folder)
            // As root, the browser runs as another user, who must reach its profile.
            let folder = order.folder.dropLast("/archive".count)
            chmod(String(folder), 0o711)
            mkdir(folder + "/browsers", 0o711)
        }
    }

    @Test func `an answer without content is no page`() throws {
        let server = try TestServer {
            .text("", status: $0.path == "/none" ? 204 : 200, fields: ["Content-Type: text/html"])
        }
        defer { server.close() }
        for path in ["/", "/none"] {
            let report = try capture(server, path: path).report
            #expect(report.status == .failed && report.kind == .brokenAnswer, "\(path) \(report)")
        }
    }

    @Test(arguments: [(403, "application/json"), (404, "text/plain"), (500, "application/xml")])
    func `an error that is no HTML is no document`(status: Int, type: String) throws {
        let server = try TestServer { _ in .text("{}", status: status, fields: ["Content-Type: \(type)"]) }
        defer { server.close() }
        let trial = try capture(server)
        #expect(trial.report.status == .failed && trial.report.kind == .http(status), "\(trial.report)")
        #expect(try trial.names.isEmpty)
    }

    @Test func `a page that its scripts leave empty is no full page`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html("<title>Shop</title><div id=root>Loading…</div><script>root.textContent = ''</script>")
            case "/error":
                .html(
                    "<title>Shop</title><div id=root></div><script>root.innerHTML = '<h2>Application error: a client-side"
                        + " exception has occurred (see the browser console).</h2>'</script>")
            default: .missing
            }
        }
        defer { server.close() }
        #expect(try capture(server).report.kind == .emptyPage)
        #expect(try capture(server, path: "/error").report.kind == .errorPage)
    }

    @Test func `a page whose answer breaks off is a part of one`() throws {
        let page = "<title>T</title><main><h1>T</h1>" + Self.text
        let server = try TestServer { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90000\r\nConnection: close\r\n\r\n"
                    + page)
        }
        defer { server.close() }
        let trial = try capture(server)
        #expect(trial.report.status == .partial && trial.report.kind == .brokenAnswer, "\(trial.report)")
        #expect(try trial.scratch.text("archive/reader.html").contains("Stone 11"))
    }

    @Test func `text that is not shown is not in the article, what can be opened is`() throws {
        let server = try TestServer { _ in
            .html(
                """
                <title>T</title><style>.off { display: none } .blank { visibility: hidden }</style><main><h1>T</h1>
                \(Self.text)<p class=off>Never displayed, to nobody, on no day.</p><p class=blank>Never visible, to nobody.</p>
                <details><summary>More</summary><p>Folded away, but to be opened by readers.</p></details>
                <p hidden=until-found>Found by searching, and shown when it is found.</p>
                <button aria-controls=x>Show</button><div id=x class=off><p>Behind a button, and shown by pressing it.</p></div>
                \(Self.text)</main>
                """)
        }
        defer { server.close() }
        let trial = try capture(server)
        let reader = try trial.scratch.text("archive/reader.html")
        #expect(!reader.contains("Never displayed") && !reader.contains("Never visible"))
        for words in ["Folded away", "Found by searching", "Behind a button", "Stone 11"] {
            #expect(reader.contains(words), "\(words)")
        }
        #expect(try trial.page.contains("Never displayed") && !trial.page.contains("data-sbfs-unseen"))
    }

    @Test func `drawings are pictures in the article, as they look in the page`() throws {
        let server = try TestServer { _ in
            .html(
                """
                <title>T</title><style>.line { fill: none; stroke: rgb(1, 2, 3) } .icon { width: 20px; height: 20px }</style>
                <main><h1>T</h1>\(Self.text)<figure><svg width=300 height=150><path class=line d="M0 0L9 9"/><path d="M0 9"/>
                <foreignObject width=90 height=20><p class=line>Label</p></foreignObject></svg>
                <figcaption>Levels</figcaption></figure><p><svg class=icon viewBox="0 0 512 512"><rect width=9 height=9 /></svg> Note</p>
                <canvas id=c width=300 height=150></canvas>\(Self.text)</main>
                <script>const d = c.getContext('2d'); d.fillRect(10, 10, 100, 100)</script>
                """)
        }
        defer { server.close() }
        let trial = try capture(server)
        let reader = try trial.scratch.text("archive/reader.html")
        let pictures = reader.split(separator: "<").filter { $0.hasPrefix("img ") }
        #expect(
            pictures.count == 2 && pictures.allSatisfy { $0.contains("width=\"300\" height=\"150\"") }, "\(pictures)")
        #expect(pictures.last?.hasPrefix("img src=\"data:image/png;base64,") == true)
        let file = try #require(pictures.first?.split(separator: "base64,").last?.prefix { $0 != "\"" })
        let drawing = String(decoding: try #require(Base64.decodedAsInBrowsers(Array(file.utf8))), as: UTF8.self)
        #expect(drawing.contains("d=\"M0 0L9 9\" style=\"fill:none;stroke:rgb(1, 2, 3)\""), "\(drawing)")
        #expect(drawing.contains("<path d=\"M0 9\">"), "\(drawing)")
        #expect(drawing.contains("dominant-baseline=\"central\">Label"), "\(drawing)")
        let page = try trial.page
        #expect(page.contains("<svg width=\"300\" height=\"150\">") && !page.contains("data-sbfs-s"))
    }

    @Test func `the text in a frame that a browser rendered is the article`() throws {
        let server = try TestServer { request in
            request.path == "/in"
                ? .html("<title>In</title><div id=d></div><script>d.innerHTML = `\(Self.text)`</script>")
                : .html("<title>T</title><header>The valley</header><iframe src=/in width=800 height=600></iframe>")
        }
        defer { server.close() }
        let trial = try capture(server)
        #expect(try trial.scratch.text("archive/reader.html").contains("Stone 11 lay in the bed"))
        #expect(trial.report.title == "T")
    }

    @Test func `text in the slots of a component is in the article`() throws {
        let server = try TestServer { _ in
            .html(
                """
                <title>T</title><my-page><h1 slot=head>Stones</h1>\(Self.text)</my-page><my-box>\(Self.text)</my-box>
                <script>for (const e of document.querySelectorAll('my-page,my-box')) e.attachShadow({mode: 'open'}).innerHTML =
                '<style>main { margin: 1em }</style><main><slot name=head></slot><slot>No text</slot></main>'</script>
                """)
        }
        defer { server.close() }
        let reader = try capture(server).scratch.text("archive/reader.html")
        #expect(reader.contains("Stone 1 lay") && reader.contains("Stone 11 lay"))
    }

    @Test func `a page whose process ends is fetched without the browser`() throws {
        let folder = Mutex("")
        let server = try TestServer { request in
            if request.path == "/slow.js" {
                Self.killRenderers(ofBrowserIn: folder.withLock { String($0.dropLast("/archive".count)) })
                return .text("", fields: ["Content-Type: text/javascript"])
            }
            return .html("<title>T</title><main><h1>T</h1>\(Self.text)</main><script src=/slow.js></script>")
        }
        defer { server.close() }
        let trial = try capture(server) { path in folder.withLock { $0 = path } }
        #expect(trial.report.capturedBy == "fetch" && trial.report.status == .full, "\(trial.report)")
        #expect(try trial.page.contains("Stone 11 lay"))
    }

    /// Ends the processes of pages of the browser whose profile is in a folder.
    private static func killRenderers(ofBrowserIn folder: String) {
        let browsers = numbers(FakeBrowser.processes(naming: folder))
        for number in numbers(FakeBrowser.processes(naming: "--type=renderer")) where isBelow(browsers, number) {
            kill(number, SIGKILL)
        }
    }

    private static func numbers(_ processes: [String]) -> Set<pid_t> {
        Set(processes.compactMap { pid_t($0.dropFirst("process ".count)) })
    }

    private static func isBelow(_ ancestors: Set<pid_t>, _ process: pid_t) -> Bool {
        var number = process
        for _ in 0..<10 where number > 1 {
            if ancestors.contains(number) { return true }
            guard let file = fopen("/proc/\(number)/stat", "r") else { return false }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = fread(&buffer, 1, buffer.count, file)
            // The name in parentheses may hold spaces.
            let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: ")").last?
                .split(separator: " ")
            number = words.flatMap { $0.count > 1 ? pid_t($0[1]) : nil } ?? 0
        }
        return false
    }
}
