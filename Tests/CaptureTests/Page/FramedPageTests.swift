import TestSupport
import Testing

@testable import Capture

/// The article of a page whose text is in frames, fetched without a browser.
struct FramedPageTests {
    private static let text = (0..<12).map {
        "<p>Stone \($0) lay in the bed of the river, and the water went over it in spring and in autumn.</p>"
    }.joined()

    private static func trial(_ page: String, path: String = "/") throws -> PageTrial {
        let server = try TestServer { request in
            switch request.path {
            case "/text/a.html":
                .html(
                    "<title>Inner</title><meta name=author content=Nobody><body><h1>Stones</h1>\(text)"
                        + "<p>Behind the bend, the water turns the wheel of <a href=b.html>a mill</a> day and night.</p>"
                        + text)
            case "/menu.html": .html("<body><a href=/1>One</a> <a href=/2>Two</a>")
            case "/": .html(page)
            default: .text("", status: 404)
            }
        }
        defer { server.close() }
        return try PageTrial(server)
    }

    @Test(arguments: [
        "<title>Stones</title><header>The valley</header><iframe src=/text/a.html></iframe><footer>Imprint</footer>",
        "<title>Stones</title><frameset cols='20%,80%'><frame src=menu.html><frame src=/text/a.html></frameset>",
    ])
    func `a frame that holds the text is the article`(page: String) throws {
        let trial = try Self.trial(page)
        let reader = try trial.scratch.text("archive/reader.html")
        #expect(reader.contains("Stone 11 lay in the bed"))
        #expect(reader.contains("/text/b.html"))
        #expect(trial.report.title == "Stones")
        #expect(trial.report.author == nil)
    }

    @Test func `a document in the page itself is the article`() throws {
        let inner = Self.text.replacing("<", with: "&lt;")
        let trial = try Self.trial("<title>Stones</title><p>Short</p><iframe srcdoc=\"\(inner)\"></iframe>")
        #expect(try trial.scratch.text("archive/reader.html").contains("Stone 11 lay in the bed"))
    }

    @Test func `a frame beside the text stays out of the article`() throws {
        let other = "<p>" + String(repeating: "The mill stands at the bridge, and its wheel turns. ", count: 30)
        for page in [
            "<title>Mill</title><article><h1>Mill</h1>\(other)</article><iframe src=/text/a.html></iframe>",
            "<title>Mill</title><article><h1>Mill</h1><p>Short words.</article>"
                + "<iframe id=comments src=/text/a.html></iframe>",
        ] {
            let trial = try Self.trial(page)
            #expect(try !trial.scratch.text("archive/reader.html").contains("Stone 11 lay in the bed"))
        }
    }
}
