import Testing

@testable import PropertyList

struct XMLPropertyListTests {
    private func parse(_ body: String) throws -> PropertyList {
        try PropertyList(Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8))
    }

    @Test func `all kinds of values are read`() throws {
        let list = try parse(
            """
            <dict><key>text</key><string>a &amp; b&#x21; <![CDATA[<c>]]></string><key>number</key><integer>-12</integer>
            <key>real</key><real>1.5</real><key>yes</key><true/><key>no</key><false/>
            <key>date</key><date>2001-01-02T00:00:01Z</date><key>data</key><data>aGk=</data>
            <key>list</key><array><string/><array/><dict/></array></dict>
            """)
        #expect(list["text"]?.string == "a & b! <c>")
        #expect(list["number"] == .integer(-12))
        #expect(list["real"] == .real(1.5))
        #expect(list["yes"] == .bool(true))
        #expect(list["no"] == .bool(false))
        #expect(list["date"] == .date(86_401))
        #expect(list["data"]?.data == Array("hi".utf8))
        #expect(list["list"]?.elements == [.string(""), .array([]), .dictionary([:])])
    }

    static let faults: [(String, String)] = [
        ("", "there is no value"), ("<array><string>a</string>", "ends within"), ("<string>a", "does not end"),
        ("</array>", "without its beginning"), ("<dict><string>a</string></dict>", "without a key"),
        ("<key>a</key>", "outside of a dict"), ("<integer>x</integer>", "is no integer"),
        ("<blob>x</blob>", "unknown element"), ("<date>2001-01-01T99999999999999999999:00:00Z</date>", "is no date"),
        ("<date>2001-01-01T9223372036854775807:00:00Z</date>", "is no date"), ("<string><b></b></string>", "within"),
    ]

    @Test(arguments: faults)
    func `a fault is reported with its place`(body: String, what: String) throws {
        // Without the end of the list, which would be another fault.
        let error = #expect(throws: PropertyListFault.self) { try PropertyList(Array(("<plist>" + body).utf8)) }
        #expect(error?.phrase.contains(what) == true, "\(error?.phrase ?? "no fault")")
        #expect((error?.offset ?? -1) >= 0)
    }

    @Test func `ten thousand nested lists are refused, and do not exhaust the stack`() throws {
        let open = String(repeating: "<array>", count: 10_000)
        let error = #expect(throws: PropertyListFault.self) { try parse(open) }
        #expect(error?.phrase.contains("nested too deeply") == true)
        let within = String(repeating: "<array>", count: 500) + String(repeating: "</array>", count: 500)
        #expect(throws: Never.self) { try parse(within) }
    }

    @Test func `a list of a hundred thousand is read`() throws {
        let list = try parse("<array>" + String(repeating: "<string>x</string>", count: 100_000) + "</array>")
        #expect(list.elements.count == 100_000)
    }
}
