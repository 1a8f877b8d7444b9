import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Saving the pages of links, against a server on this machine and without a browser.
struct ArchiveTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["SBFS_OFFLINE"] = nil
        try sandbox.sbfs("config", "capture.browser", "never")
    }

    static let article =
        "<article><h1>About stones</h1>"
        + String(
            repeating: "<p>Stones lie in the river, and the water wears them down, year by year, as it always has.</p>",
            count: 8) + "</article>"
    static let gif: [UInt8] =
        Array("GIF89a".utf8)
        + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    static func page(_ body: String = "") -> TestServer.Answer { html("<title>Stones</title>" + article + body) }

    static func html(_ text: String, status: Int = 200, fields: [String] = []) -> TestServer.Answer {
        .text("<!doctype html>" + text, status: status, fields: ["Content-Type: text/html; charset=utf-8"] + fields)
    }

    static let login = html(
        "<title>Sign in</title><form method=post><input name=user><input type=password name=password>"
            + "<button>Sign in</button></form>")

    /// A page with a picture and a link at /, an icon, and 404 for the rest.
    static func site() throws -> TestServer {
        try TestServer { request in
            switch request.path {
            case "/": page("<img src=i.gif><a href=/next>onwards</a>")
            case "/i.gif", "/favicon.ico": .whole(fields: ["Content-Type: image/gif"], body: gif)
            default: html("<p>no", status: 404)
            }
        }
    }

    func add(_ url: String, _ words: String..., exits: Int32 = 0) throws -> (id: String, run: Run) {
        let run = try sandbox.sbfs(words: ["add", url, "--wait"] + words, exits: exits)
        return (try #require(run.lines.first, "\(run)"), run)
    }

    func field(_ id: String, _ key: String) throws -> String? { try sandbox.item(id)[key] as? String }

    // MARK: Adding

    @Test func `add --wait saves the page before it ends`() throws {
        let server = try Self.site()
        defer { server.close() }
        let (id, run) = try add(server.address("/"))
        #expect(run.err.contains("saved with 1 file"), "\(run)")
        #expect(try field(id, "archiveStatus") == "full")
        #expect(try field(id, "capturedBy") == "fetch")
        #expect(try field(id, "linkTitle") == "About stones")
        #expect(try field(id, "favicon")?.hasPrefix("assets/") == true)
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html").contains("About stones"))
        #expect(server.targets.sorted() == ["/", "/favicon.ico", "/i.gif"])
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `add saves the page while nobody waits`() throws {
        let server = try Self.site()
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/")).lines.first)
        let deadline = ContinuousClock.now + .seconds(300)
        while try field(id, "archiveStatus") == "pending", ContinuousClock.now < deadline { usleep(20_000) }
        #expect(try field(id, "archiveStatus") == "full")
    }

    @Test(arguments: [["--no-archive"], ["--offline"], ["--dry-run"]])
    func `a page that is not wanted is not fetched`(words: [String]) throws {
        let server = try Self.site()
        defer { server.close() }
        try sandbox.sbfs(words: ["add", server.address("/"), "--wait"] + words)
        #expect(server.connectionCount == 0)
    }

    @Test func `the JSON of added items stays one array`() throws {
        let server = try Self.site()
        defer { server.close() }
        let run = try sandbox.sbfs("add", server.address("/"), "--wait", "--json")
        #expect(try run.array().count == 1)
    }

    // MARK: Failing

    @Test func `a page that is not there ends with 8, and the item says why`() throws {
        let server = try Self.site()
        defer { server.close() }
        let (id, run) = try add(server.address("/none"), exits: 8)
        #expect(run.err.contains("the server has no such page (404)"))
        #expect(try field(id, "archiveStatus") == "failed")
        #expect(try field(id, "archiveReason") == "http_404")
        #expect(try sandbox.sbfs("show", id).out.contains("failed: the server has no such page (404)"))
        #expect(try sandbox.ids("status:failed") == [id])
        #expect(try sandbox.sbfs("archive", "--failed", "--allow-private", exits: 8).err.contains("404"))
        #expect(try sandbox.item(id)["archiveAttempts"] as? Int == 2)
    }

    @Test func `if some pages fail, the rest is saved, with 4`() throws {
        let server = try Self.site()
        defer { server.close() }
        try sandbox.sbfs("add", server.address("/"), server.address("/none"), "--no-archive")
        let ids = try sandbox.ids()
        let run = try sandbox.sbfs(words: ["archive"] + ids.sorted(), exits: 4)
        #expect(run.err.contains("1 saved, 1 failed"), "\(run)")
    }

    @Test func `a failed attempt leaves the page that is there`() throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path == "/" && turn.next() == 1 ? Self.page() : Self.html("<p>no", status: 500)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let page = try sandbox.scratch.text(sandbox.folder(id) + "/page.html")
        try sandbox.sbfs("archive", id, exits: 8)
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html") == page)
        #expect(try field(id, "archiveStatus") == "full")
    }

    @Test func `offline it is refused`() throws {
        let id = try #require(try sandbox.sbfs("add", "https://example.org/", "--no-archive").lines.first)
        for words in [["archive", id], ["check-links"], ["favicon", id], ["archive", "--all"]] {
            sandbox.environment["SBFS_OFFLINE"] = "1"
            #expect(try sandbox.sbfs(words: words, exits: 1).err.contains("this needs the network"), "\(words)")
            sandbox.environment["SBFS_OFFLINE"] = nil
            #expect(try sandbox.sbfs(words: words + ["--offline"], exits: 1).err.contains("this needs the network"))
        }
    }

    @Test func `without the worker, the error says what is missing`() throws {
        let id = try #require(try sandbox.sbfs("add", "https://example.org/", "--no-archive").lines.first)
        let copy = sandbox.scratch.full("alone")
        try sandbox.scratch.makeDirectory("alone")
        try sandbox.shell("cp \"$(command -v sbfs)\" '\(copy)/sbfs'")
        let run = try sandbox.shell("'\(copy)/sbfs' archive \(id)", exits: 1)
        #expect(run.err.contains("sbfs-worker, the part that fetches and reads pages, is not beside sbfs"), "\(run)")
    }

    // MARK: Private addresses

    @Test func `a private address that was typed is meant, one that a query finds is not`() throws {
        let server = try Self.site()
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--no-archive").lines.first)
        for words in [["archive", "--all"], ["archive", "-q", "has:link"]] {
            let run = try sandbox.sbfs(words: words, exits: 8)
            #expect(run.err.contains("was not contacted"), "\(run)")
        }
        #expect(server.connectionCount == 0)
        try sandbox.sbfs("archive", "--all", "--allow-private")
        sandbox.environment["CAPTURE_ALLOW"] = "127.0.0.1:\(server.port)"
        try sandbox.sbfs("archive", "--all")
        sandbox.environment["CAPTURE_ALLOW"] = nil
        try sandbox.sbfs("archive", id)
    }

    @Test func `an item of another library does not count as typed, whatever it says`() throws {
        let server = try Self.site()
        defer { server.close() }
        let stranger = try Sandbox()
        stranger.environment["SBFS_OFFLINE"] = "0"
        let id = try #require(try stranger.sbfs("add", server.address("/"), "--no-archive").lines.first)
        #expect(try stranger.item(id)["source"] as? String == "cli")
        try stranger.sbfs("export", "--full", "all.tar")
        try sandbox.sbfs("import", stranger.desk + "/all.tar")
        for words in [["archive", id], ["check-links", id], ["favicon", id]] {
            try sandbox.sbfs(words: words, exits: nil)
        }
        #expect(server.connectionCount == 0)
        // The same item here, after the journal is gone.
        try stranger.sbfs("log", "--clear", "--yes")
        #expect(try stranger.sbfs("archive", id, exits: 8).err.contains("--allow-private"))
        #expect(server.connectionCount == 0)
        try sandbox.sbfs("archive", id, "--allow-private")
    }

    // MARK: What was saved

    @Test func `read --page shows what is around the article, too`() throws {
        let server = try Self.site()
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let path = sandbox.folder(id) + "/page.html"
        let page = try sandbox.scratch.text(path)
        try sandbox.scratch.write(
            path,
            page + "<nav><a href=/>Bridges</a></nav><x-z><template shadowrootmode=open><p>Ferries</p></template></x-z>")
        let article = try sandbox.sbfs("read", id).out
        let whole = try sandbox.sbfs("read", id, "--page").out
        for word in ["Bridges", "Ferries"] { #expect(!article.contains(word) && whole.contains(word), "\(word)") }
        #expect(whole.contains("Stones lie in the river"))
    }

    @Test func `read, links and open show the saved page`() throws {
        let server = try Self.site()
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        #expect(try sandbox.sbfs("read", id, "--width", "60").out.contains("Stones lie in the river"))
        #expect(try sandbox.sbfs("links", id, "--urls").lines == [server.address("/next")])
        #expect(try sandbox.sbfs("links", id, "--json").array().first?["text"] as? String == "onwards")
        #expect(try sandbox.sbfs("open", id, "--print").lines == [sandbox.path(id, "page.html")])
        #expect(try sandbox.sbfs("open", id, "--reader", "--print").lines == [sandbox.path(id, "reader.html")])
        #expect(try sandbox.sbfs("open", id, "--original", "--print").lines == [server.address("/")])
        try sandbox.sbfs("open", id, "--document", "--print", exits: 3)
        sandbox.environment["SBFS_OPENER"] = "/bin/echo"
        #expect(try sandbox.sbfs("open", id).status == 0)
    }

    @Test func `a link to a PDF gives the item that document`() throws {
        let server = try TestServer { _ in
            .whole(
                fields: ["Content-Type: application/pdf", "Content-Disposition: attachment; filename=\"../../a.pdf\""],
                body: Array("%PDF-1.7\n".utf8))
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/x"))
        #expect(try sandbox.scratch.names(sandbox.folder(id) + "/document") == ["a.pdf"])
        #expect(try field(id, "type") == "link")
        #expect(try sandbox.sbfs("archive", id).err.contains("is unchanged"))
    }

    @Test func `favicons are fetched for links that have none`() throws {
        let server = try Self.site()
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--no-archive").lines.first)
        #expect(try sandbox.sbfs("favicon", "--missing", "--allow-private").err.contains("1 of 1 site has an icon"))
        let icon = try #require(try field(id, "favicon"))
        #expect(try sandbox.scratch.bytes(sandbox.folder(id) + "/" + icon) == Self.gif)
        #expect(try sandbox.sbfs("favicon", "--missing", exits: 3).err.contains("every link has an icon"))
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `links are found to be valid, dead or unknown`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/valid": Self.html("<p>here")
            case "/gone": Self.html("<p>gone", status: 410)
            default: Self.html("<p>who are you", status: 403)
            }
        }
        defer { server.close() }
        for path in ["/valid", "/gone", "/closed"] {
            try sandbox.sbfs("add", server.address(path), "--title", path, "--no-archive")
        }
        let run = try sandbox.sbfs("check-links", "--allow-private", "--json")
        let found = try run.stream().reduce(into: [String: String]()) { found, line in
            found[(line["url"] as? String ?? "").split(separator: "/").last.map(String.init) ?? ""] =
                line["linkStatus"] as? String
        }
        #expect(found == ["valid": "valid", "gone": "dead", "closed": "unknown"])
        #expect(run.err.contains("1 valid, 1 dead, 1 unknown"))
        let dead = try sandbox.ids("is:dead")
        #expect(try dead.map { try sandbox.title($0) } == ["/gone"])
    }

    @Test func `cookies go to their own host alone, and never into the library`() throws {
        let server = try TestServer { request in
            request.path == "/" && request.fields["cookie"] == "session=s3cret" ? Self.page() : Self.login
        }
        defer { server.close() }
        try sandbox.file("cookies.txt", "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n")
        try sandbox.file(
            "others.txt", "# Netscape HTTP Cookie File\nexample.org\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n")
        let (other, _) = try add(server.address("/"), "--cookies", "others.txt")
        #expect(try field(other, "archiveStatus") == "partial")
        try sandbox.sbfs("archive", other, "--cookies", "cookies.txt")
        #expect(try field(other, "archiveStatus") == "full")
        try sandbox.shell("! grep -r s3cret '\(sandbox.library)' '\(sandbox.home)'")
        #expect(
            try sandbox.sbfs("archive", other, "--cookies", "absent", exits: 1).err.contains("no cookie file absent"))
    }

    // MARK: Interrupted

    @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
    func `a command that is ended in the middle leaves no process, and the item as it was`(signal: Int32) throws {
        let scratch = sandbox.scratch
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999999\r\n\r\n")
                let number = (try? scratch.text("desk/number"))?.split(separator: "\n").first
                if let process = number.flatMap({ pid_t($0) }) { kill(process, signal) }
                while connection.send("<p>drip drip drip"), !connection.waitForClose(milliseconds: 50) {}
            }
        }
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--no-archive").lines.first)
        let before = try sandbox.itemText(id)
        let run = try sandbox.shell("echo $$ > number; exec sbfs archive \(id)", exits: nil)
        #expect(run.status == 128 + signal, "\(run)")
        // The worker has two minutes for a page; its connection ends with the worker.
        #expect(server.waitUntilIdle(for: .seconds(100)))
        #expect(try sandbox.itemText(id) == before)
        try sandbox.sbfs("add", "-", input: "the next command clears up")
        #expect(try scratch.names("library/.sbfs/staging").isEmpty)
    }
}
