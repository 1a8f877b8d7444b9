import TestSupport
import Testing

@testable import URLs

/// The URL Standard's parser; `sbfs-bench conformance` runs the published test data.
struct WebURLTests {
    @Test(arguments: [
        ("../c?d#e", "http://a.example/x/y/z?q", "http://a.example/x/c?d#e"),
        ("//b.example", "https://a.example/x", "https://b.example/"),
        ("?n", "http://a.example/x?q#f", "http://a.example/x?n"),
        ("", "http://a.example/x?q#f", "http://a.example/x?q"),
        ("#g", "http://a.example/x?q#f", "http://a.example/x?q#g"),
        ("\\b\\c", "http://a.example/x", "http://a.example/b/c"),
        ("http:b", "http://a.example/x/y", "http://a.example/x/b"),
        ("http:b", "https://a.example/x/y", "http://b/"), ("/..//../a", "http://a.example", "http://a.example/a"),
        ("%2e%2E/./b", "http://a.example/x/y/", "http://a.example/x/b"),
        ("b c\"<é", "http://a.example/", "http://a.example/b%20c%22%3C%C3%A9"),
        (" \n h\tttp://B.EXAMPLE:80/ ", "http://a.example", "http://b.example/"),
        ("b", "file:///c:/x/y", "file:///c:/x/b"),
        ("/b", "file:///c:/x", "file:///c:/b"), ("../..", "file:///c:/x", "file:///c:/"),
        ("D|/b", "file:///c:/x", "file:///D:/b"),
        ("//host/x", "file:///c:/x", "file://host/x"), ("x", "about:blank", "-"),
        ("#x", "about:blank", "about:blank#x"),
        ("mailto:a b@c", "http://a.example", "mailto:a b@c"), ("web:/.//b", "http://a.example", "web:/.//b"),
        ("?'\"", "http://a.example", "http://a.example/?%27%22"), ("?'\"", "web://a/b", "web://a/b?'%22"),
    ])
    func `a reference is resolved as browsers do`(_ text: String, base: String, href: String) throws {
        let base = try #require(WebURL(base))
        #expect((WebURL(text, base: base)?.href ?? "-") == href)
    }

    @Test(arguments: [
        ("http://EXAMPLE.com", "example.com"), ("http://faß.de", "xn--fa-hia.de"), ("http://ＷＷＷ．a。b", "www.a.b"),
        ("http://a%62c", "abc"), ("http://0x7f.1", "127.0.0.1"), ("http://2130706433", "127.0.0.1"),
        ("http://0300.0250.257", "192.168.1.1"),
        ("http://1.2.3.4.", "1.2.3.4"), ("http://[1:0:0:2::192.168.0.1]", "[1::2:0:0:c0a8:1]"), ("http://[::]", "[::]"),
        ("http://[1:0:0:0:0:0:0:8]", "[1::8]"), ("web://[::1]", "[::1]"), ("web://A%41é", "A%41%C3%A9"),
        ("http://a\u{AD}b", "ab"),
        ("http://xn--bcher-kva", "xn--bcher-kva"), ("http://BÜCHER", "xn--bcher-kva"), ("http://a_b", "a_b"),
    ])
    func `a host has one spelling`(_ text: String, host: String) {
        #expect(WebURL(text)?.hostText == host)
    }

    @Test(arguments: [
        "", "b", "//a", "http://", "http:///", "http://:80", "http://a:b", "http://a:65536", "http://a b", "http://a<b",
        "http://a%00b",
        "http://[1", "http://[1::2::3]", "http://[1:2:3]", "http://[::1.2.3.04]", "http://[1:2:3:4:5:6:7:8:9]",
        "http://256.1.1.1",
        "http://1.2.3.4.5", "http://a.0x", "http://u@", "http://xn--a", "http://xn--zz--ab", "http://\u{AD}",
        "http://a%",
        "web://a b", "http://%C3", "http://\u{202E}a", "http://a:1 2", "1http://a",
    ])
    func `text that is no URL is refused`(_ text: String) {
        #expect(WebURL(text) == nil)
    }

    @Test func `a URL falls into its parts`() throws {
        let url = try #require(WebURL("HTTPS://us%65r:p@ss@Host.example:8443/a/../b;c?d=e?#f#g"))
        #expect(url.href == "https://us%65r:p%40ss@host.example:8443/b;c?d=e?#f#g")
        #expect(url.scheme == "https" && url.username == "us%65r" && url.password == "p%40ss")
        #expect(url.host == .domain("host.example") && url.port == 8443 && url.effectivePort == 8443)
        #expect(url.path == "/b;c" && url.query == "d=e?" && url.fragment == "f#g")
        #expect(url.origin == "https://host.example:8443" && url.isHTTP && url.hasCredentials)
        #expect(url.withoutFragment == WebURL("https://us%65r:p%40ss@host.example:8443/b;c?d=e?"))
        #expect(url.withoutFragment.fragment == nil)
    }

    @Test func `absent parts are distinguished from empty ones`() throws {
        let empty = try #require(WebURL("http://a/?#"))
        #expect(empty.query == "" && empty.fragment == "" && empty.href == "http://a/?#")
        let absent = try #require(WebURL("http://a"))
        #expect(absent.query == nil && absent.fragment == nil && absent.port == nil && absent.effectivePort == 80)
        #expect(WebURL("file:///x")?.host == .empty)
        #expect(WebURL("data:,x")?.host == nil)
        #expect(WebURL("http://10.0.0.1")?.host == .ipv4(0x0A00_0001))
        #expect(WebURL("http://[fe80::1]")?.host == .ipv6([0xFE80, 0, 0, 0, 0, 0, 0, 1]))
        #expect(WebURL("http://[fe80::1]")?.host?.text == "[fe80::1]")
    }

    @Test(arguments: [
        ("http://a:80/x", "http://a"), ("https://a:1", "https://a:1"), ("file:///a", "null"), ("data:,a", "null"),
        ("blob:https://a/x", "https://a"), ("blob:data:x", "null"), ("ws://a", "ws://a"),
    ])
    func `an origin is scheme, host and port`(_ text: String, origin: String) {
        #expect(WebURL(text)?.origin == origin)
    }

    @Test func `bytes that are no UTF-8 are replaced`() {
        #expect(WebURL(utf8: Array("http://a/".utf8) + [0xFF])?.href == "http://a/%EF%BF%BD")
    }

    @Test func `for any text, the serialised URL parses to itself`() {
        var random = SeededGenerator.forFuzzing
        let bases = [
            "http://u:p@h:1/a/b?c#d", "file:///c:/d/e", "web:/.//a", "web://h/a/b", "about:blank", "data:text/html,x",
        ]
        .compactMap { WebURL($0) }
        let pieces = [
            "http", "file", "web", ":", "/", "//", "\\", "?", "#", "@", "[", "]", "..", ".", "%2e", "%", "%41", "C:",
            "C|", "xn--",
            "localhost", "é", "ß", "\u{AD}", "\u{200D}", "０", "1", "0x", "::", "1:", "a", " ", "\t", "\0", "\u{FFFF}",
            "、", "。", "|", "^",
        ]
        for _ in 0..<FuzzSetting.cases(4000) {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<14, using: &random) {
                if Int.random(in: 0..<8, using: &random) == 0 {
                    text.append(.random(in: 0...255, using: &random))
                } else {
                    text += (pieces.randomElement(using: &random) ?? "").utf8
                }
            }
            let base = Bool.random(using: &random) ? bases.randomElement(using: &random) : nil
            guard let url = WebURL(utf8: text, base: base) else { continue }
            #expect(
                WebURL(url.href) == url,
                "\(String(decoding: text, as: UTF8.self).debugDescription) with \(base?.href ?? "-")")
            #expect(url.utf8.allSatisfy { $0 < 0x80 } && WebURL(utf8: url.utf8, base: base) == url)
            #expect(WebURL(url.href)?.host == url.host && WebURL(url.href)?.path == url.path)
            _ = (url.origin, url.username, url.password, url.query, url.fragment, url.withoutFragment, DataURL(url))
        }
    }
}
