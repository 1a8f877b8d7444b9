import Testing

@testable import JSONFormat

/// The canonical form, byte for byte.
struct JSONWriterTests {
    private func canonical(_ text: String) throws -> String {
        let json = try JSONDocument(parsing: Array(text.utf8))
        var writer = JSONWriter(.canonical)
        writer.write(json.root, of: json)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `a value is written with one member and one element a line`() {
        let value = JSON.object([
            .init("title", .string("A \"quoted\" \\ text\nwith a line\u{1}\u{7F}é漢😀/")),
            .init("tags", .strings(["one", "two"])), .init("empty", .array([])), .init("none", .object([])),
            .init("nested", .object([.init("deep", .array([.null, .bool(true), .bool(false), .number("1.50")]))])),
        ])
        let golden = #"""
            {
              "title": "A \"quoted\" \\ text\nwith a line\u0001\u007fé漢😀/",
              "tags": [
                "one",
                "two"
              ],
              "empty": [],
              "none": {},
              "nested": {
                "deep": [
                  null,
                  true,
                  false,
                  1.50
                ]
              }
            }

            """#
        #expect(String(decoding: JSONWriter.file(value), as: UTF8.self) == golden)
    }

    @Test func `on one line there is no white space`() {
        var writer = JSONWriter(.oneLine)
        writer.write(.object([.init("a", .array([.integer(1), .string("b c")])), .init("d", .object([]))]))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,"b c"],"d":{}}"#)
    }

    @Test(arguments: [
        ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1F}", #""\u0000\u001f""#), ("\"\\/", #""\"\\/""#),
        ("\u{2028}\u{FEFF}\u{10FFFF}", "\"\u{2028}\u{FEFF}\u{10FFFF}\""), ("e\u{301}", "\"e\u{301}\""),
    ])
    func `strings have the fewest escapes`(_ text: String, spelling: String) {
        var writer = JSONWriter(.oneLine)
        writer.write(.string(text))
        #expect(writer.bytes == Array(spelling.utf8))
    }

    @Test func `a document is written canonically, numbers and lone surrogates as they were spelt`() throws {
        let text = #"{"a":[1.0e+2,-0,12345678901234567890],"\u0062":"\u00e9\/","c":"\ud800x","\udfff":{"d":[]}}"#
        #expect(
            try canonical(text) == #"""
                {
                  "a": [
                    1.0e+2,
                    -0,
                    12345678901234567890
                  ],
                  "b": "é/",
                  "c": "\ud800x",
                  "\udfff": {
                    "d": []
                  }
                }
                """#)
    }

    @Test func `a pair of surrogates is written as its character`() throws {
        #expect(try canonical(#"["\ud83d\ude00"]"#) == "[\n  \"😀\"\n]")
    }

    @Test func `canonical text stays unchanged`() throws {
        let text = try canonical(#"{"a":[{"b":{}},[],"x"],"c":null}"#)
        #expect(try canonical(text) == text)
    }

    @Test func `text longer than the limit is not written to its end`() throws {
        let nested = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let items = Array(repeating: nested, count: 1000).joined(separator: ",")
        let json = try JSONDocument(parsing: Array("{\"a\":[\(items)]}".utf8))
        let whole = try json.rewriting([]) { _ in nil }
        #expect(whole.count > 7_000_000)
        #expect(try json.rewriting([], limit: whole.count) { _ in nil } == whole)
        #expect(throws: JSONOutgrown.self) { _ = try json.rewriting([], limit: whole.count - 1) { _ in nil } }
        var writer = JSONWriter(.canonical, limit: 10_000)
        writer.write(json.root, of: json)
        #expect(writer.isCut)
        #expect(writer.bytes.count < 20_000)
    }
}
