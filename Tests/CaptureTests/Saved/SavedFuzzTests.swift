import TestSupport
import Testing

@testable import Capture

/// Files of arbitrary bytes, and good ones with damage: reading ends, with a page or without.
struct SavedFuzzTests {
    private static let samples: [[UInt8]] = [
        Array(
            ("Content-Type: multipart/related; boundary=\"b\"; start=\"<1>\"\r\nSnapshot-Content-Location: https://e.org/\r\n"
                + "\r\n--b\r\nContent-Type: text/html\r\nContent-ID: <1>\r\nContent-Transfer-Encoding: quoted-printable\r\n"
                + "\r\n<p>=C3=A9=\r\n\r\n--b\r\nContent-Type: image/gif\r\nContent-Transfer-Encoding: base64\r\n"
                + "Content-Location: https://e.org/i\r\n\r\nR0lGODlh\r\n--b--\r\n").utf8),
        Array(
            ("<!doctype html><!-- saved from url=(0014)https://e.org/ --><!-- Page saved with SingleFile url: "
                + "https://e.org/ -->").utf8),
        Array("<!doctype html><meta name=\"sbfs:url\" content=\"https://e.org/?a&amp;b\"><p>".utf8),
        BinaryList.bytes(
            .members([
                ("WebMainResource", BinaryList.resource("https://e.org/", "text/html", Array("<p>x".utf8))),
                ("WebSubresources", .list([BinaryList.resource("https://e.org/ö", "image/gif", SampleFile.gif())])),
                ("WebSubframeArchives", .list([.members([]), .list([])])),
            ])),
        Array(
            ("<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\"><dict><key>WebMainResource</key><dict>"
                + "<key>WebResourceURL</key><string>https://e.org/&amp;</string><key>WebResourceData</key>"
                + "<data>PHA+</data></dict><key>n</key><integer>12</integer></dict></plist>").utf8),
    ]

    @Test func `a saved file with any contents is read to an end`() {
        var generator = SeededGenerator.forFuzzing
        let pieces: [[UInt8]] = [0, 0xFF, 0x0A, 0x2D, 0x3D].map { [UInt8](repeating: $0, count: 4) }
        for _ in 0..<FuzzSetting.cases(3000) {
            let sample = Self.samples.randomElement(using: &generator) ?? []
            let bytes = generator.damaged(sample, pieces: pieces)
            if let identity = SavedPageFile.identify(bytes), let url = identity.url, identity.kind != .webarchive {
                #expect(url.lowercased().hasPrefix("http"))
            }
            _ = MHTMLArchive(bytes)
            _ = WebArchive(bytes)
            _ = SavedHTML.url(of: bytes)
        }
    }

    @Test func `a property list that refers to its parts again and again is refused`() {
        // Each of 60 lists contains the previous one twice: 2^60 values.
        var bytes = Array("bplist00".utf8)
        var offsets = [bytes.count]
        bytes += [0x5F, 0x10, 0x0F] + Array("WebMainResource".utf8)
        for number in 0..<60 {
            offsets.append(bytes.count)
            bytes += [0xA2, UInt8(number), UInt8(number)]
        }
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 61] + [0, 0, 0, 0, 0, 0, 0, 60]
        bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
        #expect(WebArchive.isOne(bytes))
        #expect(WebArchive(bytes) == nil)
    }
}
