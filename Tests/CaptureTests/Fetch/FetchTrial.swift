import TestSupport
import Testing
import URLs

@testable import Capture

/// A fetcher that may reach the given servers of a test, and short ways to use it.
struct FetchTrial {
    let fetcher: Fetcher

    init(
        _ servers: TestServer..., hosts: [String] = ["127.0.0.1"], limits: FetchLimits = FetchTrial.quick,
        cookies: [Cookie] = [], keepsAnswers: Bool = true, proxies: ProxySettings = ProxySettings()
    ) throws {
        var allowed: Set<HostPort> = []
        for server in servers {
            for host in hosts { allowed.insert(HostPort(host: host, port: server.port)) }
        }
        fetcher = try Fetcher(
            rule: AddressRule(allowed: allowed), limits: limits, cookies: cookies,
            keepsAnswers: keepsAnswers, proxies: proxies)
    }

    /// Repeats attempts without long waits.
    static var quick: FetchLimits {
        var limits = FetchLimits()
        limits.backOff = .milliseconds(5)
        return limits
    }

    static func request(_ address: String, for purpose: FetchRequest.Purpose = .other) throws -> FetchRequest {
        FetchRequest(try #require(WebURL(address)), for: purpose)
    }

    func fetch(_ address: String, within time: Duration = .seconds(120)) throws -> Result<FetchResponse, FetchFailure> {
        fetch(try Self.request(address), within: time)
    }

    func fetch(_ request: FetchRequest, within time: Duration = .seconds(120)) -> Result<FetchResponse, FetchFailure> {
        fetcher.fetch(request, until: .now + time)
    }

    func answer(_ address: String) throws -> FetchResponse { try fetch(address).get() }

    func failure(_ address: String, within time: Duration = .seconds(120)) throws -> FetchFailure? {
        try fetch(address, within: time).failure
    }
}

extension Result {
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension FetchResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
