import Files
import TestSupport
import Testing
import Time
import URLs

@testable import Capture

/// Which cookies are read, taken and sent.
struct CookieTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

    @Test func `a file is read line by line`() {
        let file = CookieFile(
            Array(
                """
                # Netscape HTTP Cookie File
                .a.test\tTRUE\t/\tFALSE\t0\tname\tvalue with = and spaces

                #HttpOnly_b.test\tFALSE\t/path\tTRUE\t1800000000\tsid\tx
                c.test\tFALSE\t/\tfalse\t1800000000.25\tempty\t
                d.test\tTRUE\t/\tFALSE\t1800000000\tnovalue\r
                # a comment\twith\ttabs
                """.utf8))
        #expect(file.findings == [])
        #expect(
            file.cookies == [
                Cookie(name: "name", value: "value with = and spaces", domain: "a.test", isHostOnly: false),
                Cookie(
                    name: "sid", value: "x", domain: "b.test", isHostOnly: true, path: "/path", isSecure: true,
                    isHTTPOnly: true, expires: Timestamp(milliseconds: 1_800_000_000_000)),
                Cookie(
                    name: "empty", value: "", domain: "c.test", isHostOnly: true,
                    expires: Timestamp(milliseconds: 1_800_000_000_000)),
                Cookie(
                    name: "novalue", value: "", domain: "d.test", isHostOnly: false,
                    expires: Timestamp(milliseconds: 1_800_000_000_000)),
            ])
    }

    @Test func `bad lines are told by their number, and the others are used`() {
        let lines = [
            "a.test TRUE / FALSE 0 n v", "a.test\tYES\t/\tFALSE\t0\tn\tv", "a.test\tTRUE\t/\t1\t0\tn\tv",
            "a.test\tTRUE\t/\tFALSE\tsoon\tn\tv", "\tTRUE\t/\tFALSE\t0\tn\tv", "a.test\tTRUE\t/\tFALSE\t0\tn\tv;w",
            "a.test\tTRUE\t/\tFALSE\t0\tn\tv\u{1}", "a/b\tTRUE\t/\tFALSE\t0\tn\tv",
            "a.test\tTRUE\t/\tFALSE\t99999999999999999999\tn\tv", "a.test\tTRUE\t/\tFALSE\t0\tgood\tv",
        ]
        let file = CookieFile(Array(lines.joined(separator: "\n").utf8) + [0x0A, 0x61, 0x09, 0xFF])
        #expect(file.findings.map(\.line) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
        #expect(file.cookies.map(\.name) == ["good"])
        #expect(
            file.findings.first?.message
                == "1 fields by tabs where a cookie has 7; is it a cookie file in the Netscape format?")
    }

    @Test func `a file of something else does not give a message for each line`() {
        let file = CookieFile(Array(String(repeating: "not a cookie\n", count: 100_000).utf8))
        #expect(file.findings.count <= 21)
        #expect(file.cookies.isEmpty)
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o644, true)])
    func `a file that others can read is used with a warning`(_ mode: UInt32, isWarned: Bool) throws {
        let scratch = try ScratchDirectory()
        try scratch.write("cookies.txt", "a.test\tTRUE\t/\tFALSE\t0\tn\tv\n")
        try Directory(path: scratch.path).fileForWriting("cookies.txt").setPermissions(mode)
        let file = try CookieFile(path: scratch.full("cookies.txt"))
        #expect(file.cookies.count == 1)
        #expect(file.findings.map(\.line) == (isWarned ? [0] : []))
    }

    @Test func `a file that is not there is an error`() {
        #expect(throws: FileError.self) { _ = try CookieFile(path: "/nonexistent/cookies.txt") }
    }

    @Test(arguments: [
        ("a.test", false, "/", false, "http://a.test/x", true), ("a.test", false, "/", false, "http://b.a.test/", true),
        ("a.test", true, "/", false, "http://b.a.test/", false), ("a.test", true, "/", false, "http://A.TEST./", true),
        ("a.test", false, "/", false, "http://xa.test/", false), ("a.test", false, "/", false, "http://test/", false),
        ("a.test", false, "/", false, "http://a.test.evil/", false),
        ("b.a.test", false, "/", false, "http://a.test/", false),
        ("a.test", false, "/", true, "http://a.test/", false), ("a.test", false, "/", true, "https://a.test/", true),
        ("a.test", false, "/p", false, "http://a.test/p", true),
        ("a.test", false, "/p", false, "http://a.test/p/q", true),
        ("a.test", false, "/p", false, "http://a.test/pq", false),
        ("a.test", false, "/p/", false, "http://a.test/p", false),
        ("a.test", false, "/p", false, "http://a.test/", false),
        ("127.0.0.1", true, "/", false, "http://127.0.0.1:81/", true),
        ("0.0.1", false, "/", false, "http://127.0.0.1/", false), ("::1", true, "/", false, "http://[::1]/", true),
    ])
    func `a cookie goes only where it belongs`(
        _ domain: String, isHostOnly: Bool, path: String, isSecure: Bool, address: String, goes: Bool
    ) throws {
        let cookie = Cookie(
            name: "n", value: "v", domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure)
        #expect(cookie.matches(try url(address), at: Self.now) == goes)
        #expect((CookieJar([cookie]).header(for: try url(address), at: Self.now) != nil) == goes)
    }

    @Test func `a cookie that has expired is not sent`() throws {
        let cookie = Cookie(name: "n", value: "v", domain: "a.test", isHostOnly: false, expires: Self.now)
        #expect(CookieJar([cookie]).header(for: try url("http://a.test/"), at: Self.now) == nil)
        let before = Timestamp(milliseconds: Self.now.milliseconds - 1)
        #expect(CookieJar([cookie]).header(for: try url("http://a.test/"), at: before) == "n=v")
    }

    @Test func `longer paths come first, then the older`() throws {
        let jar = CookieJar()
        for field in ["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/x; Domain=a.test", "e"] {
            jar.take(setCookie: field, from: try url("http://a.test/x/y"), at: Self.now)
        }
        #expect(jar.header(for: try url("http://a.test/x/y/z"), at: Self.now) == "b=2; c=3; d=4; e; a=1")
    }

    @Test(arguments: [
        ("n=v", "http://a.test/p/q", "a.test", true, "/p"), ("n=v; path=rel", "http://a.test/q", "a.test", true, "/"),
        ("n=v; Domain=.A.Test", "http://b.a.test/", "a.test", false, "/"),
        ("n=v; Domain=b.a.test", "http://b.a.test/", "b.a.test", false, "/"),
        (" n = v ;secure;HttpOnly ; Path=/z", "https://a.test/", "a.test", true, "/z"),
        ("n=v; Domain=", "http://a.test/", "a.test", true, "/"),
        ("n=v; Domain=127.0.0.1", "http://127.0.0.1/", "127.0.0.1", true, "/"),
        ("__Host-n=v; Secure; Path=/", "https://a.test/", "a.test", true, "/"),
    ])
    func `an answer's cookie is taken`(
        _ field: String, address: String, domain: String, isHostOnly: Bool, path: String
    ) throws {
        let cookie = try #require(Cookie(setCookie: field, from: try url(address), at: Self.now))
        #expect(cookie.value == "v")
        #expect(cookie.domain == domain)
        #expect(cookie.isHostOnly == isHostOnly)
        #expect(cookie.path == path)
    }

    @Test(arguments: [
        ("n=v; Domain=b.test", "http://a.test/"), ("n=v; Domain=b.a.test", "http://a.test/"),
        ("n=v; Domain=test", "http://a.test/"), ("n=v; Domain=co.uk", "http://a.co.uk/"),
        ("n=v; Domain=0.0.1", "http://127.0.0.1/"), ("n=v; Secure", "http://a.test/"), ("", "http://a.test/"),
        ("=", "http://a.test/"), ("n=v\u{1}", "http://a.test/"), ("__Secure-n=v", "https://a.test/"),
        ("__Host-n=v; Secure", "https://a.test/p/q"),
        ("__Host-n=v; Secure; Path=/; Domain=a.test", "https://b.a.test/"),
        ("n=" + String(repeating: "v", count: 5000), "http://a.test/"),
    ])
    func `a cookie that its sender may not set is passed over`(_ field: String, address: String) throws {
        #expect(Cookie(setCookie: field, from: try url(address), at: Self.now) == nil)
    }

    @Test(
        arguments: [
            ("Max-Age=60", 1_700_000_060_000), ("Max-Age=0", 0), ("Max-Age=-5", 0),
            ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 1_700_000_060_000),
            ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000),
            ("Max-Age=99999999999999999999", 1_731_536_000_000),
            ("Expires=never", nil), ("Max-Age=x", nil),
        ] as [(String, Int64?)])
    func `a cookie lives as long as it is told to`(_ attributes: String, expires: Int64?) throws {
        let cookie = try #require(
            Cookie(setCookie: "n=v; " + attributes, from: try url("http://a.test/"), at: Self.now))
        #expect(cookie.expires?.milliseconds == expires)
    }

    @Test func `a cookie is replaced, and removed by one that has expired`() throws {
        let jar = CookieJar([Cookie(name: "n", value: "old", domain: "a.test", isHostOnly: true)])
        let page = try url("http://a.test/")
        #expect(jar.changes == 0)
        jar.take(setCookie: "n=old", from: page, at: Self.now)
        #expect(jar.changes == 0)
        jar.take(setCookie: "n=new", from: page, at: Self.now)
        #expect(jar.header(for: page, at: Self.now) == "n=new")
        #expect(jar.changes == 1)
        jar.take(setCookie: "n=; Max-Age=0", from: page, at: Self.now)
        #expect(jar.header(for: page, at: Self.now) == nil)
        #expect(jar.all.isEmpty)
    }

    @Test func `a server cannot fill the jar without end`() throws {
        let jar = CookieJar()
        for number in 0..<10_000 {
            jar.take(setCookie: "n\(number)=v", from: try url("http://h\(number % 7).test/"), at: Self.now)
        }
        #expect(jar.all.count <= 7 * CookieJar.limitOfDomain)
    }

    @Test func `cookies follow to their own hosts only, through redirects too`() throws {
        let other = try TestServer { _ in .text("other", fields: ["Set-Cookie: theirs=2"]) }
        defer { other.close() }
        let places = [other.address("/in", host: "localhost")]
        let server = try TestServer { request in
            request.path == "/out" ? .redirect(places[0], fields: ["Set-Cookie: ours=1"]) : .text("")
        }
        defer { server.close() }
        let session = Cookie(name: "session", value: "secret", domain: "127.0.0.1", isHostOnly: true)
        let trial = try FetchTrial(server, other, hosts: ["127.0.0.1", "localhost"], cookies: [session])
        let answer = try trial.answer(server.address("/out"))
        #expect(answer.text == "other")
        _ = try trial.answer(server.address("/again"))
        _ = try trial.answer(other.address("/again", host: "localhost"))
        #expect(server.requests.map { $0.fields["cookie"] } == ["session=secret", "session=secret; ours=1"])
        #expect(other.requests.map { $0.fields["cookie"] } == [nil, "theirs=2"])
    }
}
