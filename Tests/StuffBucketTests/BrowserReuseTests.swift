import Glibc
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import StuffBucket

/// One worker, one browser, one page after the other; and a browser that dies between or in them.
@Suite(.enabled(if: Machine.runs("chromium") || Machine.runs("google-chrome"), "no browser is installed"))
struct BrowserReuseTests {
    private let scratch: ScratchDirectory
    private let worker: CaptureWorker

    init() throws {
        scratch = try ScratchDirectory()
        // As root, the browser runs as another user. It notes its process.
        chmod(scratch.path, 0o711)
        try scratch.makeDirectory("noted")
        chmod(scratch.full("noted"), 0o777)
        try scratch.write(
            "browser",
            "#!/bin/sh\necho $$ >>\(scratch.full("noted/processes"))\n"
                + "exec \"$(command -v chromium || command -v google-chrome)\" \"$@\"\n")
        try scratch.makeProgram("browser")
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
    }

    /// The browsers that were started, oldest first.
    private func browsers() -> [pid_t] {
        (try? scratch.text("noted/processes"))?.split(separator: "\n").compactMap { pid_t($0) } ?? []
    }

    /// A page whose text a script writes; `ask` is called for each request of a page.
    private func site(_ ask: @escaping @Sendable (String) -> Void = { _ in }) throws -> TestServer {
        try TestServer { request in
            ask(request.path)
            guard request.path.hasPrefix("/page") else { return .text("", status: 404) }
            return .text(
                "<!doctype html><title>Stones</title><p id=p></p><script>p.textContent = 'written by a script; '"
                    + " + (localStorage.seen || 'nothing seen') + '; ' + (document.cookie || 'no cookie');"
                    + "localStorage.seen = document.cookie = 'seen=before'</script>",
                fields: ["Content-Type: text/html"])
        }
    }

    private func capture(_ url: String, _ name: String) throws -> CaptureReport {
        try scratch.makeDirectory(name)
        var order = CaptureOrder(url: url, folder: scratch.full(name))
        order.access.allowsPrivate = true
        order.browser = scratch.full("browser")
        return try worker.capture(order)
    }

    @Test func `pages of one browser share no cookies and no storage`() throws {
        let server = try site()
        defer { server.close() }
        defer { worker.end() }
        for name in ["first", "second"] {
            #expect(try capture(server.address("/page"), name).capturedBy == "browser")
            #expect(
                try scratch.text(name + "/page.html").contains("written by a script; nothing seen; no cookie"))
        }
        #expect(browsers().count == 1)
    }

    @Test func `a browser that dies between two pages is started again`() throws {
        let server = try site()
        defer { server.close() }
        defer { worker.end() }
        #expect(try capture(server.address("/page"), "first").capturedBy == "browser")
        // The worker looks at the browser after it has answered. An order without a browser is answered after that.
        _ = try? worker.pageURL(ofFile: scratch.full("browser"))
        for each in browsers() { kill(each, SIGKILL) }
        for name in ["second", "third"] {
            let report = try capture(server.address("/page"), name)
            #expect(report.capturedBy == "browser", "\(report)")
        }
        #expect(browsers().count == 2)
    }

    @Test func `a page in which a used browser dies is rendered by a new one`() throws {
        let isArmed = Mutex(true)
        let noted = scratch.full("noted/processes")
        let server = try site { path in
            let isFirst = isArmed.withLock { armed in
                defer { armed = armed && path != "/page/deadly" }
                return armed
            }
            guard path == "/page/deadly", isFirst else { return }
            Self.killAll(notedIn: noted)
        }
        defer { server.close() }
        defer { worker.end() }
        #expect(try capture(server.address("/page"), "first").capturedBy == "browser")
        let report = try capture(server.address("/page/deadly"), "second")
        #expect(report.capturedBy == "browser", "\(report)")
        #expect(try scratch.text("second/page.html").contains("written by a script"))
        #expect(browsers().count == 2)
    }

    @Test func `a page that ends each browser harms no other page`() throws {
        let asked = Mutex(0)
        let noted = scratch.full("noted/processes")
        let server = try site { path in
            guard path == "/page/deadly" else { return }
            asked.withLock { $0 += 1 }
            Self.killAll(notedIn: noted)
        }
        defer { server.close() }
        defer { worker.end() }
        #expect(try capture(server.address("/page"), "first").capturedBy == "browser")
        // The used browser, a new one, and then without one.
        let report = try capture(server.address("/page/deadly"), "second")
        #expect(report.capturedBy == "fetch", "\(report)")
        #expect(asked.withLock { $0 } == 3)
        #expect(try capture(server.address("/page"), "third").capturedBy == "browser")
        #expect(browsers().count == 3)
    }

    private static func killAll(notedIn path: String) {
        guard let file = fopen(path, "r") else { return }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        while fgets(&line, 32, file) != nil {
            let number = pid_t(atoi(line))
            if number > 1 { kill(number, SIGKILL) }
        }
    }
}
