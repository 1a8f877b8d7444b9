import TestSupport
import Testing
import Time
import URLs

@testable import Capture

/// Whether links are valid, dead or unknown, and the requests for that.
struct LinkCheckTests {
    private static let now = Timestamp(milliseconds: 0)

    @Test(
        arguments: [
            (200, .valid, false), (204, .valid, false), (206, .valid, false), (304, .valid, false),
            (399, .valid, false),
            (404, .dead, false), (410, .dead, false), (400, .unknown, false), (401, .unknown, true),
            (403, .unknown, true), (405, .unknown, true), (408, .unknown, false), (418, .unknown, false),
            (429, .unknown, true), (451, .unknown, true), (500, .unknown, false), (502, .unknown, false),
            (503, .unknown, true), (999, .unknown, true), (0, .unknown, false), (100, .unknown, false),
        ] as [(Int, LinkVerdict.State, Bool)])
    func `a status decides`(_ status: Int, state: LinkVerdict.State, isBlocked: Bool) {
        let verdict = LinkVerdict(status: status, redirects: [], at: Self.now)
        #expect(verdict.state == state)
        #expect(verdict.isBlocked == isBlocked)
        #expect(verdict.status == status)
        #expect(verdict.error == nil)
    }

    @Test func `only a name that does not exist is dead without an answer`() {
        let target = HostPort(host: "a.test", port: 80)
        let cases: [(FetchFailure, LinkVerdict.State)] = [
            (.noSuchHost("a.test"), .dead), (.nameLookup("a.test"), .unknown), (.connect(target, "refused"), .unknown),
            (.tls(target, .certificate, "expired"), .unknown), (.timeout(.connecting, seconds: 10), .unknown),
            (.timeout(.capture, seconds: 10), .unknown), (.incomplete(received: 0, expected: nil), .unknown),
            (.refusedAddress(target, address: "10.0.0.1", .scope(.privateUse)), .unknown),
            (.badScheme("ftp"), .unknown),
            (.tooManyRedirects(limit: 20), .unknown), (.malformedAnswer("x"), .unknown),
        ]
        for (failure, state) in cases {
            let verdict = LinkVerdict(.failure(failure), at: Self.now)
            #expect(verdict.state == state, "\(failure)")
            #expect(verdict.error?.description == failure.description)
            #expect(verdict.status == nil)
        }
    }

    @Test func `only permanent redirects at the start are a move, and only to an existing page`() throws {
        func chain(_ statuses: [Int]) throws -> [FetchResponse.Redirect] {
            try statuses.enumerated().map { index, status in
                .init(
                    from: try #require(WebURL("http://a.test/\(index)")), status: status,
                    to: try #require(WebURL("http://a.test/\(index + 1)")))
            }
        }
        let cases: [([Int], Int, String?)] = [
            ([], 200, nil), ([301], 200, "1"), ([308, 301], 200, "2"), ([301, 302, 301], 200, "1"),
            ([302, 301], 200, nil),
            ([301], 404, nil), ([301], 500, nil),
        ]
        for (statuses, status, target) in cases {
            let verdict = LinkVerdict(status: status, redirects: try chain(statuses), at: Self.now)
            #expect(verdict.movedTo == target.map { "http://a.test/" + $0 }, "\(statuses)")
        }
    }

    private func check(_ server: TestServer, _ paths: [String], timeout: Duration = .seconds(10)) throws
        -> [String: LinkVerdict]
    {
        var options = LinkCheck.Options()
        options.pause = .zero
        options.timeout = timeout
        let rule = AddressRule(allowed: [HostPort(host: "127.0.0.1", port: server.port)])
        let check = try LinkCheck(rule: rule, options: options, proxies: ProxySettings())
        var verdicts: [String: LinkVerdict] = [:]
        for path in paths {
            check.submit(try #require(WebURL(server.address(path)))) { verdicts[path] = $0 }
        }
        check.run(until: .now + .seconds(120))
        return verdicts
    }

    @Test func `HEAD is enough if the server understands it`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/moved": .redirect("/ok", status: 301)
            case "/gone": .text("", status: 410)
            default: .text("body")
            }
        }
        defer { server.close() }
        let verdicts = try check(server, ["/ok", "/moved", "/gone"])
        #expect(verdicts["/ok"]?.state == .valid)
        #expect(verdicts["/moved"]?.movedTo == server.address("/ok"))
        #expect(verdicts["/moved"]?.state == .valid)
        #expect(verdicts["/gone"]?.state == .dead)
        #expect(server.requests.allSatisfy { $0.method == "HEAD" })
    }

    @Test(arguments: [400, 403, 404, 405, 500, 501]) func `if HEAD is refused, GET decides`(_ status: Int) throws {
        let server = try TestServer { request in
            request.method == "HEAD" ? .text("", status: status) : .whole(body: [UInt8](repeating: 65, count: 1 << 20))
        }
        defer { server.close() }
        let verdict = try check(server, ["/"])["/"]
        #expect(verdict?.state == .valid)
        #expect(verdict?.status == 200)
        #expect(server.requests.map(\.method) == ["HEAD", "GET"])
        #expect(server.requests.last?.fields["range"] == "bytes=0-1023")
    }

    @Test func `a server that hangs up on HEAD is asked by GET`() throws {
        let server = try TestServer { $0.method == "HEAD" ? .raw("") : .text("here") }
        defer { server.close() }
        #expect(try check(server, ["/"])["/"]?.state == .valid)
    }

    @Test func `gone for both is dead, refused for both is blocked, silent is unknown`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/gone": .text("", status: 404)
            case "/login": .text("", status: 401)
            default: .stream { while !$0.waitForClose(milliseconds: 1000) {} }
            }
        }
        defer { server.close() }
        let verdicts = try check(server, ["/gone", "/login"])
            .merging(check(server, ["/silent"], timeout: .milliseconds(100))) { $1 }
        #expect(verdicts["/gone"]?.state == .dead)
        #expect(verdicts["/login"]?.state == .unknown)
        #expect(verdicts["/login"]?.isBlocked == true)
        #expect(verdicts["/silent"]?.state == .unknown)
        #expect(verdicts["/silent"]?.error?.description.isEmpty == false)
    }

    @Test func `one server is asked one thing at a time`() throws {
        let load = LoadMeter()
        let server = try TestServer { _ in
            load.enter()
            defer { load.leave() }
            return .text("")
        }
        defer { server.close() }
        let verdicts = try check(server, (0..<200).map { "/\($0)" })
        #expect(verdicts.count == 200)
        #expect(load.most == 1)
        #expect(server.connectionCount == 1)
    }
}
