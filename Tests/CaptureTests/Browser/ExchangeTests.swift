import Testing

@testable import Capture

struct ExchangeTests {
    @Test(arguments: [
        ("bytes 0-99/100", true), ("bytes 0-98/100", false), ("bytes 1-99/100", false), ("bytes 0-99/*", false),
        ("bytes */100", false), ("", false), ("items 0-99/100", false), ("bytes 0-0/0", false),
        ("bytes 0-9223372036854775807/-9223372036854775808", false),
    ]) func `a partial answer may be the whole`(range: String, isWhole: Bool) {
        #expect(Exchanges.isWhole(range) == isWhole)
    }

    @Test func `requests that may stay open are not waited for`() {
        var exchanges = Exchanges()
        exchanges.begin("s", "1.1", url: "http://a/", kind: "Image", frame: nil)
        exchanges.begin("s", "1.2", url: "http://b/", kind: "EventSource", frame: nil)
        exchanges.begin("t", "1.1", url: "http://c/", kind: "Font", frame: nil)
        #expect(exchanges.pending == [0, 2])
        exchanges.begin("s", "1.1", url: "http://d/", kind: "Image", frame: nil)
        exchanges.end("s", "1.1", .finished)
        exchanges.end("t", "9.9", .finished)
        #expect(exchanges.pending == [2])
        #expect(exchanges.all[0].urls == ["http://a/", "http://d/"])
    }

    @Test func `a navigation is one exchange, whatever session reports it`() {
        var exchanges = Exchanges()
        exchanges.begin("parent", "0A0B", url: "http://a/", kind: "Document", frame: nil)
        exchanges.end("child", "0A0B", .finished)
        #expect(exchanges.pending.isEmpty)
        #expect(exchanges.all[0].session == "child")
    }
}
