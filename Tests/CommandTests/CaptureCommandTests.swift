import Foundation
import Glibc
import TestSupport
import Testing

/// `capture` and `extract`, which need no library.
struct CaptureCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox(isLibraryMade: false)
        sandbox.environment["SBFS_OFFLINE"] = nil
        sandbox.environment["SBFS_LIBRARY"] = nil
    }

    private static func site() throws -> TestServer {
        try TestServer { request in
            switch request.path {
            case "/": ArchiveTests.page("<img src=i.gif>")
            case "/i.gif": .whole(fields: ["Content-Type: image/gif"], body: ArchiveTests.gif)
            case "/scripted":
                ArchiveTests.html(
                    "<title>App</title><div id=root></div><script>document.getElementById('root').innerHTML = "
                        + "'<article><h1>Made</h1>' + '<p>This text was written by a script of the page.</p>'.repeat(8)"
                        + " + '</article>'</script>")
            default: ArchiveTests.html("<p>no", status: 404)
            }
        }
    }

    private func object(_ run: Run) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.outBytes)) as? [String: Any], "\(run)")
    }

    @Test func `capture makes the page, the article and the files in a new folder`() throws {
        let server = try Self.site()
        defer { server.close() }
        let report = try object(try sandbox.sbfs("capture", server.address("/"), "saved", "--browser", "never"))
        #expect(report["status"] as? String == "full")
        #expect(report["title"] as? String == "About stones")
        #expect(try sandbox.scratch.names("desk/saved") == ["assets", "page.html", "reader.html"])
    }

    @Test(
        arguments: [
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
            ("gbk", [0xC8, 0xD5, 0xB1, 0xBE], "日本"), ("big5", [0xA4, 0xE9, 0xA5, 0xBB], "日本"),
            ("euc-kr", [0xC7, 0xD1, 0xB1, 0xB9], "한국"),
        ] as [(String, [UInt8], String)])
    func `the process that reads a page knows the encodings of the C library`(
        name: String, bytes: [UInt8], text: String
    ) throws {
        let page =
            Array("<meta charset=\(name)><title>".utf8) + bytes
            + Array("</title><p>A page of some words, for the title alone.</p>".utf8)
        let server = try TestServer { _ in .whole(fields: ["Content-Type: text/html"], body: page) }
        defer { server.close() }
        try sandbox.sbfs("capture", server.address("/"), "saved", "--browser", "never")
        let saved = try sandbox.scratch.text("desk/saved/page.html")
        #expect(saved.contains("<title>\(text)</title>"))
        try sandbox.file("page.html", "")
        try Data(page).write(to: URL(fileURLWithPath: sandbox.scratch.full("desk/page.html")))
        let article = try object(try sandbox.sbfs("extract", "page.html", "https://example.org/"))
        #expect(article["title"] as? String == text)
    }

    @Test(
        .enabled(if: Machine.runs("chromium") || Machine.runs("google-chrome"), "no browser is installed"),
        arguments: [("/big.pdf", "application/pdf"), ("/big.txt", "text/plain")])
    func `a file above the limit is asked for once`(path: String, type: String) throws {
        let body = [UInt8](repeating: 0x20, count: 33 << 20)
        let server = try TestServer { _ in .whole(fields: ["Content-Type: \(type)"], body: body) }
        defer { server.close() }
        let run = try sandbox.sbfs("capture", server.address(path), "saved", exits: 1)
        #expect(run.err.contains("larger than the limit"), "\(run)")
        #expect(server.targets.filter { $0 == path }.count == 1, "\(server.targets)")
    }

    @Test func `a folder that is not empty is left alone`() throws {
        let server = try Self.site()
        defer { server.close() }
        try sandbox.file("saved/mine.txt")
        #expect(
            try sandbox.sbfs("capture", server.address("/"), "saved", exits: 1).err.contains("is not empty (mine.txt)"))
        #expect(server.connectionCount == 0)
        #expect(try sandbox.scratch.names("desk/saved") == ["mine.txt"])
    }

    @Test func `a page that cannot be fetched leaves nothing in the folder`() throws {
        let server = try Self.site()
        defer { server.close() }
        let run = try sandbox.sbfs("capture", server.address("/none"), "saved", "--browser", "never", exits: 8)
        #expect(run.err.contains("404"))
        #expect(try sandbox.scratch.names("desk/saved").isEmpty)
        #expect(
            try sandbox.sbfs("capture", "ftp://example.org/", "saved", exits: 1).err.contains("only http and https"))
    }

    @Test func `a saved file is taken without the network`() throws {
        sandbox.environment["SBFS_OFFLINE"] = "1"
        try sandbox.file("page.html", "<!doctype html><title>Stones</title>" + ArchiveTests.article)
        let report = try object(try sandbox.sbfs("capture", "https://example.org/", "saved", "--from", "page.html"))
        #expect(report["capturedBy"] as? String == "user")
        #expect(
            try sandbox.sbfs("capture", "https://example.org/", "other", exits: 1).err.contains("needs the network"))
    }

    @Test func `extract prints the article of a file`() throws {
        try sandbox.file("page.html", "<!doctype html><title>Stones</title>" + ArchiveTests.article)
        let article = try object(try sandbox.sbfs("extract", "page.html", "https://example.org/"))
        #expect(article["title"] as? String == "Stones" || article["title"] as? String == "About stones")
        #expect((article["text"] as? String)?.contains("Stones lie in the river") == true)
        #expect(
            try sandbox.sbfs("extract", "absent.html", "https://example.org/", exits: 1).err.contains("absent.html"))
        let hostile = try sandbox.sbfs("extract", "a\u{1B}[31mb.html", "https://example.org/", exits: 1)
        #expect(hostile.err.contains("sbfs: cannot open a\\x1b[31mb.html"), "\(hostile)")
        try sandbox.sbfs("extract", "page.html", exits: 2)
    }

    @Test func `extract --explain shows the decision for each block as HTML`() throws {
        try sandbox.file("page.html", "<!doctype html><title>Stones</title>" + ArchiveTests.article)
        let page = try sandbox.sbfs("extract", "--explain", "page.html", "https://example.org/").out
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<td>kept: Stones lie in the river"))
        #expect(
            try sandbox.sbfs("extract", "--explain", "absent.html", "https://example.org/", exits: 1).err
                .contains("absent.html"))
        try sandbox.sbfs("extract", "--explain", "page.html", exits: 2)
        try sandbox.sbfs("extract", "--explain", "--serve", exits: 2)
    }

    @Test func `extract --serve answers each line, even if it is no request`() throws {
        let path = try sandbox.file("page.html", "<!doctype html><title>Stones</title>" + ArchiveTests.article)
        let lines = try sandbox.sbfs(
            "extract", "--serve",
            input: "{\"html\":\"\(path)\",\"url\":\"https://example.org/\"}\nnonsense\n{\"html\":\"/nowhere\"}\n"
        ).stream()
        #expect(lines.count == 3)
        #expect((lines[0]["text"] as? String)?.contains("Stones") == true)
        #expect(lines[1]["error"] != nil && lines[2]["error"] != nil)
    }

    @Test(.enabled(if: Machine.runs("chromium") || Machine.runs("google-chrome"), "no browser is installed"))
    func `a browser runs the page's scripts, keeps none, and leaves no profile`() throws {
        let server = try Self.site()
        defer { server.close() }
        let report = try object(try sandbox.sbfs("capture", server.address("/scripted"), "saved"))
        #expect(report["capturedBy"] as? String == "browser", "\(report)")
        let page = try sandbox.scratch.text("desk/saved/page.html")
        #expect(page.contains("This text was written by a script"))
        #expect(!page.contains("<script"))
        // As root, the browser runs as another user and has its profile elsewhere.
        let profiles = (try? sandbox.scratch.names("home/cache/sbfs/browsers")) ?? []
        #expect(!profiles.contains { $0.hasPrefix("browser-") }, "\(profiles)")
    }
}
