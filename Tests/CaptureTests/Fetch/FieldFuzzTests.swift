import TestSupport
import Testing
import Time
import URLs

@testable import Capture

/// Arbitrary bytes: the small parsers return a value or none, and never crash.
struct FieldFuzzTests {
    private static let seeds = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "attachment; filename*=UTF-8''%e2%82%ac.txt; filename=\"a\\\"b\"",
        "n=v; Domain=.a.test; Path=/; Expires=Sun Nov  6 08:49:37 1994; Max-Age=-60; Secure; HttpOnly",
        "#HttpOnly_.a.test\tTRUE\t/\tFALSE\t1800000000\tname\tvalue\n", "X-Field: value\r\n", "120",
        "[::1]:80,a.test:443",
        "strict-origin-when-cross-origin", "64:ff9b::192.168.1.1%eth0",
    ]

    @Test func `mutated fields are read without a crash`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var bytes = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes.prefix(Int.random(in: 0...20, using: &random)), at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = HTTPDate.read(text)
            _ = RetryAfter.wait(text, now: Timestamp(milliseconds: 0))
            if let name = ContentDisposition(text)?.fileName {
                #expect(!name.isEmpty && !name.contains("/") && !name.utf8.contains(0))
            }
            _ = HostPortList(text)
            _ = ReferrerPolicy(text)
            _ = NetworkAddress(text)?.scope
            // Each cookie of a file reaches libcurl as one line with seven fields.
            for cookie in CookieFile(bytes).cookies {
                #expect(cookie.line.utf8.count { $0 == 9 } == 6 && !cookie.line.utf8.contains { $0 < 0x20 && $0 != 9 })
            }
            var fields = HeaderFields()
            bytes.withUnsafeBytes { fields.add(line: $0) }
        }
    }

    @Test func `mutated answers end with an answer or a failure`() throws {
        let whole = Array(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=b\r\n"
                + "Location: /x\r\nContent-Encoding: identity\r\n\r\n5\r\nabcde\r\n0\r\n\r\n").utf8)
        let server = try TestServer { request in
            var random = SeededGenerator(seed: UInt64(request.path.dropFirst()) ?? 0)
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return .raw(Array(bytes.prefix(Int.random(in: 0...bytes.count * 2, using: &random))))
        }
        defer { server.close() }
        let trial = try FetchTrial(server)
        var count = 0
        for number in 0..<300 {
            trial.fetcher.submit(try FetchTrial.request(server.address("/\(number)"))) { _ in count += 1 }
        }
        trial.fetcher.run(until: .now + .seconds(120))
        #expect(count == 300)
    }
}
