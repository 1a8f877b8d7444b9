import TestSupport
import Testing
import URLs

@testable import Capture

/// Requests to, and answers from, servers that behave.
struct FetcherTests {
    @Test func `an answer has its status, fields, body and address`() throws {
        let server = try TestServer { _ in
            .text("hello", fields: ["Content-Type: text/html; charset=x", "ETag: \"1\"", "X-Two: a", "x-two: b"])
        }
        defer { server.close() }
        let trial = try FetchTrial(server)
        let answer = try trial.answer(server.address("/a?b#c"))
        #expect(answer.status == 200)
        #expect(answer.text == "hello")
        #expect(answer.contentType == "text/html; charset=x")
        #expect(answer.fields.all("X-TWO") == ["a", "b"])
        #expect(answer.validators == .init(entityTag: "\"1\"", lastModified: nil))
        #expect(answer.finalURL.href == server.address("/a?b#c"))
        #expect(answer.remoteAddress == "127.0.0.1")
        #expect(!answer.wasTruncated)
        #expect(server.targets == ["/a?b"])
    }

    @Test func `a request looks like a browser's and says by whom it is`() throws {
        let server = try TestServer { _ in .text("") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var request = try FetchTrial.request(server.address("/"), for: .styleSheet)
        request.referrer = WebURL(server.address("/page?q#f"))
        request.validators = .init(entityTag: "W/\"7\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        _ = trial.fetch(request)
        let fields = try #require(server.requests.first).fields
        #expect(fields["user-agent"]?.hasPrefix("Mozilla/5.0 ") == true)
        #expect(fields["user-agent"]?.contains("StuffBucket/") == true)
        #expect(fields["accept"] == "text/css,*/*;q=0.1")
        #expect(fields["accept-language"]?.isEmpty == false)
        #expect(fields["accept-encoding"]?.contains("gzip") == true)
        #expect(fields["referer"] == server.address("/page?q"))
        #expect(fields["if-none-match"] == "W/\"7\"")
        #expect(fields["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["cookie"] == nil)
        #expect(fields["authorization"] == nil)
    }

    @Test func `fields with line ends are not sent`() throws {
        let server = try TestServer { _ in .text("") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var request = try FetchTrial.request(server.address("/"))
        request.validators = .init(entityTag: "x\r\nEvil: 1", lastModified: "y\nEvil: 2")
        #expect(trial.fetch(request).failure == nil)
        #expect(server.requests.first?.fields["evil"] == nil)
    }

    @Test func `user name and password of a URL are sent as such and not as part of it`() throws {
        let server = try TestServer { _ in .text("") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        _ = try trial.answer("http://us%C3%A9r:p%40ss@127.0.0.1:\(server.port)/x")
        // printf 'usér:p@ss' | base64
        #expect(server.requests.first?.fields["authorization"] == "Basic dXPDqXI6cEBzcw==")
        #expect(server.targets == ["/x"])
    }

    @Test(arguments: [204, 304, 404, 410, 500, 418, 599]) func `any status is an answer`(_ status: Int) throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n") }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).status == status)
    }

    @Test func `HTTP 1.0 without a length ends with the connection`() throws {
        let server = try TestServer { _ in .raw("HTTP/1.0 200 OK\r\n\r\nall of it") }
        defer { server.close() }
        let answer = try FetchTrial(server).answer(server.address("/"))
        #expect(answer.text == "all of it")
        #expect(!answer.wasTruncated)
    }

    @Test func `a chunked answer with trailers and early hints is read whole`() throws {
        let server = try TestServer { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-After: 1\r\n\r\n")
        }
        defer { server.close() }
        let answer = try FetchTrial(server).answer(server.address("/"))
        #expect(answer.text == "abcdefg")
        #expect(answer.fields["link"] == nil)
        #expect(answer.fields["x-after"] == nil)
    }

    @Test func `a HEAD request has no body`() throws {
        let server = try TestServer { _ in .text("body") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var request = try FetchTrial.request(server.address("/"))
        request.method = .head
        #expect(try trial.fetch(request).get().body.isEmpty)
        #expect(server.requests.map(\.method) == ["HEAD"])
    }

    @Test func `a packed body is unpacked`() throws {
        let server = try TestServer { _ in
            .whole(fields: ["Content-Encoding: gzip"], body: PackedBody.gzip(Array("plain text".utf8)))
        }
        defer { server.close() }
        #expect(try FetchTrial(server).answer(server.address("/")).text == "plain text")
    }

    @Test(arguments: ["utf-8", "binary, x", "UTF8"])
    func `an encoding that does not exist is passed over`(_ encoding: String) throws {
        let server = try TestServer { _ in .text("plain text", fields: ["Content-Encoding: \(encoding)"]) }
        defer { server.close() }
        let trial = try FetchTrial(server)
        #expect(try trial.answer(server.address("/")).text == "plain text")
        #expect(trial.fetcher.budget.kept == 10)
        #expect(server.requests.count == 2)
    }

    @Test func `a URL is fetched once for all requests that lead to it`() throws {
        let server = try TestServer { $0.path == "/a" ? .redirect("/b") : .text("b") }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var answers: [FetchResponse] = []
        for path in ["/a", "/b", "/b#x", "/a#y", "/b"] {
            trial.fetcher.submit(try FetchTrial.request(server.address(path))) { result in
                if let answer = try? result.get() { answers.append(answer) }
            }
        }
        trial.fetcher.run(until: .now + .seconds(120))
        #expect(answers.map(\.text) == ["b", "b", "b", "b", "b"])
        #expect(try trial.answer(server.address("/b")).text == "b")
        #expect(server.targets.sorted() == ["/a", "/b"])
    }

    @Test func `a completion may submit more`() throws {
        let server = try TestServer { .text($0.target) }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var seen: [String] = []
        func next(_ number: Int) throws {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { result in
                seen.append((try? result.get().text) ?? "?")
                if number < 5 { try? next(number + 1) }
            }
        }
        try next(1)
        trial.fetcher.run(until: .now + .seconds(120))
        #expect(seen == ["/1", "/2", "/3", "/4", "/5"])
    }

    @Test func `ten thousand requests use a few connections`() throws {
        let server = try TestServer { .text($0.target) }
        defer { server.close() }
        let trial = try FetchTrial(server, keepsAnswers: false)
        var right = 0
        for number in 0..<10_000 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { result in
                if (try? result.get().text) == "/\(number)" { right += 1 }
            }
        }
        trial.fetcher.run(until: .now + .seconds(60))
        #expect(right == 10_000)
        #expect(server.connectionCount <= 6)
        #expect(trial.fetcher.connectionCount <= 6)
    }

    @Test func `no more requests are under way at once than allowed`() throws {
        let load = LoadMeter()
        let server = try TestServer { _ in
            .stream { connection in
                load.enter()
                // Long enough for the others to begin.
                _ = connection.waitForClose(milliseconds: 20)
                load.leave()
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            }
        }
        defer { server.close() }
        var limits = FetchTrial.quick
        limits.hostConcurrency = 3
        let trial = try FetchTrial(server, limits: limits)
        for number in 0..<12 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { _ in }
        }
        trial.fetcher.run(until: .now + .seconds(120))
        #expect(load.most == 3)
    }

    @Test func `an origin rests between its requests while another goes on`() throws {
        let server = try TestServer { .text($0.target) }
        defer { server.close() }
        let other = try TestServer { .text($0.target) }
        defer { other.close() }
        var limits = FetchTrial.quick
        limits.hostConcurrency = 1
        // The rest is longer than the whole run, so the first server gets one request.
        limits.hostPause = .seconds(3600)
        let trial = try FetchTrial(server, other, limits: limits)
        for number in 0..<4 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { _ in }
        }
        trial.fetcher.submit(try FetchTrial.request(other.address("/"))) { _ in }
        trial.fetcher.run(until: .now + .seconds(4))
        #expect(server.requests.map(\.target) == ["/0"])
        #expect(other.requests.map(\.target) == ["/"])
    }
}
