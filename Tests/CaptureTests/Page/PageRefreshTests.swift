import TestSupport
import Testing
import WorkerProtocol

@testable import Capture

/// A page that leads to another one, without a browser.
struct PageRefreshTests {
    private static func stub(_ content: String, _ more: String = "") -> String {
        "<title>Moved</title><meta http-equiv=refresh content=\"\(content)\">\(more)<p>The page has moved."
    }

    @Test(arguments: [
        "0; url=/article", "0;URL='article'", "3; url=//HOST/article", "1;url=http://HOST/article#part",
    ])
    func `it is followed`(_ content: String) throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(Self.stub(content.replacing("HOST", with: request.fields["host"] ?? "")))
            case "/article": .html(SampleFile.page())
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full && trial.report.finalURL?.contains("/article") == true, "\(trial.report)")
        #expect(try !trial.page.contains("has moved"))
    }

    @Test func `the base of the page and the field of its answer count`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(Self.stub("0; url=2", "<base href=/docs/>"))
            case "/docs/2": .html("<p>Go on.", fields: ["Refresh: 0; url=3"])
            case "/docs/3": .html(SampleFile.page())
            default: .missing
            }
        }
        defer { server.close() }
        #expect(try PageTrial(server).report.finalURL?.hasSuffix("/docs/3") == true)
    }

    @Test func `a document at the end is saved as one`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? .html(Self.stub("0; url=/plan.pdf"))
                : .text("%PDF-1.4\n", fields: ["Content-Type: application/pdf"])
        }
        defer { server.close() }
        #expect(try PageTrial(server).report.document == "document/plan.pdf")
    }

    @Test(arguments: [
        "30; url=/article", "0", "0; url=/", "0; url=javascript:alert(1)", "0; url=file:///etc/passwd",
        "0; url=data:text/html,x",
    ])
    func `what only waits, stays or is no page of the web is not`(_ content: String) throws {
        let server = try TestServer { $0.path == "/" ? .html(Self.stub(content)) : .html(SampleFile.page()) }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.finalURL?.hasSuffix("/") == true && trial.hasPage, "\(trial.report)")
        #expect(try trial.page.contains("has moved"))
    }

    @Test func `a circle and a long chain end`() throws {
        let circle = try TestServer { $0.path == "/" ? .html(Self.stub("0; url=/b")) : .html(Self.stub("0; url=/")) }
        defer { circle.close() }
        #expect(try PageTrial(circle).report.finalURL?.hasSuffix("/b") == true)
        let chain = try TestServer { request in .html(Self.stub("0; url=\(request.path)x")) }
        defer { chain.close() }
        #expect(try PageTrial(chain).report.finalURL?.hasSuffix("/xxxxx") == true)
    }

    @Test func `if the next page fails, the first one is kept, in part`() throws {
        let server = try TestServer { $0.path == "/" ? .html(Self.stub("0; url=/gone")) : .missing }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .partial && trial.hasPage, "\(trial.report)")
        #expect(trial.report.diagnostic?.description == "the server has no such page (404)")
    }

    @Test func `it leads to no address that the capture may not reach`() throws {
        let inner = try TestServer { _ in .html(SampleFile.page()) }
        let outer = try TestServer { _ in .html(Self.stub("0; url=\(inner.address("/"))")) }
        defer {
            outer.close()
            inner.close()
        }
        let trial = try PageTrial(outer)
        #expect(trial.report.status == .partial, "\(trial.report)")
        #expect(inner.requests.isEmpty)
        #expect(try trial.page.contains("has moved"))
    }
}
