import TestSupport
import Testing
import URLs

@testable import Capture

/// Behind a proxy, the address rule is asked before the proxy.
struct ProxyTests {
    private func fetcher(_ proxy: TestServer, rule: AddressRule = AddressRule()) throws -> Fetcher {
        let settings = ProxySettings { ["http_proxy": "http://127.0.0.1:\(proxy.port)"][$0] }
        return try Fetcher(rule: rule, limits: FetchTrial.quick, proxies: settings)
    }

    @Test func `a public address is requested through the proxy, wherever the proxy is`() throws {
        let proxy = try TestServer { .text("from afar: " + $0.target) }
        defer { proxy.close() }
        let request = try FetchTrial.request("http://93.184.216.34/x?y")
        let answer = try fetcher(proxy).fetch(request, until: .now + .seconds(120)).get()
        #expect(answer.text == "from afar: http://93.184.216.34/x?y")
    }

    @Test(arguments: ["http://10.0.0.1/", "http://127.0.0.1:8080/", "http://localhost:8080/", "http://[fd00::1]/"])
    func `a private one is refused before the proxy hears of it`(_ address: String) throws {
        let proxy = try TestServer { _ in .text("secret") }
        defer { proxy.close() }
        let failure = try fetcher(proxy).fetch(FetchTrial.request(address), until: .now + .seconds(120)).failure
        guard case .refusedAddress(_, _, .scope) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(proxy.connectionCount == 0)
    }

    @Test func `a private address that is allowed passes`() throws {
        let proxy = try TestServer { _ in .text("meant") }
        defer { proxy.close() }
        let rule = AddressRule(typed: HostPort(host: "localhost", port: 8080))
        let request = try FetchTrial.request("http://localhost:8080/")
        #expect(try fetcher(proxy, rule: rule).fetch(request, until: .now + .seconds(120)).get().text == "meant")
    }

    @Test func `a name that this machine does not know is left to the proxy`() throws {
        let proxy = try TestServer { .text($0.fields["host"] ?? "") }
        defer { proxy.close() }
        let request = try FetchTrial.request("http://no-such-host.invalid/")
        let answer = try fetcher(proxy).fetch(request, until: .now + .seconds(120)).get()
        #expect(answer.text == "no-such-host.invalid")
    }

    @Test func `a missing proxy is reported as such`() throws {
        let settings = ProxySettings { ["http_proxy": "http://127.0.0.1:1"][$0] }
        let fetcher = try Fetcher(rule: AddressRule(), limits: FetchTrial.quick, proxies: settings)
        let failure = fetcher.fetch(try FetchTrial.request("http://93.184.216.34/"), until: .now + .seconds(120))
            .failure
        guard case .proxy = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `the resolver's answers are distinguished`() {
        guard case .addresses(let addresses) = NameLookup.lookUp("localhost") else {
            Issue.record("localhost has no address")
            return
        }
        #expect(addresses.allSatisfy { $0.scope == .loopback })
        #expect(!addresses.isEmpty)
        #expect(NameLookup.answer(toError: -2) == .noSuchHost)
        #expect(NameLookup.answer(toError: -5) == .noSuchHost)
        #expect(NameLookup.answer(toError: -3) == .failed)
        #expect(NameLookup.answer(toError: -4) == .failed)
    }
}
