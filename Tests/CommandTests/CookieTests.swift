import TestSupport
import Testing

/// Which cookies go where, over http and https, as the program and its confined worker send them.
struct CookieTests {
    private static let server =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/servers/every_host.py"

    @Test func `cookies of a person's file and of answers go only where they belong`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        sandbox.environment["SBFS_OFFLINE"] = nil
        let cookies = [
            "#HttpOnly_a.test\tFALSE\t/\tTRUE\t0\thost\tsecure", ".a.test\tTRUE\t/\tTRUE\t4000000000\tdomain\tsecure",
            "a.test\tFALSE\t/\tFALSE\t0\tplain\t1", "a.test\tFALSE\t/\tFALSE\t1000000000\told\t1",
            "a.test\tFALSE\t/elsewhere\tFALSE\t0\tpath\t1", "test\tFALSE\t/\tFALSE\t0\ttop\t1",
        ]
        try sandbox.file("cookies.txt", cookies.joined(separator: "\n") + "\n")
        try sandbox.shell(
            """
            mkfifo port
            python3 '\(Self.server)' proxy > port & server=$!
            read number < port
            export http_proxy=http://127.0.0.1:$number https_proxy=http://127.0.0.1:$number SSL_CERT_FILE=$PWD/proxy/ca.pem
            sbfs capture https://a.test/page saved --browser never --cookies cookies.txt
            status=$?
            kill $server
            exit $status
            """)
        let log = Set(try sandbox.scratch.text("desk/proxy/log").split(separator: "\n").map(String.init))
        #expect(
            log == [
                "https a.test /page domain=secure; plain=1; host=secure", "http a.test /plain.gif plain=1",
                "https a.test /favicon.ico domain=secure; plain=1; host=secure",
                "https b.a.test /below.gif domain=secure", "https other.test /other.gif -",
                // A cookie for a shop's own domain is sent to hosts below it; one for all of co.uk is never sent.
                "https www.shop.co.uk /set -", "https img.shop.co.uk /next shop=1", "https evil.co.uk /last.gif -",
            ])
        // The file is never written.
        #expect(try sandbox.scratch.text("desk/cookies.txt") == cookies.joined(separator: "\n") + "\n")
    }

    @Test func `a cookie file that holds none fails the page with its line`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        sandbox.environment["SBFS_OFFLINE"] = nil
        let server = try TestServer { _ in .text("page") }
        defer { server.close() }
        let path = try sandbox.file("cookies.txt", "session=1\n")
        let run = try sandbox.sbfs(
            "capture", server.address("/"), "saved", "--browser", "never", "--cookies", "cookies.txt", exits: 1)
        #expect(run.err.contains("\(path):1: 1 fields by tabs where a cookie has 7"))
        #expect(server.connectionCount == 0)
    }
}
