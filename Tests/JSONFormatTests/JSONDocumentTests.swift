import Testing

@testable import JSONFormat

/// The contents of a parsed text, and the spelling of its parts.
struct JSONDocumentTests {
    private func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

    @Test func `members, elements and kinds are returned in order`() throws {
        let json = try document(#" {"b": [1, "x", null, true, false, {}, []], "a": {"c": {"d": -0.5e1}}} "#)
        let members = json.members(json.root)
        #expect(members.map { json.string($0.key) } == ["b", "a"])
        #expect(
            json.elements(members[0].value).map { json.kind($0) } == [
                .number, .string, .null, .true, .false, .object, .array,
            ])
        let inner = json.member("a", of: json.root).flatMap { json.member("c", of: $0) }
            .flatMap { json.member("d", of: $0) }
        #expect(inner.map { String(decoding: json.spelling($0), as: UTF8.self) } == "-0.5e1")
        #expect(json.member("absent", of: json.root) == nil)
    }

    @Test func `a scalar has no members or elements`() throws {
        let json = try document("5")
        #expect(json.members(json.root).isEmpty)
        #expect(json.elements(json.root).isEmpty)
        #expect(json.string(json.root) == nil)
        #expect(json.member("a", of: json.root) == nil)
    }

    @Test func `a byte order mark is passed over`() throws {
        let json = try document("\u{FEFF}{\"a\":1}")
        #expect(json.copy(json.root) == .object([.init("a", .number("1"))]))
        #expect(String(decoding: try json.rewriting([]) { _ in nil }, as: UTF8.self) == "{\n  \"a\": 1\n}\n")
    }

    @Test(arguments: [
        (#""""#, ""), (#""abc""#, "abc"), (#""é漢😀""#, "é漢😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u6F22""#, "Aé漢"), (#""\uD83D\uDE00""#, "😀"), (#""\ud800""#, "\u{FFFD}"),
        (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (#""\u0000""#, "\0"), (#""\\u0041""#, #"\u0041"#), (#""a\u007fb""#, "a\u{7F}b"),
    ])
    func `strings are decoded`(_ spelling: String, text: String) throws {
        let json = try document(spelling)
        #expect(json.string(json.root) == text)
    }

    @Test(arguments: [
        "0", "-0", "1.0e+2", "1E5", "12345678901234567890", "0.1000", "-1.5e-300", "1e999",
        "3.14159265358979323846264338327950288",
    ])
    func `a number keeps its spelling through copying and writing`(_ spelling: String) throws {
        let json = try document("[\(spelling)]")
        #expect(json.copy(json.root) == .array([.number(spelling)]))
        var writer = JSONWriter(.oneLine)
        writer.write(json.root, of: json)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(spelling)]")
    }

    @Test func `positions count lines and scalars from one`() throws {
        let json = try document("{\n  \"é\": \"漢字\", \"b\": 7\n}")
        let value = try #require(json.member("b", of: json.root))
        #expect(json.position(value) == TextPosition(of: json.offset(value), in: json.bytes))
        #expect(json.position(value).line == 2)
        #expect(json.position(value).column == 19)
    }

    @Test func `a key that is spelt with escapes is found by its text`() throws {
        let json = try document(#"{"\u0074itle": "x"}"#)
        #expect(json.member("title", of: json.root).flatMap { json.string($0) } == "x")
    }

    @Test func `equality of values is that of their bytes`() {
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
        #expect(JSON.strings(["\u{E9}"]) != JSON.strings(["e\u{301}"]))
        #expect(JSON.object([.init("\u{E9}", .null)]) != JSON.object([.init("e\u{301}", .null)]))
        #expect(JSON.number("1") != JSON.number("1.0"))
        #expect(JSON.null != JSON.bool(false))
        #expect(JSON.array([.integer(1), .bool(true)]) == JSON.array([.number("1"), .bool(true)]))
        #expect(JSON.members([("a", .null), ("b", nil)]) == JSON.object([.init("a", .null)]))
    }

    @Test(
        arguments: [
            ("{}", "{}", []), (#"{"a":1}"#, "[]", ["a"]), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
            (#"{"a":1,"b":2,"c":3}"#, #"{"x":0,"a":1,"c":3}"#, ["b"]),
            (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"b":[2],"c":3}"#, ["b"]),
            (#"{"\u0061":[ 1 ],"b":"\u0062"}"#, #"{"b":"b","a":[1]}"#, []),
            ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", ["\u{E9}"]), (#"{"a":1}"#, #"{"a":1.0}"#, ["a"]),
        ] as [(String, String, [String])])
    func `members that another document lacks or has with another value are returned`(
        _ text: String, other: String, keys: [String]
    ) throws {
        let json = try document(text)
        let unlike = try json.members(unlike: document(other))
        #expect(unlike.map { json.string($0.key) } == keys)
    }
}
