import Synchronization
import TestSupport
import Testing
import URLs

@testable import Capture

/// A fetcher with cookies, and a server that it uses as a proxy: so the server answers for every host.
final class CookieTrial {
    private let server: TestServer
    private let fetcher: Fetcher
    private let answers: Answers
    private var number = 0

    private final class Answers: Sendable {
        /// Fields Set-Cookie by the last part of a path.
        let fields = Mutex<[String: [String]]>([:])
    }

    init(_ cookies: [Cookie] = [], knowsSuffixes: Bool = SharedCookies.libraryKnowsSuffixes) throws {
        let answers = Answers()
        self.answers = answers
        server = try TestServer { request in
            let fields = answers.fields.withLock { $0[request.target] ?? [] }
            return .text("", fields: fields.map { "Set-Cookie: " + $0 })
        }
        var proxies = ProxySettings()
        proxies.http = "http://127.0.0.1:\(server.port)"
        fetcher = try Fetcher(
            AddressRule(allowsPrivate: true), FetchTrial.quick, SharedCookies(cookies, knowsSuffixes: knowsSuffixes),
            keepsAnswers: false, proxies)
    }

    deinit { server.close() }

    /// All current cookies.
    var cookies: [Cookie] { fetcher.cookies.all }

    /// The field Cookie of a request.
    func sent(to address: String) throws -> String? {
        let before = server.requests.count
        try fetch(address)
        return server.requests[before].fields["cookie"]
    }

    /// Makes an answer set a cookie.
    func take(_ field: String, from address: String) throws { try take([field], from: address) }

    func take(_ fields: [String], from address: String) throws {
        answers.fields.withLock { $0 = [address: fields] }
        defer { answers.fields.withLock { $0 = [:] } }
        try fetch(address)
    }

    private func fetch(_ address: String) throws {
        let url = try #require(WebURL(address))
        // Nobody resolves the host: only the proxy knows it.
        fetcher.nameAnswers[url.hostPort.host] = .noSuchHost
        let result = fetcher.fetch(FetchRequest(url, for: .other), until: .now + .seconds(120))
        #expect(try result.get().status == 200, "\(address)")
    }
}
