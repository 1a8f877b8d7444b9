import Testing
import Time
import URLs

@testable import Capture

/// Small grammars of header fields.
struct HeaderFieldTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"),
        ("Thu, 01-Jan-1970 00:00:00 GMT", "1970-01-01T00:00:00.000Z"),
        ("Wed, 29 Feb 2028 23:59:60 GMT", "2028-02-29T23:59:59.000Z"),
        ("1 jan 00 1:2:3", "2000-01-01T01:02:03.000Z"), ("08:00:00 12 DECEMBER 2031", "2031-12-12T08:00:00.000Z"),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59.000Z"),
    ])
    func `dates are read in any usual spelling`(_ text: String, instant: String) {
        #expect(HTTPDate.read(text)?.rfc3339 == instant)
    }

    @Test(arguments: [
        "", "0", "-1", "yesterday", "Sun, 06 Nov 1994", "30 Feb 2020 00:00:00 GMT", "1 Jan 1500 00:00:00",
        "32 Jan 2020 00:00:00", "1 Jan 2020 24:00:00", "1 Jan 2020 00:60:00", "1 Foo 2020 00:00:00",
        String(repeating: "1 ", count: 100_000),
    ])
    func `text that is no date is none`(_ text: String) { #expect(HTTPDate.read(text) == nil) }

    @Test func `Retry-After is seconds or a date, never negative, at most a day`() {
        let now = Timestamp(milliseconds: 784_111_777_000)  // Sun, 06 Nov 1994 08:49:37 GMT
        let cases: [(String, Duration?)] = [
            ("0", .zero), ("120", .seconds(120)), (" 5 ", .seconds(5)), ("99999999999999999999", .seconds(86400)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
            ("Sun, 06 Nov 2094 08:49:37 GMT", .seconds(86400)), ("", nil), ("-1", nil), ("soon", nil), ("1.5", nil),
        ]
        for (field, wait) in cases { #expect(RetryAfter.wait(field, now: now) == wait, "\(field)") }
    }

    @Test(
        arguments: [
            (#"attachment; filename="a b.pdf""#, true, "a b.pdf"), ("inline", false, nil),
            ("INLINE; FILENAME=x.pdf", false, "x.pdf"), ("attachment;filename=a.pdf;x=y", true, "a.pdf"),
            (#"attachment; filename="a\"b.pdf""#, true, "a\"b.pdf"),
            (#"attachment; filename="C:\dir\a.pdf""#, true, "a.pdf"),
            (#"attachment; filename="../../etc/passwd""#, true, "passwd"), (#"attachment; filename="..""#, true, nil),
            ("attachment; filename*=UTF-8''na%C3%AFve%20file.txt", true, "naïve file.txt"),
            ("attachment; filename=\"plain.txt\"; filename*=utf-8'en'%e2%82%ac.txt", true, "€.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3.txt; filename=b.txt", true, "£.txt"),
            ("attachment; filename*=UTF-8''%ff; filename=b.txt", true, "b.txt"),
            ("attachment; filename*=koi8-r''x; filename=b.txt", true, "b.txt"),
            ("attachment; filename*=UTF-8''%zz; filename=b.txt", true, "b.txt"),
            ("attachment; filename=100%25.txt", true, "100%.txt"), ("attachment; filename=100%.txt", true, "100%.txt"),
            ("attachment; filename=\"unclosed", true, "unclosed"), ("attachment; filename = \"x\" ; y", true, "x"),
            ("attachment; filename=\"a\u{7}\u{85}b\"", true, "ab"), ("attachment; filename=", true, nil),
            ("attachment; ;;; filename=a", true, "a"), ("attachment; filename=a; filename=b", true, "a"),
            ("form-data; name=x", true, nil),
        ] as [(String, Bool, String?)])
    func `Content-Disposition gives a file's name`(_ field: String, isAttachment: Bool, name: String?) {
        let read = ContentDisposition(field)
        #expect(read?.isAttachment == isAttachment)
        #expect(read?.fileName == name)
    }

    @Test(arguments: ["", ";", "=x", "; filename=x"]) func `a Content-Disposition without a type is none`(
        _ field: String
    ) {
        #expect(ContentDisposition(field) == nil)
    }

    @Test(
        arguments: [
            ("no-referrer", nil, nil, nil), ("no-referrer-when-downgrade", "full", "full", nil),
            ("same-origin", "full", nil, nil), ("origin", "origin", "origin", "origin"),
            ("strict-origin", "origin", "origin", nil), ("origin-when-cross-origin", "full", "origin", "origin"),
            ("strict-origin-when-cross-origin", "full", "origin", nil), ("unsafe-url", "full", "full", "full"),
        ] as [(String, String?, String?, String?)])
    func `a referrer policy decides what is sent`(
        _ name: String, same: String?, other: String?, downgrade: String?
    ) throws {
        let policy = try #require(ReferrerPolicy("x, \(name.uppercased())"))
        let page = try #require(WebURL("https://user:pass@a.test:8443/p/q?r#s"))
        let spelt = ["full": "https://a.test:8443/p/q?r", "origin": "https://a.test:8443/"]
        func told(_ target: String) throws -> String? {
            policy.referer(from: page, to: try #require(WebURL(target)))
        }
        #expect(try told("https://a.test:8443/x") == same.flatMap { spelt[$0] })
        #expect(try told("https://b.test/x") == other.flatMap { spelt[$0] })
        #expect(try told("http://a.test/x") == downgrade.flatMap { spelt[$0] })
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], "de-AT,de;q=0.9,en;q=0.8,*;q=0.5"), (["LANG": "fr"], "fr,en;q=0.8,*;q=0.5"),
        (["LANG": "en_GB"], "en-GB,en;q=0.9,*;q=0.5"), (["LANG": "C.UTF-8"], "en-US,en;q=0.9,*;q=0.5"),
        (["LANG": "POSIX"], "en-US,en;q=0.9,*;q=0.5"), ([:], "en-US,en;q=0.9,*;q=0.5"),
        (["LC_ALL": "", "LC_MESSAGES": "nl_NL@euro", "LANG": "de_DE"], "nl-NL,nl;q=0.9,en;q=0.8,*;q=0.5"),
        (["LANG": "x\r\nEvil: 1"], "en-US,en;q=0.9,*;q=0.5"),
    ])
    func `the languages are those of the locale`(_ environment: [String: String], field: String) {
        #expect(BrowserFields.languages { environment[$0] } == field)
    }

    @Test func `a file is no referrer, and an unknown policy is none`() throws {
        let file = try #require(WebURL("file:///home/x/y"))
        #expect(ReferrerPolicy.unsafeURL.referer(from: file, to: try #require(WebURL("http://a.test/"))) == nil)
        #expect(ReferrerPolicy("") == nil)
        #expect(ReferrerPolicy("always, never") == nil)
        #expect(ReferrerPolicy("origin, later-word") == .origin)
    }

    @Test func `fields are read from lines, and other lines are ignored`() {
        var fields = HeaderFields()
        for line in ["A: b\r\n", "a:c", "X :y", "no colon", ": empty", " folded", "T:\t v \r\n", "E:", "bad name: x"] {
            Array(line.utf8).withUnsafeBytes { fields.add(line: $0) }
        }
        [UInt8](arrayLiteral: 0x4C, 0x3A, 0xE9).withUnsafeBytes { fields.add(line: $0) }
        #expect(fields.fields.map(\.name) == ["a", "a", "t", "e", "l"])
        #expect(fields.fields.map(\.value) == ["b", "c", "v", "", "é"])
        #expect(fields["A"] == "b")
        #expect(fields["x"] == nil)
    }

    @Test func `the proxy is the environment's, but not for the exceptions`() throws {
        let settings = ProxySettings {
            [
                "http_proxy": "http://p:1", "HTTPS_PROXY": "http://s:2", "HTTP_PROXY": "http://evil:3",
                "no_proxy": "localhost, .inner.test,10.0.0.1 b.test:8080",
            ][$0]
        }
        let cases: [(String, String?)] = [
            ("http://a.test/", "http://p:1"), ("https://a.test/", "http://s:2"), ("http://localhost/", nil),
            ("http://inner.test/", nil), ("http://x.inner.test/", nil), ("http://xinner.test/", "http://p:1"),
            ("http://10.0.0.1/", nil), ("http://10.0.0.2/", "http://p:1"), ("http://b.test/", "http://p:1"),
            ("http://b.test:8080/", nil), ("http://c.b.test:8080/", nil),
        ]
        for (text, proxy) in cases {
            #expect(settings.proxy(for: try #require(WebURL(text))) == proxy, "\(text)")
        }
        let everything = ProxySettings { ["all_proxy": "socks5h://p:1", "NO_PROXY": "*"][$0] }
        #expect(everything.proxy(for: try #require(WebURL("http://a.test/"))) == nil)
        let all = ProxySettings { ["all_proxy": "socks5h://p:1", "http_proxy": ""][$0] }
        #expect(all.proxy(for: try #require(WebURL("http://a.test/"))) == "socks5h://p:1")
        #expect(ProxySettings { _ in nil }.proxy(for: try #require(WebURL("http://a.test/"))) == nil)
    }
}
