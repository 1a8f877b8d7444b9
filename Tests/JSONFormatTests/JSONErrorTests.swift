import Testing

@testable import JSONFormat

/// The place and the message for text that is no JSON.
struct JSONErrorTests {
    struct Fault: CustomStringConvertible {
        let description: String
        let bytes: [UInt8]
        let message: String

        init(_ name: String, _ text: String, _ message: String) {
            self.init(name, bytes: Array(text.utf8), message)
        }

        init(_ name: String, bytes: [UInt8], _ message: String) {
            description = name
            self.bytes = bytes
            self.message = message
        }
    }

    static let faults = [
        Fault("empty file", "", "1:1: expected a JSON value, found the end of the file"),
        Fault("white space alone", " \n", "2:1: expected a JSON value, found the end of the file"),
        Fault("byte order mark alone", "\u{FEFF}", "1:2: expected a JSON value, found the end of the file"),
        Fault("open object", "{", #"1:2: expected a key in double quotes or "}", found the end of the file"#),
        Fault("open array", "[", "1:2: expected a value, found the end of the file"),
        Fault("cut behind a key", #"{"a""#, #"1:5: expected ":" after the key, found the end of the file"#),
        Fault("no colon", #"{"a" "b"}"#, #"1:6: expected ":" after the key, found a double quote"#),
        Fault("cut behind a colon", #"{"a":"#, #"1:6: expected a value after ":", found the end of the file"#),
        Fault("cut behind a member", #"{"a":1"#, #"1:7: expected "," or "}", found the end of the file"#),
        Fault("cut behind a comma", #"{"a":1,"#, "1:8: expected a key in double quotes, found the end of the file"),
        Fault("cut behind an element", "[1", #"1:3: expected "," or "]", found the end of the file"#),
        Fault(
            "trailing comma in an object", #"{"a":1,}"#,
            #"1:8: expected a key in double quotes, found "}" after a trailing comma"#),
        Fault("trailing comma in an array", "[1,\n]", #"2:1: expected a value, found "]" after a trailing comma"#),
        Fault("leading comma in an object", #"{,"a":1}"#, #"1:2: expected a key in double quotes or "}", found ",""#),
        Fault("leading comma in an array", "[,1]", #"1:2: expected a value, found ",""#),
        Fault("missing comma in an array", "[1 2]", #"1:4: expected "," or "]", found "2""#),
        Fault(
            "missing comma on the line above", "{\n  \"title\": \"x\"\n  \"tags\": []\n}",
            #"3:3: expected "," or "}", found a double quote"#),
        Fault("missing colon", #"{"a" 1}"#, #"1:6: expected ":" after the key, found "1""#),
        Fault(
            "duplicate key", "{\"a\":1,\n \"b\":2,\n \"a\":3}",
            #"3:2: expected a key that this object does not have yet, found "a" a second time"#),
        Fault(
            "duplicate key, escaped", #"{"a":1,"\u0061":2}"#,
            #"1:8: expected a key that this object does not have yet, found "a" a second time"#),
        Fault(
            "duplicate key, further in", #"{"x":{"é":1,"\u00e9":2}}"#,
            #"1:13: expected a key that this object does not have yet, found "é" a second time"#),
        Fault(
            "single quotes round a key", "{'a':1}",
            #"1:2: expected a key in double quotes or "}", found a single quote"#),
        Fault("single quotes round a value", "['a']", "1:2: expected a value, found a single quote"),
        Fault("curly quotes", "{\"title\": “x”}", #"1:11: expected a value after ":", found character U+201C"#),
        Fault("key without quotes", "{a:1}", #"1:2: expected a key in double quotes or "}", found "a""#),
        Fault("number as a key", "{1:2}", #"1:2: expected a key in double quotes or "}", found "1""#),
        Fault("line comment first", "// c\n{}", #"1:1: expected a JSON value, found "/" (JSON has no comments)"#),
        Fault("line comment last", "{} // c", #"1:4: expected the end of the file, found "/" (JSON has no comments)"#),
        Fault(
            "block comment", "{/* c */}",
            #"1:2: expected a key in double quotes or "}", found "/" (JSON has no comments)"#),
        Fault("two documents", "{}{}", #"1:3: expected the end of the file, found "{""#),
        Fault("closed by the wrong bracket", "[1}", #"1:3: expected "," or "]", found "}""#),
        Fault("closed by the wrong brace", #"{"a":1]"#, #"1:7: expected "," or "}", found "]""#),
        Fault("nothing to close", "]", #"1:1: expected a JSON value, found "]""#),
        Fault("semicolon", #"{"a":1;}"#, #"1:7: expected "," or "}", found ";""#),
        Fault("word cut short", "nul", #"1:1: expected a JSON value, found "nul""#),
        Fault("word in upper case", "True", #"1:1: expected a JSON value, found "True""#),
        Fault("not a number", "[NaN]", #"1:2: expected a value, found "NaN""#),
        Fault("infinity", "-Infinity", #"1:2: expected a digit, found "Infinity""#),
        Fault("leading zero", "01", #"1:2: expected a number without leading zeros, found "1""#),
        Fault("leading zero behind a sign", "-01", #"1:3: expected a number without leading zeros, found "1""#),
        Fault("sign alone", "-", "1:2: expected a digit, found the end of the file"),
        Fault("plus sign", "+1", #"1:1: expected a JSON value, found "+1""#),
        Fault("point first", ".5", #"1:1: expected a JSON value, found ".5""#),
        Fault("point last", "1.", "1:3: expected a digit, found the end of the file"),
        Fault("point before the exponent", "1.e5", #"1:3: expected a digit, found "e5""#),
        Fault("exponent without digits", "1e+", "1:4: expected a digit, found the end of the file"),
        Fault("hexadecimal", "0x1F", #"1:2: expected the end of the file, found "x1F""#),
        Fault("digits grouped", "1_000", #"1:2: expected the end of the file, found "_000""#),
        Fault(
            "string without end", "[\n\"abc",
            "2:1: expected a closing quote for the text that began here, found the end of the file"),
        Fault(
            "string ends in a backslash", #""\"#,
            #"1:3: expected one of " \ / b f n r t u after \, found the end of the file"#),
        Fault(
            "raw newline in a string", "\"a\nb\"",
            "1:3: expected a closing quote before the end of the line, found the end of the line"),
        Fault(
            "raw carriage return in a string", "\"a\r\nb\"",
            "1:3: expected a closing quote before the end of the line, found the end of the line"),
        Fault(
            "raw tab in a string", "\"a\tb\"",
            #"1:3: expected an escape such as \u0000 for a control character, found control character 0x09"#),
        Fault(
            "NUL in a string", "\"a\0b\"",
            #"1:3: expected an escape such as \u0000 for a control character, found control character 0x00"#),
        Fault("NUL alone", "\0", "1:1: expected a JSON value, found control character 0x00"),
        Fault("NUL at the end", "{}\0", "1:3: expected the end of the file, found control character 0x00"),
        Fault("unknown escape", #""\x41""#, #"1:3: expected one of " \ / b f n r t u after \, found "x41""#),
        Fault(
            "escape of two digits", #""\u12""#, #"1:6: expected four hexadecimal digits after \u, found a double quote"#
        ),
        Fault("escape of other letters", #""\u12G4""#, #"1:6: expected four hexadecimal digits after \u, found "G4""#),
        Fault("column counts scalars, not bytes", "[\"é\",\n\"漢\", oops]", #"2:6: expected a value, found "oops""#),
        Fault("line separator outside strings", "\u{2028}[]", "1:1: expected a JSON value, found character U+2028"),
        Fault("no-break space outside strings", "\u{A0}1", "1:1: expected a JSON value, found character U+00A0"),
    ]

    static let badUTF8 = [
        Fault("stray byte", bytes: [0x22, 0xFF, 0x22], "1:2: expected valid UTF-8, found byte 0xff"),
        Fault("overlong NUL", bytes: [0x22, 0xC0, 0x80, 0x22], "1:2: expected valid UTF-8, found byte 0xc0"),
        Fault(
            "encoded surrogate", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: expected valid UTF-8, found byte 0xed"),
        Fault("cut sequence", bytes: [0x22, 0xE6, 0xBC, 0x22], "1:2: expected valid UTF-8, found byte 0xe6"),
        Fault(
            "above U+10FFFF", bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2: expected valid UTF-8, found byte 0xf4"),
        Fault("in a key", bytes: [0x7B, 0x22, 0x61, 0xC3, 0x22, 0x3A], "1:4: expected valid UTF-8, found byte 0xc3"),
        Fault("outside strings", bytes: [0x80], "1:1: expected a JSON value, found byte 0x80"),
        Fault("UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0x00], "1:1: expected a JSON value, found byte 0xff"),
    ]

    @Test(arguments: faults + badUTF8)
    func `a malformed text is refused at its line and column`(_ fault: Fault) {
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: fault.bytes) }
        #expect(error?.description == fault.message)
    }

    @Test func `nesting is allowed to the limit and refused beyond it`() throws {
        let limit = JSONDocument.depthLimit
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(try JSONDocument(parsing: nested(limit)).elements(.init(index: 0)).count == 1)
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: nested(limit + 1)) }
        #expect(error?.description == "1:65: expected at most 64 nested levels, found one more")
        let objects = Array(String(repeating: #"{"a":"#, count: limit + 1).utf8)
        let second = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: objects) }
        #expect(second?.expected == .depth(limit: 64))
    }

    @Test func `a million open brackets are refused without recursion to match`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: bytes) }
        #expect(error?.offset == JSONDocument.depthLimit)
    }

    @Test func `other limits may be given, and hold`() throws {
        let limits = JSONDocument.Limits(byteCount: 20 << 20, depth: 3)
        let long = [0x22] + [UInt8](repeating: 0x61, count: 17 << 20) + [0x22]
        #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: long) }
        #expect(try JSONDocument(parsing: long, limits: limits).kind(.init(index: 0)) == .string)
        #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: Array("[[[[]]]]".utf8), limits: limits) }
        #expect(try JSONDocument(parsing: Array("[[[]]]".utf8), limits: limits).elements(.init(index: 0)).count == 1)
    }

    @Test func `a text above the size limit is refused before it is read`() {
        let bytes = [UInt8](repeating: 0x20, count: JSONDocument.byteLimit + 1)
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: bytes) }
        #expect(error?.description == "1:1: expected at most 16777216 bytes, found 16777217 bytes")
    }

    @Test func `a duplicate among many keys is found`() {
        let keys = (0..<1000).map { #""key\#($0)":0"# }
        let text = "{" + (keys + [#""key500":1"#]).joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: Array(text.utf8)) }
        #expect(error?.found == .repeatedKey("key500"))
    }

    @Test(arguments: [
        #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"{"\u0061":1,"b":{"a":1},"\u0061":2}"#, #"{"":1,"":2}"#,
    ])
    func `a duplicate is found however it is spelt`(_ text: String) {
        let error = #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: Array(text.utf8)) }
        #expect(error?.description.contains("a second time") == true)
    }

    @Test(arguments: [1, 23, 24, 25, 26, 48, 49, 500])
    func `any number of keys may occur once, and none twice`(_ count: Int) throws {
        let keys = (0..<count).map { $0 % 7 == 6 ? #""\u006bey\#($0)":{"key0":0}"# : #""key\#($0)":{"key0":0}"# }
        let json = try JSONDocument(parsing: Array("{\(keys.joined(separator: ","))}".utf8))
        let keyed = json.keyedMembers(json.root)
        for place in 0..<count {
            let value = try #require(json.member("key\(place)", of: json.root))
            #expect(keyed["key\(place)"] == value)
            let text = "{\((keys + [#""key\#(place)":1"#]).joined(separator: ","))}"
            #expect(throws: JSONError.self) { _ = try JSONDocument(parsing: Array(text.utf8)) }
        }
        #expect(keyed["key\(count)"] == nil)
    }
}
