import TestSupport
import Testing

/// The files on the disk decide what is shown about saved pages and documents.
struct AvailabilityTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let css = "0123456789abcdef.css"

    /// A link whose page was saved with an article and a style sheet.
    private func saved() throws -> String {
        let id = try sandbox.link("https://example.org/herons", title: "Herons")
        try sandbox.sbfs("set", id, "archiveStatus=full")
        let json = try sandbox.itemText(id)
        try sandbox.plant(
            id, json.replacing("\"archiveStatus\"", with: "\"htmlRelativePath\": \"page.html\",\n  \"archiveStatus\""))
        let page = "<link rel=stylesheet href=\"assets/\(Self.css)\"><p>page"
        try sandbox.scratch.write(sandbox.folder(id) + "/page.html", page)
        try sandbox.scratch.write(sandbox.folder(id) + "/reader.html", "<p>article")
        try sandbox.scratch.write(sandbox.folder(id) + "/assets/" + Self.css, "a{}")
        return id
    }

    private func archive(_ id: String) throws -> String {
        let line = try #require(try sandbox.sbfs("show", id).lines.first { $0.hasPrefix("archive ") })
        return String(line.dropFirst(12))
    }

    private func opened(_ id: String, _ words: String..., exits: Int32 = 0) throws -> Run {
        try sandbox.sbfs(words: ["open", id, "--print"] + words, exits: exits)
    }

    @Test func `a deleted page is unavailable everywhere, and open names what it opens instead`() throws {
        let id = try saved()
        #expect(try archive(id) == "archived: this page is saved locally")
        #expect(try sandbox.ids("status:full") == [id] && sandbox.ids("status:unavailable").isEmpty)
        #expect(try opened(id).err.isEmpty)
        let snapshot = "/snapshots/20261121T101500Z-01234567"
        try sandbox.scratch.write(sandbox.folder(id) + snapshot + "/page.html", "<p>earlier")
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/page.html")
        #expect(try archive(id) == "unavailable: deleted, or not here yet")
        #expect(try sandbox.ids("status:full").isEmpty && sandbox.ids("has:archive").isEmpty)
        #expect(try sandbox.ids("status:unavailable") == [id])
        #expect(try sandbox.sbfs("list", "--format", "card").out.contains("[Unavailable]"))
        #expect(try sandbox.sbfs("list", "--format", "table").out.contains("⚠ Herons"))
        #expect(try sandbox.sbfs("stats").lines.contains("1\tunavailable"))
        let check = try sandbox.sbfs("check")
        #expect(check.out.contains("page.html: is named by item.json and missing: deleted, or not here yet"))
        var run = try opened(id)
        #expect(run.out == sandbox.path(id, "reader.html") + "\n")
        #expect(run.err.contains("this opens the saved article instead"))
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/reader.html")
        run = try opened(id)
        #expect(run.out == sandbox.path(id, String(snapshot.dropFirst()) + "/page.html") + "\n")
        #expect(run.err.contains("this opens the snapshot 20261121T101500Z-01234567 instead"))
        try sandbox.shell("rm -r '\(sandbox.path(id, "snapshots"))'")
        run = try opened(id)
        #expect(run.out == "https://example.org/herons\n" && run.err.contains("this opens the live page instead"))
        #expect(try opened(id, "--page", exits: 3).err.contains("page.html, which is unavailable"))
        try sandbox.scratch.write(sandbox.folder(id) + "/page.html", "<p>it arrived")
        #expect(try archive(id) == "archived: this page is saved locally")
        #expect(try sandbox.ids("status:full") == [id])
    }

    @Test func `a file that the page needs and that is gone is named`() throws {
        let id = try saved()
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/assets/" + Self.css)
        #expect(try archive(id).hasSuffix("saved locally, but 1 of its files is not here (\"sbfs check\" names it)"))
        #expect(try opened(id).err.contains("1 of its files is not here"))
        let check = try sandbox.sbfs("check")
        #expect(check.out.contains("assets/\(Self.css): the saved page needs it and it is missing"), "\(check)")
    }

    @Test func `an asset whose content is another one is named by check --read-data`() throws {
        let id = try saved()
        #expect(!(try sandbox.sbfs("check").out.contains("differs")))
        #expect(
            try sandbox.sbfs("check", "--read-data").out.contains(
                "assets/\(Self.css): differs from the hash in its name"))
        _ = id
    }

    @Test func `a document that is gone is unavailable`() throws {
        try sandbox.file("scan.txt")
        let id = try #require(try sandbox.sbfs("add", "scan.txt").lines.first)
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/document/scan.txt")
        let shown = try sandbox.sbfs("show", id).out
        #expect(shown.contains("document    document/scan.txt, unavailable: deleted, or not here yet"), "\(shown)")
        #expect(try sandbox.ids("status:unavailable") == [id] && sandbox.ids("has:document").isEmpty)
        #expect(try sandbox.sbfs("list", "--format", "card").out.contains("document/scan.txt, unavailable"))
        #expect(try opened(id, exits: 3).err.contains("document/scan.txt, which is unavailable"))
    }

    @Test func `a link to a file is archived by its document, not by a page`() throws {
        let id = try sandbox.link("https://example.org/paper.pdf")
        try sandbox.file("paper.pdf")
        try sandbox.sbfs("attach", id, "paper.pdf")
        try sandbox.sbfs("set", id, "archiveStatus=full")
        #expect(try archive(id) == "archived: its document is saved locally")
        #expect(try sandbox.ids("has:archive").isEmpty)
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/document/paper.pdf")
        #expect(try archive(id) == "unavailable: deleted, or not here yet")
        #expect(try sandbox.ids("status:full").isEmpty && sandbox.ids("status:unavailable") == [id])
    }

    @Test func `a page without a word in item.json is there`() throws {
        let id = try sandbox.link("https://example.org/a")
        try sandbox.sbfs("set", id, "archiveStatus=")
        #expect(try archive(id) == "live only")
        try sandbox.scratch.write(sandbox.folder(id) + "/page.html", "<p>page")
        #expect(try archive(id) == "partial: this page is saved locally")
        #expect(try sandbox.ids("status:partial") == [id] && sandbox.ids("status:live").isEmpty)
    }

    @Test func `a file that is dropped into an item's folder is its document at once`() throws {
        let id = try sandbox.snippet("words")
        for (name, text) in [("scan.pdf", "x"), ("zebra.pdf", "z"), ("a.part", ""), ("b.sync-conflict-1.pdf", "")] {
            try sandbox.scratch.write(sandbox.folder(id) + "/" + name, text)
        }
        #expect(try sandbox.sbfs("show", id).out.contains("\ndocument    scan.pdf, 1 byte"))
        #expect(try sandbox.ids("has:document") == [id])
        #expect(try sandbox.sbfs("search", "--ids", "scan").lines == [id])
        #expect(try sandbox.sbfs("path", id, "--document").out == sandbox.path(id, "scan.pdf") + "\n")
        #expect(try opened(id, "--document").out == sandbox.path(id, "scan.pdf") + "\n")
        #expect(try sandbox.sbfs("list", "--ndjson").out.contains("\"document\":\"scan.pdf\""))
        #expect(try sandbox.scratch.names(sandbox.folder(id)).contains("scan.pdf"))
        // The program that writes it may be about to rename it.
        try sandbox.sbfs("title", id, "Scan")
        #expect(try sandbox.scratch.names(sandbox.folder(id)).contains("scan.pdf"))
        try sandbox.scratch.setModified(sandbox.folder(id) + "/scan.pdf", seconds: 1_700_000_000)
        let run = try sandbox.sbfs("title", id, "Scanned")
        #expect(
            run.err.contains(
                "scan.pdf lay in the folder of \(id.suffix(8)) and was moved to document/scan.pdf, as its document"))
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/scan.pdf") == "x")
        #expect(try sandbox.sbfs("path", id, "--document").out == sandbox.path(id, "document/scan.pdf") + "\n")
        #expect(try sandbox.sbfs("search", "--ids", "scan").lines == [id])
    }

    @Test func `a document that was deleted by hand is taken out, and undo brings the name back`() throws {
        let id = try #require(try sandbox.sbfs("add", sandbox.file("d.txt")).lines.first)
        try sandbox.shell("rm '\(sandbox.path(id, "document/d.txt"))'")
        #expect(try sandbox.sbfs("detach", id, "document", "--yes", "--to", ".", exits: nil).status != 0)
        try sandbox.sbfs("detach", id, "document", "--yes")
        #expect(try !sandbox.sbfs("show", id).out.contains("d.txt"))
        #expect(try sandbox.sbfs("detach", id, "document", "--yes", exits: nil).err.contains("has no document"))
        try sandbox.sbfs("undo")
        #expect(try sandbox.sbfs("show", id).out.contains("document/d.txt, unavailable"))
    }
}
