import Files
import TestSupport
import Testing
import Time
import URLs

@testable import Capture

/// Which cookies are read, taken and sent.
struct CookieTests {
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

    @Test func `bad lines are reported by number, and the others are used`() {
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

    @Test func `a cookie without a name is reported and not used`() {
        let file = CookieFile(Array("a.test\tTRUE\t/\tFALSE\t0\t\tv\n".utf8))
        #expect(file.cookies.isEmpty)
        #expect(file.findings.map(\.message) == ["no name"])
    }

    @Test(arguments: [
        ("a.test", false, "/", false, "http://a.test/x", true), ("a.test", false, "/", false, "http://b.a.test/", true),
        ("a.test", true, "/", false, "http://b.a.test/", false), ("a.test", true, "/", false, "http://A.TEST/", true),
        ("a.test", false, "/", false, "http://xa.test/", false), ("a.test", false, "/", false, "http://test/", false),
        ("a.test", false, "/", false, "http://a.test.evil/", false),
        ("b.a.test", false, "/", false, "http://a.test/", false),
        ("a.test", false, "/", true, "http://a.test/", false),
        ("127.0.0.1", true, "/", true, "http://127.0.0.1/", true),
        ("localhost", true, "/", true, "http://localhost/", true),
        ("a.test", false, "/p", false, "http://a.test/p", true),
        ("a.test", false, "/p", false, "http://a.test/p/q", true),
        ("a.test", false, "/p", false, "http://a.test/pq", false),
        // libcurl does not distinguish the two.
        ("a.test", false, "/p/", false, "http://a.test/p", true),
        ("a.test", false, "/p", false, "http://a.test/", false),
        ("127.0.0.1", true, "/", false, "http://127.0.0.1:81/", true),
        ("127.0.0.1", false, "/", false, "http://127.0.0.1/", true),
        ("0.0.1", false, "/", false, "http://127.0.0.1/", false), ("::1", true, "/", false, "http://[::1]/", true),
        // A person's own file is trusted, even for cookies that no server could set.
        ("co.uk", false, "/", false, "http://a.co.uk/", true),
    ])
    func `a cookie goes only where it belongs`(
        _ domain: String, isHostOnly: Bool, path: String, isSecure: Bool, address: String, goes: Bool
    ) throws {
        let cookie = Cookie(
            name: "n", value: "v", domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure)
        let trial = try CookieTrial([cookie])
        #expect(try trial.sent(to: address) == (goes ? "n=v" : nil))
    }

    @Test func `a cookie that has expired is not sent`() throws {
        func cookie(_ name: String, _ seconds: Int64) -> Cookie {
            Cookie(
                name: name, value: "v", domain: "a.test", isHostOnly: false,
                expires: Timestamp(milliseconds: Timestamp.now.milliseconds + seconds * 1000))
        }
        let trial = try CookieTrial([cookie("old", -60), cookie("new", 3600)])
        #expect(try trial.sent(to: "http://a.test/") == "new=v")
        #expect(trial.cookies.map(\.name) == ["new"])
    }

    @Test func `longer paths come first`() throws {
        let trial = try CookieTrial()
        for field in ["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x"] {
            try trial.take(field, from: "http://a.test/x/y")
        }
        #expect(try trial.sent(to: "http://a.test/x/y/z") == "b=2; c=3; a=1")
    }

    @Test(arguments: [
        ("n=v", "http://a.test/p/q", "a.test", true, "/p/"), ("n=v; path=rel", "http://a.test/q", "a.test", true, "/"),
        ("n=v; Domain=.A.Test", "http://b.a.test/", "a.test", false, "/"),
        ("n=v; Domain=b.a.test", "http://b.a.test/", "b.a.test", false, "/"),
        (" n = v ;secure;HttpOnly ; Path=/z", "http://localhost/", "localhost", true, "/z"),
        ("n=v; Domain=", "http://a.test/", "a.test", true, "/"),
        ("n=v; Domain=127.0.0.1", "http://127.0.0.1/", "127.0.0.1", true, "/"),
        ("__Host-n=v; Secure; Path=/", "http://127.0.0.1/", "127.0.0.1", true, "/"),
        ("n=v; Domain=example.co.uk", "http://www.example.co.uk/", "example.co.uk", false, "/"),
        ("n=v; Domain=me.github.io", "http://x.me.github.io/", "me.github.io", false, "/"),
    ])
    func `an answer's cookie is taken`(
        _ field: String, address: String, domain: String, isHostOnly: Bool, path: String
    ) throws {
        let trial = try CookieTrial()
        try trial.take(field, from: address)
        let cookie = try #require(trial.cookies.first)
        #expect(cookie.value == "v")
        #expect(cookie.domain == domain)
        #expect(cookie.isHostOnly == isHostOnly)
        #expect(cookie.path == path)
    }

    @Test(arguments: [
        ("n=v; Domain=b.test", "http://a.test/"), ("n=v; Domain=b.a.test", "http://a.test/"),
        ("n=v; Domain=test", "http://a.test/"), ("n=v; Domain=co.uk", "http://a.co.uk/"),
        ("n=v; Domain=github.io", "http://me.github.io/"), ("n=v; Domain=xn--55qx5d.cn", "http://a.xn--55qx5d.cn/"),
        ("n=v; Domain=0.0.1", "http://127.0.0.1/"), ("n=v; Secure", "http://a.test/"), ("", "http://a.test/"),
        ("=", "http://a.test/"), ("n=v\u{1}", "http://a.test/"), ("__Secure-n=v", "http://127.0.0.1/"),
        ("__Host-n=v; Secure", "http://127.0.0.1/p/q"),
        ("__Host-n=v; Secure; Path=/; Domain=localhost", "http://localhost/"),
        ("n=" + String(repeating: "v", count: 5000), "http://a.test/"),
    ])
    func `a cookie that its sender may not set is passed over`(_ field: String, address: String) throws {
        let trial = try CookieTrial()
        try trial.take(field, from: address)
        #expect(trial.cookies == [])
        #expect(try trial.sent(to: address) == nil)
    }

    @Test func `without a list of public suffixes, cookies for a whole domain are refused`() throws {
        let own = Cookie(name: "own", value: "1", domain: "a.test", isHostOnly: false)
        let trial = try CookieTrial([own], knowsSuffixes: false)
        try trial.take("n=v; Domain=b.test", from: "http://a.b.test/")
        try trial.take("host=1", from: "http://a.b.test/")
        // A cookie of the person's file stays unchanged.
        try trial.take("own=2; Domain=a.test", from: "http://a.test/")
        #expect(try trial.sent(to: "http://a.b.test/") == "host=1")
        #expect(try trial.sent(to: "http://c.b.test/") == nil)
        #expect(try trial.sent(to: "http://x.a.test/") == "own=1")
        #expect(Set(trial.cookies.map(\.line)) == [own.line, "a.b.test\tFALSE\t/\tFALSE\t0\thost\t1"])
    }

    @Test func `the library here has the list`() { #expect(SharedCookies.libraryKnowsSuffixes) }

    @Test(
        arguments: [
            ("Max-Age=60", 60), ("Max-Age=0", nil), ("Max-Age=-5", nil),
            ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60),
            ("Expires=Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Expires=never", 0), ("Max-Age=x", nil),
        ] as [(String, Int64?)])
    func `a cookie lives until it expires`(_ attributes: String, seconds: Int64?) throws {
        let trial = try CookieTrial()
        let before = Timestamp.now.milliseconds / 1000
        try trial.take("n=v; " + attributes, from: "http://a.test/")
        let after = Timestamp.now.milliseconds / 1000
        guard let seconds else { return #expect(trial.cookies == []) }
        let cookie = try #require(trial.cookies.first)
        // 0 means a session cookie.
        if seconds == 0 { return #expect(cookie.expires == nil) }
        let expires = try #require(cookie.expires).milliseconds / 1000
        #expect((before + seconds...after + seconds).contains(expires))
    }

    @Test func `a cookie is replaced, and removed by one that has expired`() throws {
        let trial = try CookieTrial([Cookie(name: "n", value: "old", domain: "a.test", isHostOnly: true)])
        try trial.take("n=new", from: "http://a.test/")
        #expect(try trial.sent(to: "http://a.test/") == "n=new")
        try trial.take("n=; Max-Age=0", from: "http://a.test/")
        #expect(try trial.sent(to: "http://a.test/") == nil)
        #expect(trial.cookies.isEmpty)
    }

    @Test func `a server cannot fill the memory or displace the person's cookies`() throws {
        let own = Cookie(name: "own", value: "1", domain: "a.test", isHostOnly: true)
        let trial = try CookieTrial([own])
        var most = 0
        for round in 0..<60 {
            // libcurl accepts 50 from one answer.
            try trial.take((0..<50).map { "n\(round)_\($0)=v" }, from: "http://h\(round).test/\(round)")
            most = max(most, trial.cookies.count)
        }
        #expect(most > 1000 && most < 2000)
        #expect(try trial.sent(to: "http://a.test/") == "own=1")
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
