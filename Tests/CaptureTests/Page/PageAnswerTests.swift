import TestSupport
import Testing
import WorkerProtocol

@testable import Capture

/// What a link leads to, and the result.
struct PageAnswerTests {
    @Test(arguments: [401, 402, 403, 404, 410, 429, 451, 500, 502, 503])
    func `an answer that is no success is never a full page`(status: Int) throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html("<title>No</title><p>Something is wrong", status: status, fields: ["Retry-After: 100"])
                : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status != .full, "\(trial.report)")
        #expect(trial.report.diagnostic?.description.isEmpty == false)
        if trial.report.status == .failed {
            #expect(try trial.names.isEmpty)
            #expect(trial.report.isNetworkFailure)
        } else {
            #expect(trial.report.isWall)
        }
    }

    @Test(
        arguments: [401, 403, 404, 429, 500, 503],
        ["text/plain", "application/json", "application/xml", "application/pdf"])
    func `an error that is no HTML is no document`(status: Int, type: String) throws {
        let server = try TestServer { _ in
            .text("{\"error\": \"no\"}", status: status, fields: ["Content-Type: \(type)", "Retry-After: 100"])
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .failed && trial.report.kind == .http(status), "\(trial.report)")
        #expect(try trial.names.isEmpty)
    }

    @Test(arguments: ["<title>Shop</title><div>Loading…</div>", "<title>Shop</title><p> </p>"])
    func `a page that shows nothing is no full page`(page: String) throws {
        let server = try TestServer { $0.path == "/" ? .html(page) : .missing }
        defer { server.close() }
        let report = try PageTrial(server).report
        #expect(report.status == .partial && report.kind == .emptyPage && report.isWall, "\(report)")
        #expect(report.diagnostic?.description == "the page shows nothing")
    }

    @Test(arguments: [200, 204, 205])
    func `an answer without content is no page`(status: Int) throws {
        let server = try TestServer { _ in .text("", status: status, fields: ["Content-Type: text/html"]) }
        defer { server.close() }
        let report = try PageTrial(server).report
        #expect(report.status == .failed && report.kind == .brokenAnswer, "\(report)")
        #expect(report.diagnostic?.description == "the server answered, but sent nothing")
    }

    @Test func `a page that is not found or gone fails and says so`() throws {
        let server = try TestServer { .html(SampleFile.page(), status: $0.path == "/gone" ? 410 : 404) }
        defer { server.close() }
        #expect(
            try PageTrial(server, path: "/gone").report.diagnostic?.description
                == "the server says that the page is gone for good (410)"
        )
        #expect(try PageTrial(server, path: "/x").report.diagnostic?.description == "the server has no such page (404)")
    }

    @Test func `an article is kept with all that the page says of itself`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html(
                    SampleFile.page(
                        "<meta name=author content='Ada Lovelace'><meta property=og:site_name content=River>"),
                    fields: ["ETag: \"v1\"", "Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT"]) : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        #expect(trial.report.capturedBy == "fetch")
        #expect(trial.report.author == "Ada Lovelace")
        #expect(trial.report.site == "River")
        #expect(trial.report.entityTag == "\"v1\"")
        #expect(try trial.names == ["page.html", "reader.html"])
        #expect(try trial.page.contains("name=\"sbfs:etag\""))
    }

    @Test func `a page that the server calls unchanged is not saved again`() throws {
        let server = try TestServer { request in
            request.fields["if-none-match"] == "\"v1\""
                ? .whole(status: 304, fields: ["ETag: \"v1\""]) : .html(SampleFile.page(), fields: ["ETag: \"v1\""])
        }
        defer { server.close() }
        let trial = try PageTrial(server) { $0.entityTag = "\"v1\"" }
        #expect(trial.report.status == .unchanged)
        #expect(try trial.names.isEmpty)
    }

    @Test func `a login page is kept in part, and said to be one`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html(
                    "<title>Sign in</title><form method=post><input name=user><input type=password name=password>"
                        + "<button>Sign in</button></form>") : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .partial)
        #expect(trial.report.isWall)
        #expect(trial.report.kind?.isWall == true)
    }

    @Test func `without a browser, a page that scripts build is kept in part`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html(
                    "<title>App</title><div id=root></div><noscript>You need to enable JavaScript to run this app."
                        + "</noscript><script src=app.js></script>") : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .partial)
        #expect(trial.report.diagnostic?.description.contains("script") == true, "\(trial.report)")
        #expect(try !trial.page.contains("app.js"))
        #expect(!server.targets.contains("/app.js"))
    }

    @Test func `an error page that is sent as a success is kept in part`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html("<title>404 Not Found</title><h1>404</h1><p>The page you requested could not be found.")
                : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .partial, "\(trial.report)")
        #expect(trial.report.isWall)
    }

    @Test func `redirects lead to the page, which is read by where it was found`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .redirect("/there/page")
            case "/there/page": .html(SampleFile.page("", "<img src=i.gif>"))
            case "/there/i.gif": .gif()
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        #expect(trial.report.finalURL == server.address("/there/page"))
        #expect(trial.report.assetCount == 1)
    }

    @Test func `redirects without end fail`() throws {
        let server = try TestServer { .redirect($0.path + "x") }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .failed)
        #expect(try trial.names.isEmpty)
        #expect(server.targets.count <= 25)
    }

    private static func wide(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    }

    private static let encoded: [(type: String, body: [UInt8], title: String)] = [
        (
            "text/html; charset=shift_jis",
            Array("<title>".utf8) + [0x83, 0x65, 0x83, 0x58, 0x83, 0x67] + Array("</title>".utf8)
                + Array(SampleFile.article.utf8), "テスト"
        ), ("text/html; charset=utf-16le", wide("<title>é</title>" + SampleFile.article), "é"),
        ("text/html", [0xEF, 0xBB, 0xBF] + Array(("<title>é</title>" + SampleFile.article).utf8), "é"),
    ]

    @Test(arguments: 0..<3)
    func `the page is written in UTF-8, whatever its encoding was`(number: Int) throws {
        let (type, body, title) = Self.encoded[number]
        let server = try TestServer { request in
            request.path == "/" ? .whole(fields: ["Content-Type: \(type)"], body: body) : .missing
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.title == title)
        #expect(try trial.page.contains("<title>\(title)</title>"))
    }

    @Test func `a PDF becomes a document with the extension of its real type`() throws {
        let server = try TestServer { _ in
            .whole(fields: ["Content-Type: application/octet-stream"], body: Array("%PDF-1.7\n".utf8))
        }
        defer { server.close() }
        let trial = try PageTrial(server, path: "/paper/download?id=1")
        #expect(trial.report.document == "document/download.pdf")
        #expect(trial.report.status == .full)
        #expect(try trial.names == ["document"])
    }

    @Test(arguments: [
        ("attachment; filename=\"../../etc/passwd\"", "passwd.pdf"),
        ("attachment; filename=\"..\\\\..\\\\a.pdf\"", "a.pdf"),
        ("attachment; filename=\"/\"", "x.pdf"), ("attachment; filename=\"..\"", "x.pdf"),
        ("attachment; filename=\".bashrc\"", "bashrc.pdf"), ("inline; filename*=UTF-8''caf%C3%A9.pdf", "café.pdf"),
        ("attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", "afdp.exe.pdf"),
        ("attachment; filename*=UTF-8''a%00b%0Ac.pdf", "abc.pdf"),
        ("attachment; filename=\"\"", "x.pdf"), ("attachment", "x.pdf"),
    ])
    func `a hostile file name of a document is made harmless`(disposition: String, expected: String) throws {
        let server = try TestServer { _ in
            .whole(
                fields: ["Content-Type: application/pdf", "Content-Disposition: \(disposition)"],
                body: Array("%PDF-1.7\n".utf8))
        }
        defer { server.close() }
        #expect(try PageTrial(server, path: "/x").report.document == "document/" + expected)
    }

    @Test func `a very long file name is cut`() throws {
        let name = String(repeating: "ä", count: 500) + ".pdf"
        let server = try TestServer { _ in
            .whole(
                fields: ["Content-Type: application/pdf", "Content-Disposition: attachment; filename=\"\(name)\""],
                body: Array("%PDF-1.7\n".utf8))
        }
        defer { server.close() }
        let document = try #require(try PageTrial(server, path: "/x").report.document)
        #expect(document.utf8.count < 200 && document.hasSuffix(".pdf"))
    }

    @Test func `binary sent as a page is no page`() throws {
        let server = try TestServer { _ in
            .whole(
                fields: ["Content-Type: text/html"],
                body: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 5000))
        }
        defer { server.close() }
        let trial = try PageTrial(server, path: "/program")
        #expect(trial.report.status != .full || trial.report.document != nil, "\(trial.report)")
        if trial.report.document != nil { #expect(!trial.hasPage) }
    }

    @Test func `an address that nobody answers at is a failure of the network with its reason`() throws {
        let server = try TestServer { _ in .missing }
        let address = server.port
        server.close()
        let trial = try PageTrial(server)
        #expect(trial.report.status == .failed)
        #expect(trial.report.isNetworkFailure)
        #expect(trial.report.diagnostic?.description.contains("\(address)") == true, "\(trial.report)")
    }

    @Test func `a private address that nobody allowed is not touched`() throws {
        let server = try TestServer { _ in .html(SampleFile.page()) }
        defer { server.close() }
        let trial = try PageTrial(server) { $0.access.allowed = [] }
        #expect(trial.report.status == .failed)
        #expect(server.connectionCount == 0)
        let typed = try PageTrial(server) {
            $0.access.allowed = []
            $0.access.isTyped = true
        }
        #expect(typed.report.status == .full)
    }
}
