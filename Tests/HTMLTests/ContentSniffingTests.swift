import TestSupport
import Testing

@testable import HTML

struct ContentSniffingTests {
    private static let gif = Array("GIF89a..".utf8)
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(
        arguments: [
            (png, "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (gif, "image/gif"),
            (text("RIFF....WEBPVP8L"), "image/webp"),
            ([0, 0, 1, 0, 1], "image/x-icon"), (text("BM....\0\0\0\0....") + [40, 0, 0, 0], "image/bmp"),
            (text("\0\0\0\u{20}ftypavif\0\0\0\0avifmif1"), "image/avif"),
            (text("\0\0\0\u{18}ftypmif1\0\0\0\0avif...."), "image/avif"),
            (text("\0\0\0\u{18}ftypisom\0\0\0\0mp41"), "video/mp4"),
            (text("\0\0\0\u{18}ftypM4A \0\0\0\0mp42"), "audio/mp4"),
            (text("RIFF....WAVEfmt "), "audio/wav"), (text("OggS\0"), "application/ogg"), (text("ID3"), "audio/mpeg"),
            ([0xFF, 0xFB, 0x90, 0x64], "audio/mpeg"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + text("webm"), "video/webm"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88] + text("matroska"), "video/x-matroska"),
            (text("WEBVTT\n"), "text/vtt"),
            (text("wOFF...."), "font/woff"), (text("wOF2...."), "font/woff2"), (text("OTTO"), "font/otf"),
            ([0, 1, 0, 0], "font/ttf"),
            (text("%PDF-1.7"), "application/pdf"), ([0x50, 0x4B, 3, 4], "application/zip"),
            ([0x1F, 0x8B, 8], "application/gzip"),
            (text(" \n<!DOCTYPE HTML>"), "text/html"), (text("<html>"), "text/html"), (text("<p>"), "text/html"),
            (text("<px>"), "text/plain"),
            (text("<!-- x --><svg/>"), "text/html"), (text("<svg xmlns='x'>"), "image/svg+xml"),
            (text("<?xml version='1.0'?><rss>"), "text/xml"),
            (text("plain"), "text/plain"), ([0x61, 0], "application/octet-stream"),
            ([0xFF, 0xFE, 0x61, 0], "text/plain"), ([], "text/plain"),
        ] as [([UInt8], String)])
    func `the type follows from the bytes`(_ bytes: [UInt8], type: String) {
        #expect(ContentSniffing.unknown(bytes) == type)
    }

    @Test(
        arguments: [
            (png, "image/jpeg", .image, "image/png"), (png, "text/html", .image, "image/png"),
            (text("x"), "image/png", .image, "image/png"),
            (
                text("<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b>'>]><!-- > --><svg>"), "text/xml", .image,
                "image/svg+xml"
            ),
            (text("<svg>"), nil, .image, "image/svg+xml"), (text("<html>"), nil, .image, "text/html"),
            (text("<svga>"), nil, .image, "text/plain"),
            (text("a{}"), "text/html", .styleSheet, "text/css"),
            (text("wOF2"), "application/octet-stream", .font, "font/woff2"),
            (text("%PDF-1"), "text/html", .document, "application/pdf"),
            (text("<p>"), "text/plain; charset=x", .document, "text/plain"),
            (text("<p>"), "application/json", .document, "application/json"),
            (text("<p>"), nil, .document, "text/html"),
            (text("<p>"), "nonsense", .document, "text/html"),
            ([0, 1, 2], "text/plain", .document, "application/octet-stream"),
            (gif, "text/plain", .document, "image/gif"), (text("<p>"), "TEXT/HTML", .document, "text/html"),
            (text("<html>"), "application/xhtml+xml", .document, "application/xhtml+xml"),
        ] as [([UInt8], String?, ContentSniffing.Purpose, String)])
    func `the declared type counts unless the bytes contradict it`(
        _ bytes: [UInt8], said: String?, purpose: ContentSniffing.Purpose, type: String
    ) {
        #expect(ContentSniffing.type(of: bytes, said: said, for: purpose) == type)
    }

    @Test func `any bytes give a type, and an extension from the list`() {
        var random = SeededGenerator.forFuzzing
        let pieces = [
            "<svg", "<!--", "-->", "<?xml", "<!doctype svg", "[", "]>", ">", " ", "ftyp", "avif", "mp4", "RIFF",
            "WEBPVP", "\u{1A}E",
        ]
        for _ in 0..<FuzzSetting.cases(4000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    bytes.append(.random(in: 0...255, using: &random))
                } else {
                    bytes += (pieces.randomElement(using: &random) ?? "").utf8
                }
            }
            for purpose in [ContentSniffing.Purpose.document, .image, .media, .font, .styleSheet, .other] {
                let type = ContentSniffing.type(of: bytes, said: String(decoding: bytes, as: UTF8.self), for: purpose)
                let ending = FileExtension.of(type: type)
                #expect(
                    !ending.isEmpty && ending.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 })
            }
        }
    }

    @Test(arguments: [
        ("image/png", "png"), ("text/css", "css"), ("font/woff2", "woff2"), ("../../x", "bin"), ("", "bin"),
    ])
    func `a type has an extension`(_ type: String, ending: String) { #expect(FileExtension.of(type: type) == ending) }
}
