import TestSupport
import Testing

/// `add FILE` of a page that a person saved with another program; nothing is fetched for it.
struct AddSavedPageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let mark =
        "<!DOCTYPE html>\n<!-- saved from url=(0020)https://example.org/ -->\n<title>Stones</title>"

    @Test func `it becomes the archive of the link that it names`() throws {
        try sandbox.file("Stones.html", Self.mark + ArchiveTests.article + "<img src='Stones_files/i.gif'>")
        try sandbox.scratch.write("desk/Stones_files/i.gif", ArchiveTests.gif)
        let run = try sandbox.sbfs("add", "Stones.html", "--tag", "saved")
        let id = try #require(run.lines.first)
        let item = try sandbox.item(id)
        #expect(item["type"] as? String == "link")
        #expect(item["linkURL"] as? String == "https://example.org/")
        #expect(item["archiveStatus"] as? String == "full")
        #expect(item["capturedBy"] as? String == "user")
        #expect(item["linkTitle"] as? String == "About stones")
        #expect(try sandbox.tags(id) == ["saved"])
        #expect(try sandbox.scratch.names(sandbox.folder(id) + "/assets").count == 1)
        #expect(sandbox.scratch.exists("desk/Stones.html"))
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `the item with the URL gets it, and the worse page becomes a snapshot`() throws {
        let id = try sandbox.link("https://example.org/", title: "Mine")
        try sandbox.file("first.html", Self.mark + ArchiveTests.article)
        #expect(try sandbox.sbfs("add", "first.html").lines == [id])
        #expect(try sandbox.title(id) == "Mine")
        #expect(try sandbox.item(id)["archiveStatus"] as? String == "full")
        let page = try sandbox.scratch.text(sandbox.folder(id) + "/page.html")
        // Half of the text is missing: the file is kept, but does not replace the better one.
        try sandbox.file("poor.html", Self.mark + "<p>Only this is left.")
        let run = try sandbox.sbfs("add", "poor.html")
        #expect(run.lines == [id])
        #expect(run.err.contains("was kept as it is"), "\(run)")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html") == page)
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
    }

    @Test(arguments: ["page.html", "PAGE.HTM", "page.mhtml", "page.webarchive"])
    func `one that names no URL, or is no page, is a document as before`(name: String) throws {
        try sandbox.file(name, "<!doctype html><p>no mark")
        let id = try #require(try sandbox.sbfs("add", name).lines.first)
        #expect(try sandbox.item(id)["type"] as? String == "document")
    }

    @Test func `--type document keeps it a document`() throws {
        try sandbox.file("page.html", Self.mark)
        let id = try #require(try sandbox.sbfs("add", "page.html", "--type", "document").lines.first)
        #expect(try sandbox.item(id)["type"] as? String == "document")
        #expect(try sandbox.ids("has:document") == [id])
    }

    @Test func `MHTML and several at once are taken too, and a dry run takes none`() throws {
        try sandbox.file("a.html", Self.mark + ArchiveTests.article)
        try sandbox.file(
            "b.mhtml",
            "Snapshot-Content-Location: https://example.org/b\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\n"
                + "Content-Type: text/html\r\nContent-Location: https://example.org/b\r\n\r\n<title>B</title>"
                + ArchiveTests.article + "\r\n--x--\r\n")
        try sandbox.sbfs("add", "a.html", "b.mhtml", "--dry-run")
        #expect(try sandbox.ids().isEmpty)
        let run = try sandbox.sbfs("add", "a.html", "b.mhtml", "--json")
        let items = try run.array()
        #expect(items.map { $0["linkURL"] as? String } == ["https://example.org/", "https://example.org/b"])
        #expect(items.allSatisfy { $0["archiveStatus"] as? String == "full" })
    }

    @Test func `archive --from takes a file for an item, also one that is worse`() throws {
        let id = try sandbox.link("https://example.org/")
        try sandbox.file("first.html", Self.mark + ArchiveTests.article)
        try sandbox.file("poor.html", Self.mark + "<p>Only this is left.")
        try sandbox.sbfs("archive", id, "--from", "first.html")
        try sandbox.sbfs("archive", id, "--from", "poor.html")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html").contains("Only this is left."))
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
        #expect(try sandbox.sbfs("archive", id, "--from", "absent.html", exits: 1).err.contains("there is no file"))
    }
}
