import TestSupport
import Testing
import URLs

@testable import Capture

/// Servers that lie, stall, flood or vanish: the limit holds, and the error names the failure.
struct FetcherFaultTests {
    @Test func `a body above the limit is given up, and the rest of it is not read`() throws {
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\n\r\n")
                let block = [UInt8](repeating: 65, count: 65_536)
                while connection.send(block) {}
            }
        }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.assetByteCount = 1 << 20
        let trial = try FetchTrial(server, limits: limits)
        #expect(try trial.failure(server.address("/")) == .tooLarge(.asset, byteCount: 1 << 20))
        #expect(trial.fetcher.readByteCount <= (1 << 20) + 65_536)
        #expect(trial.fetcher.budget.kept == 0)
    }

    @Test func `the start of a body above the limit is an answer on request`() throws {
        let server = try TestServer { _ in .whole(body: [UInt8](repeating: 65, count: 100_000)) }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var request = try FetchTrial.request(server.address("/"))
        request.byteLimit = 1000
        #expect(trial.fetch(request).failure == .tooLarge(.asset, byteCount: 1000))
        request.url = try #require(WebURL(server.address("/again")))
        request.acceptsTruncated = true
        let answer = try trial.fetch(request).get()
        #expect(answer.body.count == 1000)
        #expect(answer.wasTruncated)
    }

    @Test func `a body that is promised too large is not read at all`() throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nabc") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(
            try trial.failure(server.address("/"))
                == .tooLarge(.asset, byteCount: trial.fetcher.limits.assetByteCount))
        #expect(trial.fetcher.readByteCount == 0)
    }

    @Test func `400 kB that unpack to 400 MB are given up at the limit`() throws {
        let server = try TestServer { _ in
            .whole(fields: ["Content-Encoding: gzip"], body: PackedBody.zeros(packedByteCount: 400_000))
        }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.assetByteCount = 2 << 20
        let trial = try FetchTrial(server, limits: limits)
        #expect(try trial.failure(server.address("/")) == .tooLarge(.asset, byteCount: 2 << 20))
        #expect(trial.fetcher.readByteCount >= 2 << 20)
        #expect(trial.fetcher.readByteCount <= (2 << 20) + 65_536)
    }

    @Test func `all bodies together stay below the page's limit, and those that fit are kept`() throws {
        let server = try TestServer { .whole(body: [UInt8](repeating: 65, count: $0.path == "/small" ? 10 : 400)) }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.pageByteCount = 1000
        let trial = try FetchTrial(server, limits: limits)
        #expect(try trial.answer(server.address("/1")).body.count == 400)
        #expect(try trial.answer(server.address("/2")).body.count == 400)
        #expect(try trial.failure(server.address("/3")) == .tooLarge(.page, byteCount: 1000))
        #expect(try trial.answer(server.address("/small")).body.count == 10)
        #expect(trial.fetcher.budget.kept == 810)
        trial.fetcher.forget(try #require(WebURL(server.address("/1"))))
        #expect(try trial.answer(server.address("/4")).body.count == 400)
    }

    @Test func `bodies that are thrown away are bounded too`() throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 900)) }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.assetByteCount = 800
        limits.pageByteCount = 1000
        let trial = try FetchTrial(server, limits: limits)
        var failures: [FetchFailure?] = []
        for number in 0..<10 { failures.append(try trial.failure(server.address("/\(number)"))) }
        #expect(failures.first == .tooLarge(.asset, byteCount: 800))
        #expect(failures.last == .tooLarge(.page, byteCount: 1000))
    }

    enum LongHeader: CaseIterable {
        case oneLine, manyLines, manyAnswers

        var text: String {
            switch self {
            case .oneLine: "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 10 << 20) + "\r\n\r\n"
            case .manyLines:
                "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Many: 1234567890\r\n", count: 500_000) + "\r\n"
            case .manyAnswers: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 400_000)
            }
        }
    }

    @Test(arguments: LongHeader.allCases)
    func `ten megabytes of header are given up`(_ header: LongHeader) throws {
        let server = try TestServer { _ in .raw(header.text) }
        defer { server.close() }
        let failure = try FetchTrial(server).failure(server.address("/"))
        guard case .tooLarge(.header, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a body shorter than promised is a failure, or a cut answer on request`() throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(try trial.failure(server.address("/")) == .incomplete(received: 3, expected: 10))
        #expect(trial.fetcher.budget.kept == 0)
        #expect(server.requests.count == 1)
        var request = try FetchTrial.request(server.address("/page"), for: .document)
        request.acceptsTruncated = true
        let answer = try trial.fetch(request).get()
        #expect(answer.text == "abc")
        #expect(answer.wasTruncated)
    }

    @Test func `a chunked body that breaks off is a failure`() throws {
        let server = try TestServer { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nxy")
        }
        defer { server.close() }
        let failure = try FetchTrial(server).failure(server.address("/"))
        guard case .incomplete = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabc", "SSH-2.0-OpenSSH_9.2\r\n", "<html>no header</html>",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 two OK\r\n\r\n", "\r\n\r\n", "\0\0\0\0",
    ])
    func `an answer that is not HTTP is a failure`(_ bytes: String) throws {
        let server = try TestServer { _ in .raw(bytes) }
        defer { server.close() }
        let failure = try FetchTrial(server).failure(server.address("/"))
        switch failure {
        case .malformedAnswer, .incomplete: break
        default: Issue.record("\(bytes): \(String(describing: failure))")
        }
    }

    @Test func `a connection closed without an answer is tried again, then reported`() throws {
        let turn = Turn()
        let server = try TestServer { _ in turn.next() < 3 ? .raw("") : .text("at last") }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).text == "at last")
        let gone = try TestServer { _ in .raw("") }
        defer { gone.close() }
        #expect(try FetchTrial(gone).failure(gone.address("/")) == .incomplete(received: 0, expected: nil))
        #expect(gone.requests.count == 3)
    }

    @Test func `a dripping body ends at the deadline of the whole`() throws {
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\n\r\n")
                while connection.send([0]), !connection.waitForClose(milliseconds: 5) {}
            }
        }
        defer { server.close() }
        // The body has no end, so the call only returns because of the deadline.
        let failure = try FetchTrial(server).failure(server.address("/"), within: .milliseconds(80))
        #expect(failure?.isCaptureTimeout == true, "\(String(describing: failure))")
    }

    @Test func `slow header fields end at the time of one try`() throws {
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\n")
                while connection.send("X: y\r\n"), !connection.waitForClose(milliseconds: 5) {}
            }
        }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.requestTimeout = .seconds(1)
        let failure = try FetchTrial(server, limits: limits).failure(server.address("/"))
        guard case .timeout(.answer, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `at the deadline everything that is left fails, and nothing hangs`() throws {
        let server = try TestServer { _ in .stream { while !$0.waitForClose(milliseconds: 1000) {} } }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var failures: [FetchFailure] = []
        for number in 0..<100 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { result in
                if let failure = result.failure { failures.append(failure) }
                // A request submitted after the deadline fails too.
                if number == 0, let again = try? FetchTrial.request(server.address("/again")) {
                    trial.fetcher.submit(again) { if let failure = $0.failure { failures.append(failure) } }
                }
            }
        }
        trial.fetcher.run(until: .now + .milliseconds(60))
        #expect(failures.count == 101)
        #expect(failures.filter(\.isCaptureTimeout).count == 101)
        #expect(server.requests.count <= 6)
    }

    @Test func `a fetcher whose time was over may be run again`() throws {
        let server = try TestServer { request in
            request.target == "/slow" ? .stream { while !$0.waitForClose(milliseconds: 1000) {} } : .text("now")
        }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(try trial.failure(server.address("/slow"), within: .milliseconds(40))?.isCaptureTimeout == true)
        #expect(try trial.answer(server.address("/")).text == "now")
    }

    @Test func `TLS to a port that speaks plain HTTP is a failed handshake`() throws {
        let server = try TestServer { _ in .text("plain") }
        defer { server.close() }
        let failure = try FetchTrial(server).failure("https://127.0.0.1:\(server.port)/")
        guard case .tls(_, .handshake, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a port that nobody listens on is no connection, and the next request fails at once`() throws {
        let server = try TestServer { _ in .text("") }
        let port = server.port
        let trial = try FetchTrial(server)
        server.close()
        // The listener's own thread closes it: until then connections are accepted and cut.
        var failure = try trial.failure("http://127.0.0.1:\(port)/")
        for number in 0..<100 where failure?.isConnect != true {
            failure = try trial.failure("http://127.0.0.1:\(port)/\(number)")
        }
        #expect(failure?.isConnect == true, "\(String(describing: failure))")
        let count = trial.fetcher.requestCount
        #expect(try trial.failure("http://127.0.0.1:\(port)/other")?.isConnect == true)
        #expect(trial.fetcher.requestCount == count)
    }

    @Test func `a name that cannot be resolved is reported as such`() throws {
        let trial = try FetchTrial()
        switch try trial.failure("http://no-such-host.invalid/") {
        case .noSuchHost("no-such-host.invalid"), .nameLookup("no-such-host.invalid"): break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "data:text/plain,x", "javascript:1", "chrome://x/"])
    func `other schemes are refused`(_ address: String) throws {
        let url = try #require(WebURL(address))
        let trial = try FetchTrial()
        #expect(trial.fetch(FetchRequest(url, for: .document)).failure == .badScheme(url.scheme))
        #expect(trial.fetcher.requestCount == 0)
    }
}

extension FetchFailure {
    fileprivate var isCaptureTimeout: Bool { if case .timeout(.capture, _) = self { true } else { false } }
    fileprivate var isConnect: Bool { if case .connect = self { true } else { false } }
}
