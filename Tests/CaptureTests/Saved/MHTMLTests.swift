import TestSupport
import Testing

@testable import Capture

/// Pages in one file, as Chromium writes them.
struct MHTMLTests {
    private static let boundary = "----MultipartBoundary--abc----"
    private static let words = String(
        repeating: "<p>Stones lie in the river, and water wears them down.</p>", count: 10)

    /// A head that names the page, the page and its sheet in quoted-printable, pictures in base64.
    private static let sample = [
        "From: <Saved by Blink>", "Snapshot-Content-Location: https://example.org/page", "Subject: Stones",
        "MIME-Version: 1.0", "Content-Type: multipart/related;", "\ttype=\"text/html\";", "\tboundary=\"\(boundary)\"",
        "", "", "--\(boundary)", "Content-Type: text/html", "Content-ID: <frame-0@mhtml.blink>",
        "Content-Transfer-Encoding: quoted-printable", "Content-Location: https://example.org/page", "",
        "<!doctype html><html><head><title>St=C3=B6nes</title><link rel=3D\"stylesheet\" href=3D\"cid:css-1@mhtml.blink\">=",
        "<meta charset=3D\"utf-8\"></head><body><article>\(words)</article><img src=3D\"https://example.org/i.gif\"></body>",
        "--\(boundary)", "Content-Type: text/css", "Content-ID: <css-1@mhtml.blink>",
        "Content-Transfer-Encoding: quoted-printable", "", "p { background: url(\"https://example.org/j.gif\") }",
        "--\(boundary)", "Content-Type: image/gif", "Content-Transfer-Encoding: base64",
        "Content-Location: https://example.org/i.gif", "", "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=",
        "--\(boundary)", "Content-Type: image/gif", "Content-Transfer-Encoding: base64",
        "Content-Location: https://example.org/j.gif", "", "R0lGODlhAQABAIAAAAABAP///ywAAAAA", "AQABAAACAkQBADs=",
        "--\(boundary)--", "",
    ].joined(separator: "\r\n")

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `the page and its parts are read`() throws {
        let archive = try #require(MHTMLArchive(Array(Self.sample.utf8)))
        #expect(archive.url == "https://example.org/page")
        let page = try #require(text(archive.main?.body))
        #expect(page.contains("<title>Stönes</title><link rel=\"stylesheet\""))
        // A line that ends with = continues.
        #expect(page.contains("blink\"><meta charset"))
        let pictures = archive.parts.filter { $0.contentType == "image/gif" }
        #expect(pictures.map(\.url) == ["https://example.org/i.gif", "https://example.org/j.gif"])
        #expect(pictures.allSatisfy { $0.body.starts(with: "GIF89a".utf8) && $0.body.last == 0x3B })
        #expect(SavedPageFile.identify(Array(Self.sample.utf8))?.kind == .mhtml)
    }

    @Test func `it becomes an archive with all that it holds, and nothing is fetched`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("page.mhtml", Self.sample)
        let trial = try PageTrial(file: scratch.full("page.mhtml"), url: "https://example.org/page")
        #expect(trial.report.status == .full, "\(trial.report)")
        #expect(trial.report.capturedBy == "user")
        #expect(trial.report.title == "Stönes")
        let assets = try trial.assets
        #expect(assets.count { $0.hasSuffix(".gif") } == 2 && assets.count { $0.hasSuffix(".css") } == 1, "\(assets)")
        #expect(try !trial.page.contains("cid:"))
    }

    @Test func `a file that is cut off is a page in part`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("page.mhtml", Array(Array(Self.sample.utf8).dropLast(120)))
        let report = try PageTrial(file: scratch.full("page.mhtml"), url: "https://example.org/page").report
        #expect(report.status == .partial && report.kind == .brokenAnswer, "\(report)")
        #expect(report.diagnostic?.description == "the file ends before the page does; save the page again")
    }

    @Test func `a file cut off anywhere gives its whole parts, or nothing, and does no harm`() throws {
        let bytes = Array(Self.sample.utf8)
        for count in stride(from: 0, to: bytes.count, by: 7) { _ = SavedPageFile.identify(Array(bytes.prefix(count))) }
        #expect(try #require(MHTMLArchive(Array(bytes.prefix(bytes.count * 6 / 10)))).main != nil)
    }

    @Test(arguments: [
        (
            "one that begins like it",
            "--b2\r\nContent-Type: text/plain\r\n\r\nno\r\n--b\r\nContent-Type: text/html\r\n\r\nyes\r\n--b--", "yes"
        ), ("in the middle of a line", "--b\r\nContent-Type: text/html\r\n\r\nx --b y\r\n--b--", "x --b y"),
        ("spaces behind it", "--b  \r\nContent-Type: text/html\r\n\r\nyes\r\n--b--  \r\n", "yes"),
        ("line feeds alone", "--b\nContent-Type: text/html\n\nyes\n--b--\n", "yes"),
        ("no end", "--b\r\nContent-Type: text/html\r\n\r\nyes", "yes"),
        (
            "what follows the end",
            "--b\r\nContent-Type: text/html\r\n\r\nyes\r\n--b--\r\n--b\r\nContent-Type: text/html\r\n\r\nno", "yes"
        ), ("an empty part first", "--b\r\n--b\r\nContent-Type: text/html\r\n\r\nyes\r\n--b--", "yes"),
    ])
    func `lines with the boundary separate parts`(name: String, body: String, expected: String) throws {
        let archive = try #require(
            MHTMLArchive(Array(("Content-Type: multipart/related; boundary=b\r\n\r\n" + body).utf8)), "\(name)")
        #expect(text(archive.main?.body) == expected, "\(name)")
    }

    @Test(arguments: [
        "", "\r\n\r\n", "Content-Type: text/html\r\n\r\n<p>", "Content-Type: multipart/related\r\n\r\n--\r\n",
        "no field\r\n", "Content-Type: multipart/related; boundary=\"\"\r\n\r\n----\r\n", " folded: first\r\n\r\n",
        "Content-Type: multipart/related; boundary=b\r\n\r\nnothing\r\n",
    ])
    func `bytes that are no multipart message are none`(text: String) { #expect(MHTMLArchive(Array(text.utf8)) == nil) }

    @Test(arguments: [
        ("a=3Db", "a=b"), ("a=\r\nb", "ab"), ("a= \t\r\nb", "ab"), ("a=\nb", "ab"), ("a=3", "a=3"), ("a=ZZ", "a=ZZ"),
        ("=e2=82=ac", "€"), ("=C3=A9", "é"),
    ])
    func `quoted-printable is read as RFC 2045 has it, and mistakes stay as they are`(coded: String, plain: String) {
        let bytes = Array(coded.utf8)
        #expect(text(TransferEncoding.decode(bytes[...], "Quoted-Printable")) == plain)
    }

    @Test(arguments: [
        ("QUJD", "ABC"), ("QU\r\nJD", "ABC"), ("QUI=", "AB"), ("QQ==tail", "A"), ("Q", ""), ("", ""), ("****", ""),
    ])
    func `base64 ignores characters outside of its alphabet`(coded: String, plain: String) {
        let bytes = Array(coded.utf8)
        #expect(text(TransferEncoding.decode(bytes[...], "base64")) == plain)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "cid:x", "chrome://settings"])
    func `an address that is none of the web is not taken as the page's`(location: String) {
        let text =
            "Snapshot-Content-Location: \(location)\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
            + "Content-Type: text/html\r\nContent-Location: \(location)\r\n\r\n<p>\r\n--b--"
        #expect(SavedPageFile.identify(Array(text.utf8)) == SavedPageFile.Identity(kind: .mhtml, url: nil))
    }

    @Test func `a hundred thousand parts are bounded`() throws {
        var text = "Content-Type: multipart/related; boundary=b\r\n\r\n"
        text += String(repeating: "--b\r\nContent-Type: text/html\r\n\r\nx\r\n", count: 100_000)
        #expect(try #require(MHTMLArchive(Array(text.utf8))).parts.count <= 20_001)
    }
}
