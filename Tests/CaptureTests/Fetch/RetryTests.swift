import TestSupport
import Testing
import URLs

@testable import Capture

/// When a request is tried again, and when not.
struct RetryTests {
    @Test(arguments: [429, 503]) func `a busy server is asked again after a rest`(_ status: Int) throws {
        let turn = Turn()
        let server = try TestServer { _ in turn.next() < 3 ? .text("busy", status: status) : .text("done") }
        defer { server.close() }
        let answer = try FetchTrial(server).answer(server.address("/"))
        #expect(answer.text == "done")
        #expect(answer.status == 200)
    }

    @Test func `a server that stays busy is believed after three tries`() throws {
        let server = try TestServer { _ in .text("busy", status: 503) }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(try trial.answer(server.address("/")).status == 503)
        #expect(server.requests.count == 3)
        #expect(trial.fetcher.budget.kept == 4)
    }

    @Test func `a server that is always busy is not asked three times for each URL`() throws {
        let server = try TestServer { _ in .text("busy", status: 503) }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var count = 0
        for number in 0..<100 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { _ in count += 1 }
        }
        trial.fetcher.run(until: .now + .seconds(120))
        #expect(count == 100)
        #expect(server.requests.count == 108)
    }

    @Test func `a server that asks for a rest is asked again`() throws {
        let turn = Turn()
        let server = try TestServer { _ in
            turn.next() == 1 ? .text("", status: 429, fields: ["Retry-After: 1"]) : .text("done")
        }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).text == "done")
        #expect(server.requests.count == 2)
    }

    @Test(arguments: ["3600", "Fri, 31 Dec 9999 23:59:59 GMT", "99999999999999999999"])
    func `a rest longer than there is time for is not waited for`(_ wait: String) throws {
        let server = try TestServer { _ in .text("", status: 503, fields: ["Retry-After: \(wait)"]) }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).status == 503)
        #expect(server.requests.count == 1)
    }

    @Test func `a rest that would end after the deadline is not begun`() throws {
        let server = try TestServer { _ in .text("", status: 503, fields: ["Retry-After: 600"]) }
        defer { server.close() }
        #expect(try FetchTrial(server).fetch(server.address("/"), within: .seconds(120)).get().status == 503)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [400, 401, 403, 404, 408, 500, 502, 504]) func `other answers are taken as they are`(
        _ status: Int
    ) throws {
        let server = try TestServer { _ in .text("", status: status) }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).status == status)
        // A server that answers 408 closes the connection: libcurl asks again on a new connection if the old one was
        // reused.
        #expect(server.requests.count == 1)
    }
}
