import TestSupport
import Testing
import URLs

@testable import Capture

/// Redirects are followed one by one, each under the same rules as the first request.
struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect is followed and reported`(_ status: Int) throws {
        let server = try TestServer { $0.path == "/a" ? .redirect("b?x#new", status: status) : .text("end") }
        defer { server.close() }
        let answer = try FetchTrial(server).answer(server.address("/a#old"))
        #expect(answer.text == "end")
        #expect(answer.finalURL.href == server.address("/b?x#new"))
        #expect(answer.redirects.map(\.status) == [status])
        #expect(answer.redirects.map(\.isPermanent) == [status == 301 || status == 308])
        #expect(answer.redirects.first?.to.href == server.address("/b?x#new"))
    }

    @Test func `a fragment is kept through a redirect without one`() throws {
        let server = try TestServer { $0.path == "/a" ? .redirect("/b") : .text("end") }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/a#part")).finalURL.fragment == "part")
    }

    @Test(arguments: [
        "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 X\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 300 X\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 X\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
    ])
    func `a redirect without a target is the answer itself`(_ bytes: String) throws {
        let server = try TestServer { _ in .raw(bytes) }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/a")).redirects.isEmpty)
    }

    @Test func `a password is not carried to where a redirect leads`() throws {
        let server = try TestServer {
            $0.path == "/a" ? .redirect("http://127.0.0.1:\($0.target.dropFirst(3))/b") : .text("")
        }
        defer { server.close() }
        _ = try FetchTrial(server).answer("http://user:pass@127.0.0.1:\(server.port)/a?\(server.port)")
        #expect(server.requests.map { $0.fields["authorization"] != nil } == [true, false])
    }

    @Test func `a circle is seen without asking twice`() throws {
        let server = try TestServer { .redirect($0.path == "/a" ? "/b" : "/a") }
        defer { server.close() }
        #expect(try FetchTrial(server).failure(server.address("/a")) == .redirectLoop(server.address("/a")))
        #expect(server.targets == ["/a", "/b"])
    }

    @Test func `a loop that sets a cookie is followed again with it`() throws {
        let server = try TestServer {
            $0.fields["cookie"] == "seen=1" ? .text("welcome") : .redirect("/a", fields: ["Set-Cookie: seen=1"])
        }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/a")).text == "welcome")
        #expect(server.targets == ["/a", "/a"])
    }

    @Test func `a circle that sets a new cookie each time ends at the limit`() throws {
        let turn = Turn()
        let server = try TestServer { _ in .redirect("/a", fields: ["Set-Cookie: n=\(turn.next())"]) }
        defer { server.close() }
        #expect(try FetchTrial(server).failure(server.address("/a")) == .tooManyRedirects(limit: 20))
        #expect(server.requests.count == 21)
    }

    @Test func `a chain that never ends ends at the limit`() throws {
        let server = try TestServer { .redirect("/" + String((Int($0.path.dropFirst()) ?? 0) + 1)) }
        defer { server.close() }
        #expect(try FetchTrial(server).failure(server.address("/0")) == .tooManyRedirects(limit: 20))
        #expect(server.requests.count == 21)
    }

    @Test func `the body of a redirect is not waited for`() throws {
        let server = try TestServer { request in
            request.path == "/b"
                ? .text("end")
                : .stream { connection in
                    _ = connection.send("HTTP/1.1 302 X\r\nLocation: /b\r\n\r\n")
                    while connection.send([UInt8](repeating: 0, count: 4096)) {}
                }
        }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(try trial.answer(server.address("/a")).text == "end")
        #expect(trial.fetcher.readByteCount == 3)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/html,x", "javascript:alert(1)"])
    func `a redirect to another scheme is refused`(_ location: String) throws {
        let server = try TestServer { _ in .redirect(location) }
        defer { server.close() }
        let scheme = String(location.prefix { $0 != ":" })
        #expect(try FetchTrial(server).failure(server.address("/")) == .badScheme(scheme))
    }

    @Test func `the redirect to a private address is refused and never connected to`() throws {
        let inner = try TestServer { _ in .text("secret") }
        defer { inner.close() }
        let places = [
            inner.address("/"), inner.address("/", host: "localhost"), inner.address("/", host: "[::ffff:127.0.0.1]"),
            inner.address("/", host: "0x7f000001"), inner.address("/", host: "127.1"),
            inner.address("/", host: "[::1]"), inner.address("/", host: "0.0.0.0"),
            inner.address("/", host: "x.localhost"),
        ]
        let server = try TestServer { .redirect(places[Int($0.path.dropFirst()) ?? 0]) }
        defer { server.close() }
        let typed = HostPort(host: "127.0.0.1", port: server.port)
        let fetcher = try Fetcher(rule: AddressRule(typed: typed), limits: FetchTrial.quick, proxies: ProxySettings())
        for index in places.indices {
            let request = try FetchTrial.request(server.address("/\(index)"))
            let failure = fetcher.fetch(request, until: .now + .seconds(120)).failure
            switch failure {
            case .refusedAddress: break
            // If the machine has no such name or no IPv6.
            case .noSuchHost("x.localhost"), .nameLookup("x.localhost"): break
            default: Issue.record("\(places[index]): \(String(describing: failure))")
            }
        }
        #expect(inner.connectionCount == 0)
        #expect(server.requests.count == places.count)
    }

    @Test func `without leave not even the first address is connected to`() throws {
        let server = try TestServer { _ in .text("secret") }
        defer { server.close() }
        let fetcher = try Fetcher(rule: AddressRule(), limits: FetchTrial.quick, proxies: ProxySettings())
        for host in ["127.0.0.1", "localhost"] {
            let request = try FetchTrial.request(server.address("/", host: host))
            guard
                case .refusedAddress(_, _, .scope(.loopback)) = fetcher.fetch(request, until: .now + .seconds(120))
                    .failure
            else {
                Issue.record("\(host) was not refused")
                continue
            }
        }
        #expect(server.connectionCount == 0)
    }
}
