import Foundation
import Glibc
import TestSupport
import Testing

/// `sbfs inbox` with the real worker. Files are dropped, and their times set back, as if they had settled long ago.
struct InboxTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func drop(_ name: String, _ text: String) throws {
        try sandbox.scratch.write("library/inbox/" + name, text)
    }

    private func left(_ folder: String = "") throws -> [String] {
        try sandbox.scratch.names("library/inbox" + (folder.isEmpty ? "" : "/" + folder)).filter { $0 != "rejected" }
    }

    private static let mark =
        "<!DOCTYPE html>\n<!-- saved from url=(0020)https://example.org/ -->\n<title>Stones</title>"

    @Test func `files become items, and the rest is listed with the reason`() throws {
        try drop("Work/Stones.url", "[InternetShortcut]\nURL=https://example.org/stones\n")
        try drop("Work/Stones.url.comment", "later 'look here'")
        try drop("note.txt", "words")
        try drop("empty.bin", "")
        try drop("film.mkv.part", "x")
        let run = try sandbox.sbfs("inbox", exits: 4)
        let ids = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        #expect(
            ids.map { [$0[0], $0[2]] } == [
                ["added", "Work/Stones.url"], ["rejected", "empty.bin"], ["added", "note.txt"],
                ["waits", "film.mkv.part"],
            ])
        #expect(ids[1][3] == "it is empty" && ids[3][3].contains("unfinished"))
        #expect(run.err.contains("2 added") && run.err.contains("1 rejected") && run.err.contains("1 waits"))
        let item = try sandbox.item(ids[0][1])
        #expect(item["linkURL"] as? String == "https://example.org/stones")
        #expect(item["archiveStatus"] as? String == "pending")
        #expect(try sandbox.tags(ids[0][1]) == ["later", "collection:Work"])
        #expect(try sandbox.text(ids[0][1]) == "look here\n")
        #expect(try sandbox.text(ids[2][1]) == "words")
        #expect(try left() == ["Work", "film.mkv.part"])
        #expect(
            try sandbox.sbfs("inbox", "--rejected").lines == ["rejected\t\trejected/empty.bin\tit is empty"])
        #expect(try sandbox.sbfs("check").out.isEmpty)
        #expect(try sandbox.sbfs("search", "look").lines.count == 1)
    }

    @Test func `an empty inbox, JSON, and a dry run`() throws {
        #expect(try sandbox.sbfs("inbox").err.contains("the inbox is empty"))
        #expect(try sandbox.sbfs("inbox", "--json").out == "[]\n")
        try drop("a.txt", "words")
        try drop("b.part", "x")
        let before = try sandbox.snapshot()
        let dry = try sandbox.sbfs("inbox", "--dry-run", "--json").array()
        #expect(dry.map { $0["path"] as? String } == ["a.txt", "b.part"])
        #expect(
            ["settling", "complete"].contains(dry[0]["state"] as? String) && dry[1]["state"] as? String == "unfinished")
        #expect(try sandbox.changes(since: before).isEmpty)
        let real = try sandbox.sbfs("inbox", "--ndjson").stream()
        #expect(real[0]["state"] as? String == "added" && real[1]["state"] as? String == "unfinished")
        let id = try #require(real[0]["id"] as? String)
        #expect(try sandbox.text(id) == "words")
        #expect(try sandbox.sbfs("inbox", "x", exits: 2).err.contains("takes no arguments"))
    }

    // MARK: Pages

    @Test func `a saved page becomes the page of its link, and a later file a snapshot or the page`() throws {
        try drop("Stones.html", Self.mark + ArchiveTests.article)
        let id = try #require(try sandbox.sbfs("inbox", "--ndjson").stream().first?["id"] as? String)
        let item = try sandbox.item(id)
        #expect(item["type"] as? String == "link" && item["linkURL"] as? String == "https://example.org/")
        #expect(item["archiveStatus"] as? String == "full" && item["capturedBy"] as? String == "user")
        #expect(item["title"] as? String == "Stones" && item["source"] as? String == "inbox")
        #expect(try left().isEmpty)
        // The same file again changes nothing; a poorer one is kept as a snapshot.
        let page = try sandbox.scratch.text(sandbox.folder(id) + "/page.html")
        try drop("Stones.html", Self.mark + ArchiveTests.article)
        #expect(try sandbox.sbfs("inbox", "--ndjson").stream().map { $0["id"] as? String } == [id])
        try drop("Saved/Poor.htm", Self.mark + "<p>Only this is left.")
        #expect(try sandbox.sbfs("inbox", "--ndjson").stream().map { $0["id"] as? String } == [id])
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html") == page)
        #expect(try sandbox.tags(id) == ["collection:Saved"])
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
        #expect(try left("Saved").isEmpty)
        #expect(try sandbox.ids().count == 1)
    }

    static let pages = [
        (
            "single.html",
            "<!DOCTYPE html><html><!--\n Page saved with SingleFile \n url: https://example.org/ \n saved date: x\n--><title>One</title>"
        ),
        (
            "page.mhtml",
            "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: https://example.org/\r\n\r\n<title>One</title>"
        ),
    ]

    @Test(arguments: pages) func `SingleFile and MHTML are matched by their URL`(name: String, start: String) throws {
        let id = try sandbox.link("https://example.org/", title: "Mine")
        try drop(name, start + ArchiveTests.article + (name.hasSuffix("mhtml") ? "\r\n--b--\r\n" : ""))
        #expect(try sandbox.sbfs("inbox").lines.first?.hasPrefix("joined\t\(id)") == true)
        #expect(try sandbox.item(id)["archiveStatus"] as? String == "full")
        #expect(try sandbox.title(id) == "Mine")
    }

    @Test func `a webarchive is matched by its URL`() throws {
        let id = try sandbox.link("https://example.org/")
        let main: BinaryList.Value = .members([
            ("WebResourceURL", .text("https://example.org/")), ("WebResourceMIMEType", .text("text/html")),
            ("WebResourceData", .data(Array(("<title>One</title>" + ArchiveTests.article).utf8))),
        ])
        try sandbox.scratch.write(
            "library/inbox/One.webarchive", BinaryList.bytes(.members([("WebMainResource", main)])))
        #expect(try sandbox.sbfs("inbox").lines.first?.hasPrefix("joined\t\(id)") == true)
        #expect(try sandbox.item(id)["archiveStatus"] as? String == "full")
    }

    @Test func `the address of a page may come from its attribute`() throws {
        let id = try sandbox.link("https://example.org/plain")
        try drop("plain.html", "<!doctype html><title>Plain</title>" + ArchiveTests.article)
        try sandbox.scratch.setAttribute("library/inbox/plain.html", "user.xdg.origin.url", "https://example.org/plain")
        #expect(try sandbox.sbfs("inbox").lines.first?.hasPrefix("joined\t\(id)") == true)
        #expect(try sandbox.item(id)["archiveStatus"] as? String == "full")
    }

    @Test func `a page without an address is a document`() throws {
        for name in ["plain.html", "not.mhtml", "no.webarchive"] {
            try drop(name, "<!doctype html><p>no mark")
        }
        #expect(try sandbox.sbfs("inbox").lines.count == 3)
        #expect(try sandbox.ids("type:document").count == 3)
    }

    @Test func `the folder of a page goes with it`() throws {
        try drop("Stones.html", Self.mark + ArchiveTests.article + "<img src='Stones_files/i.gif'>")
        try sandbox.scratch.write("library/inbox/Stones_files/i.gif", ArchiveTests.gif)
        try drop("Stones_files/s.js", "alert(1)")
        let id = try #require(try sandbox.sbfs("inbox", "--ndjson").stream().first?["id"] as? String)
        #expect(try sandbox.scratch.names(sandbox.folder(id) + "/assets").count == 1)
        #expect(try left().isEmpty)
        #expect(try sandbox.ids().count == 1)
    }

    @Test func `a page with a folder that names no address is rejected with it`() throws {
        try drop("Stones.html", "<!DOCTYPE html><title>Stones</title>" + ArchiveTests.article)
        try drop("Stones_files/s.js", "alert(1)")
        #expect(
            try sandbox.sbfs("inbox", "--json", exits: 4).array().allSatisfy {
                $0["reason"] as? String == "pageWithoutAddress"
            })
        #expect(try sandbox.scratch.text("library/inbox/rejected/Stones_files/s.js") == "alert(1)")
        #expect(sandbox.scratch.exists("library/inbox/rejected/Stones.html"))
        #expect(try left().isEmpty && sandbox.ids().isEmpty)
    }

    @Test func `without the worker, pages wait and are not lost`() throws {
        try sandbox.shell("cp '\(Sbfs.binary)' alone && mkdir -p '\(sandbox.library)/inbox'")
        try drop("Stones.html", Self.mark)
        try drop("a.txt", "words")
        let run = try sandbox.shell("./alone inbox --json", exits: 4)
        let found = try run.array()
        #expect(found.map { $0["state"] as? String } == ["added", "needsWorker"])
        #expect(try left() == ["Stones.html"])
        #expect(try sandbox.sbfs("inbox").lines.first?.hasPrefix("added") == true)
    }

    // MARK: Others

    @Test func `undo trashes the items and redo brings them back`() throws {
        try drop("a.txt", "words")
        let id = try #require(try sandbox.sbfs("inbox", "--ndjson").stream().first?["id"] as? String)
        #expect(try sandbox.sbfs("log").out.contains("sbfs inbox"))
        try sandbox.sbfs("undo")
        #expect(try sandbox.ids().isEmpty && left().isEmpty)
        try sandbox.sbfs("redo")
        #expect(try sandbox.ids() == [id])
    }

    @Test func `a file that cannot be read waits, and the rest goes on`() throws {
        try drop("a.txt", "words")
        try drop("secret.txt", "hidden")
        try drop("z.txt", "words too")
        chmod(sandbox.scratch.full("library/inbox/secret.txt"), 0)
        var line = "'\(Sbfs.binary)' inbox --json"
        if geteuid() == 0 {
            // The same as a user who owns all but that file's rights.
            try sandbox.shell(
                "chown -R nobody:nogroup '\(sandbox.scratch.path)' && chmod 755 '\(sandbox.scratch.path)'")
            line = "setpriv --reuid=nobody --regid=nogroup --clear-groups " + line
        }
        let found = try sandbox.shell(line, exits: nil).array()
        #expect(found.map { $0["state"] as? String } == ["added", "added", "inaccessible"], "\(found)")
        #expect(try left() == ["secret.txt"])
    }

    @Test func `a name that is hostile is printed harmlessly`() throws {
        try sandbox.shell(
            "printf x > \"$(printf '\(sandbox.library)/inbox/a\\033[2J\\nFORGED \\342\\200\\256b.part')\"")
        let run = try sandbox.sbfs("inbox")
        #expect(EveryVerbTests.faults(run.outBytes).isEmpty && run.lines.count == 1, "\(run)")
        #expect(EveryVerbTests.faults(try sandbox.sbfs("inbox", "--json").outBytes).isEmpty)
    }

    @Test func `two runs at once make one item of each file`() throws {
        for number in 0..<60 { try drop("\(number).txt", "text \(number)") }
        try sandbox.shell(
            "'\(Sbfs.binary)' inbox > one & '\(Sbfs.binary)' inbox > two; wait; '\(Sbfs.binary)' inbox > three")
        #expect(try sandbox.ids().count == 60)
        #expect(try left().isEmpty)
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }
}
