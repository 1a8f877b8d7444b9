import TestSupport
import Testing

/// A print and a picture beside a saved page.
@Suite(.enabled(if: Machine.runs("chromium") || Machine.runs("google-chrome"), "no browser is installed"))
struct ArchivePrintTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["SBFS_OFFLINE"] = nil
    }

    private func site() throws -> TestServer {
        let turn = Turn()
        return try TestServer { request in
            request.path == "/" ? ArchiveTests.page("<p>Visit \(turn.next())</p>") : .text("", status: 404)
        }
    }

    private func prints(_ folder: String) throws -> [String] {
        try sandbox.scratch.names(folder).filter { $0 == "page.pdf" || $0 == "page.png" }.sorted()
    }

    @Test func `are part of the capture, of its snapshot and of a full export`() throws {
        let server = try site()
        defer { server.close() }
        let id = try #require(
            try sandbox.sbfs("add", server.address("/"), "--wait", "--pdf", "--screenshot").lines.first)
        let folder = sandbox.folder(id)
        #expect(try prints(folder) == ["page.pdf", "page.png"])
        #expect(try sandbox.scratch.bytes(folder + "/page.pdf").starts(with: "%PDF-".utf8))
        #expect(try sandbox.sbfs("show", id).out.contains("page.pdf, page.png"))
        #expect(try sandbox.sbfs("path", id, "--pdf").out.hasSuffix("/page.pdf\n"))
        #expect(try sandbox.sbfs("check").out.isEmpty)
        #expect(try !sandbox.sbfs("show", id).out.contains("document "))

        // A later capture without them has none; they belong to the earlier one.
        try sandbox.sbfs("archive", id)
        #expect(try prints(folder).isEmpty)
        let snapshot = try #require(try sandbox.scratch.names(folder + "/snapshots").first)
        #expect(try prints(folder + "/snapshots/" + snapshot) == ["page.pdf", "page.png"])
        try sandbox.sbfs("restore-snapshot", id, snapshot)
        #expect(try prints(folder) == ["page.pdf", "page.png"])
        #expect(try !sandbox.scratch.names(folder).contains("conflicts"))
        #expect(try sandbox.sbfs("check").out.isEmpty)

        try sandbox.sbfs("export", "--full", "all.tar")
        try sandbox.sbfs("--library", "other", "init")
        try sandbox.sbfs("--library", "other", "import", "all.tar", "--yes")
        #expect(try prints("desk/other/items/\(id.suffix(2))/\(id)") == ["page.pdf", "page.png"])

        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("purge", id, "--now", "--yes")
        #expect(try !sandbox.scratch.names("library/items/\(id.suffix(2))").contains(id))
    }

    @Test func `travel with the item to another device, and stay when its page is left to the exchange`() throws {
        let server = try site()
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--wait", "--pdf").lines.first)
        try sandbox.sbfs("remote", "add", "shared", "exchange")
        try sandbox.sbfs("sync")
        try sandbox.sbfs("--library", "other", "init", "--from", "exchange")
        try sandbox.sbfs("--library", "other", "sync")
        let there = "desk/other/items/\(id.suffix(2))/\(id)"
        #expect(try prints(there) == ["page.pdf"])
        #expect(try sandbox.scratch.names(there).contains("page.html"))
        try sandbox.sbfs("drop", id)
        #expect(try prints(sandbox.folder(id)) == ["page.pdf"])
        #expect(try !sandbox.scratch.names(sandbox.folder(id)).contains("page.html"))
    }

    @Test func `need a browser and a page from the network`() throws {
        let server = try site()
        defer { server.close() }
        let id = try #require(try sandbox.sbfs("add", server.address("/"), "--no-archive").lines.first)
        let json = try sandbox.itemText(id)
        let run = try sandbox.sbfs("archive", id, "--pdf", "--browser", "never", exits: 1)
        #expect(run.err.contains("needs a browser"), "\(run)")
        #expect(try sandbox.itemText(id) == json)
        #expect(server.connectionCount == 0)
        try sandbox.file("page.html", "<p>x")
        #expect(try sandbox.sbfs("archive", id, "--screenshot", "--from", "page.html", exits: 2).err.contains("--from"))
    }
}
