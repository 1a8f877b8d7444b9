import TestSupport
import Testing

/// What an item records about a page that was not saved.
struct ArchiveReasonTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["SBFS_OFFLINE"] = nil
        try sandbox.sbfs("config", "capture.browser", "never")
    }

    private func field(_ id: String, _ key: String) throws -> String? { try sandbox.item(id)[key] as? String }

    private static let notFound = ArchiveTests.html("<p>no", status: 404)

    @Test(arguments: ["scan.pdf", "words.txt", "empty.html", "page.bin"])
    func `a file that is no saved page changes nothing`(name: String) throws {
        let id = try #require(try sandbox.sbfs("add", "https://example.org/a", "--no-archive").lines.first)
        try sandbox.file(name, name == "empty.html" ? "" : "%PDF-1.4 \u{1}\u{2} words")
        let json = try sandbox.itemText(id)
        let run = try sandbox.sbfs("archive", id, "--from", name, exits: 1)
        #expect(run.err.contains("is no saved page") && run.err.contains("sbfs attach \(id.suffix(8)) FILE"), "\(run)")
        #expect(try sandbox.itemText(id) == json)
        #expect(try sandbox.sbfs("show", id).out.contains("archive     live only"))
    }

    @Test func `a refused private address is reported, and the item stays unchanged`() throws {
        let server = try TestServer { _ in ArchiveTests.page() }
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--no-archive").lines.first)
        let json = try sandbox.itemText(id)
        #expect(try sandbox.sbfs("archive", "-q", "has:link", exits: 8).err.contains("was not contacted"))
        try sandbox.sbfs("check-links")
        #expect(try sandbox.itemText(id) == json)
        #expect(server.connectionCount == 0)
    }

    @Test func `the stored reason names nothing of this machine`() throws {
        let id = try #require(try sandbox.sbfs("add", "http://127.0.0.1:1/", "--no-archive").lines.first)
        sandbox.environment["CAPTURE_ALLOW"] = "127.0.0.1:1"
        try sandbox.sbfs("archive", id, exits: 8)
        #expect(try field(id, "archiveReason") == "no_connection")
        try sandbox.sbfs("check-links", id)
        let evidence = try #require(try sandbox.item(id)["linkStatusEvidence"] as? [String: Any])
        #expect(evidence["error"] as? String == "no_connection")
        #expect(try sandbox.sbfs("show", id).out.contains("failed: there was no connection to the server"))
        #expect(!(try sandbox.itemText(id).contains(sandbox.scratch.path)))
    }

    @Test(arguments: [
        ("the page asks for a login or turns robots away", "partial", "the page asks for a login"),
        ("the server answered with an error (502)", "failed", "the server answered with an error (502)"),
        ("no connection to x:1 (refused); try again", "failed", "there was no connection to the server"),
        ("something of another program", "failed", "something of another program"),
    ])
    func `a sentence of an earlier version is read`(_ text: String, _ status: String, _ shown: String) throws {
        let id = try #require(try sandbox.sbfs("add", "https://example.org/a", "--no-archive").lines.first)
        try sandbox.scratch.write(sandbox.folder(id) + "/page.html", "<p>x")
        try sandbox.sbfs("set", id, "archiveStatus=\(status)", "archiveReason=\(text)")
        #expect(try sandbox.sbfs("show", id).out.contains(shown))
    }

    @Test(arguments: [ArchiveTests.login, ArchiveTests.html("<title>404 Not Found</title><h1>Not found</h1>")])
    func `a good capture replaces a wall and fills the page's fields`(wall: TestServer.Answer) throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path != "/"
                ? Self.notFound
                : turn.next() == 1
                    ? wall
                    : ArchiveTests.html(
                        "<html lang=nl><title>Stones</title><meta name=author content=Ada>" + ArchiveTests.article)
        }
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--wait").lines.first)
        #expect(["login", "error_page"].contains(try field(id, "archiveReason")))
        #expect(try field(id, "linkTitle") == nil)
        try sandbox.sbfs("set", id, "linkAuthor=Mine")
        let run = try sandbox.sbfs("archive", id)
        #expect(try field(id, "archiveStatus") == "full", "\(run)")
        #expect(try field(id, "archiveReason") == nil)
        #expect(try field(id, "linkTitle") == "About stones" && field(id, "linkAuthor") == "Mine")
        #expect(try field(id, "linkLanguage") == "nl")
    }

    @Test func `attach saves the page of a link as add does`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": ArchiveTests.page()
            case "/paper.pdf": .whole(fields: ["Content-Type: application/pdf"], body: Array("%PDF-1.4\n%%EOF".utf8))
            default: Self.notFound
            }
        }
        defer { server.close() }
        let page = try sandbox.snippet("words"), paper = try sandbox.snippet("more words")
        try sandbox.sbfs("attach", page, server.address("/"), "--wait")
        #expect(try field(page, "archiveStatus") == "full" && field(page, "linkTitle") == "About stones")
        try sandbox.sbfs("attach", paper, server.address("/paper.pdf"), "--wait")
        #expect(try field(paper, "documentRelativePath") == "document/paper.pdf")
        #expect(try sandbox.sbfs("show", paper).out.contains("archived: its document is saved locally"))
        // Another link: the results for the first are not true for it.
        try sandbox.sbfs("attach", page, server.address("/none"), "--replace", "--yes", "--wait", exits: 8)
        #expect(try field(page, "linkTitle") == nil && field(page, "archiveStatus") == "failed")
        let other = try sandbox.snippet("third")
        let count = server.connectionCount
        try sandbox.sbfs("attach", other, server.address("/"), "--no-archive", "--wait")
        #expect(try field(other, "archiveStatus") == nil && server.connectionCount == count)
    }

    @Test func `a link to a file of an item with another document fails, and says why`() throws {
        let server = try TestServer { _ in
            .whole(fields: ["Content-Type: application/pdf"], body: Array("%PDF-1.4\n%%EOF".utf8))
        }
        defer { server.close() }
        try sandbox.file("scan.txt", "scan")
        let id = try #require(try sandbox.sbfs("add", "scan.txt").lines.first)
        try sandbox.sbfs("attach", id, server.address("/paper.pdf"), "--wait", exits: 1)
        #expect(try field(id, "archiveReason") == "other_document")
        #expect(try field(id, "documentRelativePath") == "document/scan.txt")
    }

    @Test func `a page that lacks a file is fetched though the server says that it has not changed`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/" where request.fields["if-none-match"] != nil: .whole(status: 304, body: [])
            case "/":
                ArchiveTests.html(
                    "<title>Stones</title>" + ArchiveTests.article + "<img src=i.gif>", fields: ["ETag: \"1\""])
            case "/i.gif": .whole(fields: ["Content-Type: image/gif"], body: ArchiveTests.gif)
            default: Self.notFound
            }
        }
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--wait").lines.first)
        #expect(try sandbox.sbfs("archive", id).err.contains("is unchanged"))
        try sandbox.shell("rm '\(sandbox.path(id, "assets"))'/*")
        try sandbox.sbfs("archive", id)
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `add says that the title of a known URL was not taken`() throws {
        let id = try #require(
            try sandbox.sbfs("add", "https://example.org/a", "--no-archive", "--title", "Old").lines.first)
        let run = try sandbox.sbfs("add", "https://example.org/a", "--no-archive", "--title", "New")
        #expect(run.err.contains("\"New\" was not taken; \"sbfs title \(id.suffix(8)) TITLE\" sets one"), "\(run)")
        #expect(try sandbox.title(id) == "Old")
        #expect(!(try sandbox.sbfs("add", "https://example.org/a", "--title", "Old").err.contains("not taken")))
    }
}
