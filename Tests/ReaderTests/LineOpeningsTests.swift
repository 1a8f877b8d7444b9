import Testing

@testable import Reader

struct LineOpeningsTests {
    private static let openings = LineOpenings([
        "more", "more on", "ähnliche", "über uns", "čtěte", "читайте", "don’t miss",
    ])

    @Test(arguments: [
        ("more", ""), ("More: x", ": x"), ("MORE ON this", " this"), ("more only", " only"), ("» more", ""),
        ("12 — more", ""), ("mores", nil), ("moreé", nil), ("more1", "1"), ("no more", nil), ("mor", nil), ("m", nil),
        ("", nil), ("…", nil), ("Ähnliche Seiten", " Seiten"), ("ÄHNLICHE", ""), ("A\u{308}hnliche x", " x"),
        ("ÜBER UNS", ""), ("ČTĚTE", ""), ("ЧИТАЙТЕ также", " также"), ("читайтей", nil), ("Don’t miss it", " it"),
        ("漢more", nil), ("\u{1F600} more", ""), ("\u{1D5E0}ore", nil),
    ])
    func `a line begins with an opening at its first letter`(line: String, rest: String?) {
        #expect(Self.openings.rest(of: Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) } == rest)
    }

    @Test(arguments: [
        [0xFF, 0x6D, 0x6F, 0x72, 0x65], [0x80, 0xC3, 0x6D, 0x6F, 0x72, 0x65], [0x6D, 0x6F, 0x72, 0x65, 0xC3],
        [0x6D, 0x6F, 0x72, 0x65, 0xF0, 0x9F],
    ])
    func `bytes that are not UTF-8 are no letters`(line: [UInt8]) {
        #expect(Self.openings.rest(of: line) != nil)
    }

    /// Both cases of every lower-cased letter, as in the standard library.
    @Test func `letters become lower case as in the rest of the program`() {
        for value in Array(UInt32(0xC0)...0x17F) + Array(0x400...0x44F) {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
            let lower = String(scalar).lowercased()
            guard lower.utf8.count == 2, value != 0x178 else { continue }
            #expect(LineOpenings([lower + "x"]).rest(of: Array("\(scalar)X".utf8)) != nil, "\(value)")
        }
    }
}
