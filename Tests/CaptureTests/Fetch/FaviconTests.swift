import TestSupport
import Testing
import URLs

@testable import Capture

/// Which icon of a page is chosen.
struct FaviconTests {
    private func order(_ icons: [(path: String, relation: String, type: String?, sizes: String?, media: String?)])
        throws
        -> [String]
    {
        let page = try #require(WebURL("https://a.test/dir/page"))
        let candidates = try icons.map {
            FaviconChoice.Candidate(
                url: try #require(WebURL($0.path, base: page)), relation: $0.relation, type: $0.type, sizes: $0.sizes,
                media: $0.media)
        }
        return FaviconChoice.order(candidates, page: page).map(\.path)
    }

    @Test func `without any the root's favicon is tried`() throws {
        #expect(try order([]) == ["/favicon.ico"])
    }

    @Test func `vector first, then just large enough, then too small, touch icons late`() throws {
        let icons: [(path: String, relation: String, type: String?, sizes: String?, media: String?)] = [
            ("/touch.png", "apple-touch-icon", nil, "180x180", nil), ("/16.png", "icon", "image/png", "16x16", nil),
            ("/512.png", "icon", nil, "512x512", nil), ("/96.png", "SHORTCUT ICON", nil, "96X96", nil),
            ("/v.svg", "icon", "image/svg+xml", nil, nil), ("/mask.svg", "mask-icon", nil, nil, nil),
            ("/style.css", "stylesheet", nil, nil, nil),
        ]
        #expect(try order(icons) == ["/v.svg", "/96.png", "/512.png", "/touch.png", "/16.png", "/favicon.ico"])
    }

    @Test func `one for dark surroundings comes after one for light`() throws {
        let icons: [(path: String, relation: String, type: String?, sizes: String?, media: String?)] = [
            ("/dark.svg", "icon", nil, nil, "(prefers-color-scheme: dark)"), ("/light.png", "icon", nil, "32x32", nil),
        ]
        #expect(try order(icons) == ["/light.png", "/dark.svg", "/favicon.ico"])
    }

    @Test func `other schemes, doubles and bad sizes are no matter`() throws {
        let icons: [(path: String, relation: String, type: String?, sizes: String?, media: String?)] = [
            ("data:image/png,x", "icon", nil, nil, nil), ("file:///etc/x.png", "icon", nil, nil, nil),
            ("/a.png", "icon", nil, "0x0 99999999999999999999x1 x 1x", nil), ("/a.png", "icon", nil, nil, nil),
            ("/favicon.ico", "icon", nil, "any", nil),
        ]
        #expect(try order(icons) == ["/favicon.ico", "/a.png"])
        let many = (0..<100_000).map { ("/\($0).png", "icon", nil as String?, nil as String?, nil as String?) }
        #expect(try order(many).count == 8)
    }

    @Test func `the first that is an image by its bytes is taken`() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let server = try TestServer { request in
            switch request.path {
            case "/missing.png": .whole(status: 404, fields: ["Content-Type: image/png"], body: png)
            case "/lie.png": .text("<!DOCTYPE html><p>not here", fields: ["Content-Type: image/png"])
            case "/empty.png": .whole(fields: ["Content-Type: image/png"])
            case "/real.png": .whole(fields: ["Content-Type: text/plain"], body: png)
            default: .text("")
            }
        }
        defer { server.close() }
        let trial = try FetchTrial(server)
        let page = try #require(WebURL(server.address("/")))
        func icon(_ paths: String...) throws -> Favicon? {
            var found: Favicon?
            var calls = 0
            Favicon.fetch(
                try paths.map { try #require(WebURL($0, base: page)) }, page: page, with: trial.fetcher
            ) {
                found = $0
                calls += 1
            }
            trial.fetcher.run(until: .now + .seconds(20))
            #expect(calls == 1)
            return found
        }
        let found = try icon("/missing.png", "/lie.png", "/empty.png", "/real.png", "/never.png")
        #expect(found?.url.path == "/real.png")
        #expect(found?.type == "image/png")
        #expect(found?.bytes == png)
        #expect(try icon("/missing.png", "/lie.png") == nil)
        #expect(try icon() == nil)
        #expect(!server.targets.contains("/never.png"))
    }
}
