import TestSupport
import Testing

@testable import Capture

/// The files of a page, starting from the page.
struct PageAssetsTests {
    @Test func `each URL is requested once, whatever refers to it and how often`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(
                    SampleFile.page(
                        "<link rel=stylesheet href=a.css><link rel=stylesheet href=/a.css#x><link rel=icon href=i.gif>",
                        "<img src=i.gif><img src=i.gif#2 srcset='i.gif 1x, j.gif 2x'><div style='background:url(j.gif)'>"
                            + "<iframe src=f.html></iframe><iframe src=f.html#part></iframe>"))
            case "/a.css": .css("@import 'b.css'; @import url(b.css) print; a { background: url(i.gif) }")
            case "/b.css": .css("@import 'a.css'; b { background: url(j.gif) }")
            case "/f.html": .html("<link rel=stylesheet href=b.css><img src=i.gif><p>frame")
            case "/i.gif": .gif(1)
            case "/j.gif": .gif(2)
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full, "\(trial.report)")
        #expect(server.targets.sorted() == ["/", "/a.css", "/b.css", "/f.html", "/i.gif", "/j.gif"])
        #expect(trial.report.missingCount == 0)
        #expect(try trial.assets.count { $0.hasSuffix(".gif") } == 2)
    }

    @Test func `style sheets that import each other or themselves end`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page("<link rel=stylesheet href=a.css>"))
            case "/a.css": .css("@import 'b.css'; @import 'a.css'; a { color: red }")
            case "/b.css": .css("@import 'a.css'; b { color: blue }")
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        #expect(Set(server.targets) == ["/", "/a.css", "/b.css", "/favicon.ico"])
        let sheets = try trial.texts("css")
        #expect(sheets.count { $0.contains("color: red") } == 1)
        #expect(sheets.contains { $0.contains("color: blue") })
        #expect(!sheets.contains { $0.contains("127.0.0.1") })
    }

    @Test func `a chain of imports ends at its limit, and the rest is kept`() throws {
        let server = try TestServer { request in
            if request.path == "/" { return .html(SampleFile.page("<link rel=stylesheet href=/0.css>")) }
            guard let number = Int(request.path.dropFirst().prefix { $0 != "." }) else { return .missing }
            return .css("@import '\(number + 1).css'; .n\(number) { color: red }")
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.hasPage)
        #expect(server.targets.contains("/15.css"))
        #expect(!server.targets.contains("/40.css"))
    }

    @Test func `a frame that holds itself ends`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page("", "<iframe src=f.html></iframe><iframe src=/></iframe>"))
            case "/f.html": .html("<p>frame<iframe src=f.html></iframe><iframe src=/></iframe>")
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        #expect(server.targets.count { $0 == "/f.html" } == 1)
        // The page is a frame of its own frame. It is requested again, since a loader does not know it, but only
        // once.
        #expect(server.targets.count { $0 == "/" } <= 2)
        #expect(try trial.texts("html").contains { $0.contains("frame") })
    }

    @Test func `frames deeper than the bound are left out`() throws {
        let server = try TestServer { request in
            if request.path == "/favicon.ico" { return .missing }
            let number = Int(request.path.dropFirst()) ?? 0
            return .html(SampleFile.page("", "<iframe src=/\(number + 1)></iframe>depth \(number)."))
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.hasPage)
        let depths = server.targets.compactMap { Int($0.dropFirst()) }
        #expect(depths.max() ?? 0 <= 5)
        #expect(depths.contains(3))
    }

    @Test func `references of sheets in data URLs are kept`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(
                    SampleFile.page(
                        "<link rel=stylesheet href=\"data:text/css,@import '"
                            + "http://127.0.0.1:\(request.fields["host"]?.split(separator: ":").last ?? "")/a.css';\">")
                )
            case "/a.css": .css("a { background: url(i.gif) }")
            case "/i.gif": .gif()
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(server.targets.contains("/i.gif"))
        #expect(try trial.texts("css").contains { $0.contains(".gif") })
        #expect(try !trial.page.contains("127.0.0.1:\(server.port)/a.css"))
    }

    @Test func `sprites are put into the page, and masks into the sheet`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(
                    SampleFile.page(
                        "<style>.m { mask-image: url(m.svg) }</style>", "<svg><use href='sprite.svg#p'></use></svg>"))
            case "/sprite.svg", "/m.svg": .drawing()
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        let page = try trial.page
        #expect(page.contains("M0 0h1v1z"))
        #expect(!page.contains("sprite.svg"))
        #expect(page.contains("data:image/svg+xml"))
    }

    @Test func `what is taken from a sprite keeps the sprite's own style, and nothing else gets it`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(SampleFile.page("", "<p class=r>Text</p><svg><use href='s.svg#p'></use></svg>"))
            case "/s.svg":
                .drawing(
                    "<svg xmlns='http://www.w3.org/2000/svg'><style><![CDATA[.r{fill:url(#g)} g>.r{stroke:red}]]></style>"
                        + "<linearGradient id='g'/><symbol id='p'><path class='r' d='M0 0h1v1z' fill='url(#g)'/></symbol></svg>"
                )
            default: .missing
            }
        }
        defer { server.close() }
        let page = try PageTrial(server).page
        let scope =
            "<style>@scope ([id=\"sbfs-1-g\"],[id=\"sbfs-1-p\"]) "
            + "{.r{fill:url(\"#sbfs-1-g\")} g&gt;.r{stroke:red}}</style>"
        #expect(page.contains(scope), "\(page.suffix(900))")
    }

    @Test func `error pages and wrong types instead of pictures, sheets and fonts are not kept as such`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(
                    SampleFile.page(
                        "<link rel=stylesheet href=sheet.css><link rel=stylesheet href=gone.css>"
                            + "<style>@font-face { font-family: f; src: url(f.woff2) } p { font-family: f }</style>",
                        "<img src=soft.png><img src=gone.png><img src=wrong.png>"))
            case "/sheet.css", "/soft.png", "/f.woff2": .html("<h1>Sorry</h1>")
            case "/wrong.png": .whole(fields: ["Content-Type: text/plain"], body: SampleFile.gif(7))
            case "/gone.css": .text("p { color: red }", status: 500, fields: ["Content-Type: text/css"])
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.hasPage)
        let assets = try trial.assets
        // The type of the picture that was sent as text comes from its bytes.
        #expect(assets.count { $0.hasSuffix(".gif") } == 1)
        #expect(assets.count == 1, "\(assets)")
        #expect(try !trial.page.contains("Sorry"))
        for name in ["sheet.css", "gone.css", "soft.png", "gone.png", "wrong.png", "f.woff2"] {
            #expect(try !trial.page.contains("\"\(name)"), "\(name)")
        }
    }

    @Test func `a redirected asset is read by where it was found`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page("<link rel=stylesheet href=old.css>", "<img src=old.gif>"))
            case "/old.css": .redirect("/deep/down/new.css", status: 301)
            case "/deep/down/new.css": .css("p { background: url(i.gif) }")
            case "/old.gif": .redirect("/deep/down/i.gif")
            case "/deep/down/i.gif": .gif(3)
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .full)
        #expect(trial.report.missingCount == 0, "\(server.targets)")
        #expect(try trial.assets.count { $0.hasSuffix(".gif") } == 1)
    }

    @Test func `the sheet's encoding is its own, else the page's`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .whole(
                    fields: ["Content-Type: text/html; charset=windows-1252"],
                    body: Array("<title>caf".utf8) + [0xE9]
                        + Array("</title><link rel=stylesheet href=a.css><link rel=stylesheet href=b.css>".utf8)
                        + Array(SampleFile.article.utf8))
            case "/a.css":
                .whole(
                    fields: ["Content-Type: text/css"],
                    body: Array("a::after { content: '".utf8) + [0xE9] + Array("' }".utf8))
            case "/b.css":
                .whole(
                    fields: ["Content-Type: text/css"],
                    body: Array("@charset \"utf-8\"; b::after { content: 'é' }".utf8))
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(try trial.page.contains("<title>café</title>"))
        #expect(trial.report.title == "café")
        let sheets = try trial.texts("css")
        #expect(sheets.count == 2)
        #expect(sheets.allSatisfy { $0.contains("é") }, "\(sheets)")
    }

    @Test func `the best icon that the page names is kept, else the site's own`() throws {
        let named = try TestServer { request in
            switch request.path {
            case "/":
                .html(
                    SampleFile.page(
                        "<link rel=icon href=broken.ico><link rel='shortcut icon' href=small.gif sizes=16x16>"
                            + "<link rel=icon href=big.gif sizes=32x32>"))
            case "/small.gif": .gif(1)
            case "/big.gif": .gif(2)
            case "/broken.ico": .html("<p>no")
            default: .missing
            }
        }
        defer { named.close() }
        let first = try PageTrial(named)
        let icon = try #require(first.report.favicon)
        #expect(icon.hasPrefix("assets/") && icon.hasSuffix(".gif"))
        #expect(!named.targets.contains("/favicon.ico"))

        let own = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page())
            case "/favicon.ico": .gif(9)
            default: .missing
            }
        }
        defer { own.close() }
        #expect(try PageTrial(own).report.favicon?.hasSuffix(".gif") == true)
    }

    @Test func `rules for absolute links do not match links that became absolute`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/":
                .html(SampleFile.page("<link rel=stylesheet href=a.css>", "<a href=near.html>n</a>"))
            case "/a.css": .css("a[href*='://']::after { content: 'external' }")
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(try trial.texts("css") == ["a[data-sbfs-own-href*='://']::after { content: 'external' }"])
        #expect(try trial.page.contains("/near.html\" data-sbfs-own-href=\"near.html\">n</a>"))
    }
}
