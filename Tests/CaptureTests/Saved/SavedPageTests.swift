import TestSupport
import Testing
import URLs

@testable import Capture

/// Pages that a person saved with another program.
struct SavedPageTests {
    private func identity(_ text: String) -> SavedPageFile.Identity? { SavedPageFile.identify(Array(text.utf8)) }

    @Test(arguments: [
        (
            "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://example.org/a?b=1&amp;c \n saved\n--><p>",
            "https://example.org/a?b=1&c"
        ), ("<!DOCTYPE html>\n<!-- saved from url=(0020)https://example.org/ -->\n<html>", "https://example.org/"),
        ("<!doctype html><meta name=\"sbfs:url\" content=\"https://example.org/x\"><p>", "https://example.org/x"),
    ])
    func `a page saved by SingleFile, by a browser or by this program says where it came from`(
        page: String, url: String
    ) {
        #expect(identity(page) == SavedPageFile.Identity(kind: .html, url: url))
    }

    @Test(arguments: [
        "<!doctype html><p>", "<!-- saved from url=(0014)about:internet --><html>",
        "<!-- saved from url=(0011)file:///etc --><html>",
        "<html><!-- Page saved with SingleFile\n url: javascript:alert(1)\n-->",
        "<html><!-- Page saved with SingleFile -->url: https://a.b/", "<!doctype html><!-- saved from url=(",
    ])
    func `a page that does not say has no URL`(page: String) {
        #expect(identity(page) == SavedPageFile.Identity(kind: .html, url: nil))
    }

    @Test func `a file that is no saved page is none, whatever its name`() {
        for bytes in [[], Array("just text".utf8), Array("%PDF-1.7".utf8), [0x50, 0x4B, 3, 4], Array("bplist00".utf8)] {
            #expect(SavedPageFile.identify(bytes) == nil)
        }
    }

    // MARK: The folder beside the file

    private func saved(_ body: String, _ prepare: (ScratchDirectory) throws -> Void) throws -> PageTrial {
        let scratch = try ScratchDirectory()
        let mark = "<!DOCTYPE html>\n<!-- saved from url=(0024)https://example.org/a/b/ --><title>T</title>"
        try scratch.write("desk/page.html", mark + SampleFile.article + body)
        try prepare(scratch)
        return try PageTrial(file: scratch.full("desk/page.html"), url: "https://example.org/a/b/")
    }

    @Test func `files that a browser put beside the page come along`() throws {
        let trial = try saved(
            "<link rel=stylesheet href='./page_files/s.css'><img src='page_files/i.gif'>"
                + "<img src='./page%5ffiles/a%20b.gif'>"
        ) { scratch in
            try scratch.write("desk/page_files/s.css", "p { background: url(j.gif) }")
            try scratch.write("desk/page_files/i.gif", SampleFile.gif(1))
            try scratch.write("desk/page_files/j.gif", SampleFile.gif(2))
            try scratch.write("desk/page_files/a b.gif", SampleFile.gif(3))
        }
        #expect(trial.report.status == .full, "\(trial.report)")
        #expect(try trial.assets.count { $0.hasSuffix(".gif") } == 3)
        #expect(try trial.texts("css").count == 1)
    }

    @Test func `nothing outside of the page's own folder is read, and nothing hidden`() throws {
        let trial = try saved(
            "<img src='../secret.gif'><img src='page_files/../../secret.gif'><img src='%2e%2e/secret.gif'>"
                + "<img src='page_files/link.gif'><img src='linked/secret.gif'>"
                + "<img src='page_files/..%2f..%2fsecret.gif'><object data='file:///etc/passwd'></object>"
                + "<iframe src='.hidden/key.html'></iframe><img src='page_files/.i.gif'>"
                + "<img src='page_files/pipe.gif'><img src='page_files/%00.gif'>"
        ) { scratch in
            try scratch.write("secret.gif", SampleFile.gif(9))
            try scratch.write("outside/secret.gif", SampleFile.gif(8))
            try scratch.write("desk/.hidden/key.html", "<p>private")
            try scratch.write("desk/page_files/.i.gif", SampleFile.gif(7))
            try scratch.link("desk/page_files/link.gif", to: scratch.full("secret.gif"))
            try scratch.link("desk/linked", to: scratch.full("outside"))
            try scratch.makeFIFO("desk/page_files/pipe.gif")
        }
        #expect(trial.report.status == .full)
        #expect(try trial.assets.isEmpty)
    }

    @Test func `scripts are taken out of a saved page as out of any`() throws {
        let body = "<script>alert(1)</script><p onclick='alert(2)'>x<a href='javascript:alert(3)'>y</a>"
        #expect(try !saved(body) { _ in }.page.contains("alert"))
    }

    // MARK: .webarchive

    private let webArchive = BinaryList.bytes(
        .members([
            (
                "WebMainResource",
                BinaryList.resource(
                    "https://example.org/p", "text/html",
                    Array("<title>Stones</title><img src=i.gif><iframe src=f.html></iframe>\(SampleFile.article)".utf8))
            ),
            (
                "WebSubresources",
                .list([BinaryList.resource("https://example.org/i.gif", "image/gif", SampleFile.gif(1))])
            ),
            (
                "WebSubframeArchives",
                .list([
                    .members([
                        (
                            "WebMainResource",
                            BinaryList.resource(
                                "https://example.org/f.html", "text/html", Array("<p>främe<img src=j.gif>".utf8))
                        ),
                        (
                            "WebSubresources",
                            .list([BinaryList.resource("https://example.org/j.gif", "image/gif", SampleFile.gif(2))])
                        ),
                    ])
                ])
            ),
        ]))

    @Test func `a .webarchive becomes an archive with its frames`() throws {
        let expected = SavedPageFile.Identity(kind: .webarchive, url: "https://example.org/p")
        #expect(SavedPageFile.identify(webArchive) == expected)
        let scratch = try ScratchDirectory()
        try scratch.write("p.webarchive", webArchive)
        let trial = try PageTrial(file: scratch.full("p.webarchive"), url: "https://example.org/p")
        #expect(trial.report.status == .full, "\(trial.report)")
        #expect(trial.report.title == "About stones")
        #expect(try trial.assets.count { $0.hasSuffix(".gif") } == 2)
        #expect(try trial.texts("html").contains { $0.contains("främe") })
    }

    @Test func `a .webarchive that is damaged fails with a reason`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("p.webarchive", Array(webArchive.dropLast(40)))
        let trial = try PageTrial(file: scratch.full("p.webarchive"), url: "https://example.org/p")
        #expect(trial.report.status == .failed)
        #expect(trial.report.diagnostic?.description.contains("cannot be read") == true, "\(trial.report)")
        #expect(try trial.names.isEmpty)
    }

    @Test func `a file that is no page, or not there, fails with a reason`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("x.html", "just text")
        let text = try PageTrial(file: scratch.full("x.html"), url: "https://example.org/")
        #expect(text.report.diagnostic?.description.hasSuffix("is no saved page (HTML, MHTML or .webarchive)") == true)
        #expect(try PageTrial(file: scratch.full("absent.html"), url: "https://example.org/").report.status == .failed)
    }

    @Test(arguments: [
        ("page.html", "page_files"), ("page.html", "page-Dateien"), ("page.html", "page_fichiers"),
        ("page.htm", "page.files"),
        ("page.html", "page.assets"), ("page.html", "page.html_files"), ("ä b.html", "ä b_files"),
    ])
    func `files are taken from the folder that is named after the page, and from no other`(
        _ name: String, folder: String
    ) throws {
        let scratch = try ScratchDirectory()
        try scratch.write(name, "<p>page")
        for place in [folder, "other_files", "Documents", "page", "pager_files"] {
            try scratch.write(place + "/i.gif", "GIF")
        }
        try scratch.write("i.gif", "GIF")
        let page = try #require(WebURL("https://example.com/a/b"))
        let loader = FolderLoader(besides: scratch.full(name), page: page)
        func isTaken(_ path: String) throws -> Bool {
            let url = try #require(WebURL(path, base: page))
            var isTaken = false
            loader.load(url, for: .image, from: page) { if case .success = $0 { isTaken = true } }
            return isTaken
        }
        #expect(try isTaken(folder + "/i.gif"))
        for place in ["i.gif", "other_files/i.gif", "Documents/i.gif", "page/i.gif", "pager_files/i.gif", folder] {
            #expect(try !isTaken(place), "\(place)")
        }
    }
}
