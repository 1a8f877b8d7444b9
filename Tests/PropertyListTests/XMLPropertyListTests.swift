import PropertyList
import Testing

/// Property lists in XML.
struct XMLPropertyListTests {
    private func read(_ body: String) throws -> PropertyList {
        try PropertyList(
            Array("<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist version=\"1.0\">\(body)</plist>".utf8))
    }

    @Test func `every kind of value is read`() throws {
        let list = try read(
            """
            <dict><key>a</key><string>x &amp; y &#233;</string><key>b</key><integer>-7</integer><key>c</key><true/>
            <key>d</key><array><real>1.5</real><data>AQID</data><false/></array><key>e</key><string/>
            <key>f</key><date>2001-01-02T00:00:01Z</date></dict>
            """)
        #expect(
            list
                == .dictionary([
                    "a": .string("x & y \u{E9}"), "b": .integer(-7), "c": .bool(true),
                    "d": .array([.real(1.5), .data([1, 2, 3]), .bool(false)]), "e": .string(""), "f": .date(86_401),
                ]))
    }

    @Test(arguments: [
        "", "<dict>", "<dict><string>a</string></dict>", "<array></dict>", "<what/>", "<string>a<b></string>",
        "<integer>x</integer>",
    ])
    func `what is no list is an error with its place`(body: String) {
        #expect(throws: PropertyList.Fault.self) { try read(body) }
    }

    @Test func `ten thousand nested lists are refused, not followed`() {
        let deep = String(repeating: "<array>", count: 10_000) + String(repeating: "</array>", count: 10_000)
        #expect(throws: PropertyList.Fault.self) { try read(deep) }
    }
}
