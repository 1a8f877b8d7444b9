import TestSupport
import Testing

@testable import HTML

struct CharacterEncodingTests {
    @Test(arguments: [
        ("utf8", "UTF-8"), (" Latin1\n", "windows-1252"), ("ascii", "windows-1252"), ("csShiftJIS", "Shift_JIS"),
        ("gb2312", "GBK"),
        ("ks_c_5601-1987", "EUC-KR"), ("unicode", "UTF-16LE"), ("x-user-defined", "x-user-defined"),
        ("iso-2022-cn", "replacement"),
        ("tis-620", "windows-874"), ("iso-8859-8-i", "ISO-8859-8-I"), ("", nil), ("utf-7", nil), ("utf8 x", nil),
        ("28", nil), ("1", nil),
    ])
    func `a label names an encoding`(_ label: String, name: String?) {
        #expect(CharacterEncoding(label: label)?.name == name)
    }

    @Test func `the named encodings decode as their names say`() {
        let named: [(CharacterEncoding, String)] = [
            (.utf8, "UTF-8"), (.windows1252, "windows-1252"), (.gbk, "GBK"), (.gb18030, "gb18030"), (.big5, "Big5"),
            (.eucJP, "EUC-JP"), (.iso2022JP, "ISO-2022-JP"), (.shiftJIS, "Shift_JIS"), (.eucKR, "EUC-KR"),
            (.replacement, "replacement"), (.utf16BigEndian, "UTF-16BE"), (.utf16LittleEndian, "UTF-16LE"),
            (.userDefined, "x-user-defined"),
        ]
        for (encoding, name) in named { #expect(encoding.name == name) }
    }

    @Test(
        arguments: [
            ("utf-8", [0x61, 0xC3, 0xA9, 0xFF, 0xE2, 0x82], "aé\u{FFFD}\u{FFFD}"),
            ("utf-8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("utf-8", [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ("utf-8", [0xFF, 0xFE, 0x61, 0], "a"),
            ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE, 0x00, 0xDC, 0x61], "😀\u{FFFD}\u{FFFD}"),
            ("utf-16be", [0x20, 0xAC], "€"),
            ("windows-1252", [0x80, 0x81, 0xE9, 0x41], "€\u{81}éA"),
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0x98], "При\u{98}"),
            ("koi8-r", [0xF0, 0xD2, 0xC9], "При"), ("koi8-u", [0xAE, 0xBE, 0xA4], "ўЎє"),
            ("iso-8859-2", [0xB1, 0xE8], "ąč"),
            ("iso-8859-15", [0xA4], "€"), ("iso-8859-7", [0xE1, 0xFF], "α\u{FFFD}"),
            ("windows-1255", [0xCA, 0xD9], "\u{5BA}\u{FFFD}"),
            ("macintosh", [0xDB, 0x8E], "€é"), ("x-mac-cyrillic", [0x80, 0xFF], "А€"), ("ibm866", [0x8F, 0xE0], "Пр"),
            ("windows-874", [0xA1, 0xDB], "ก\u{FFFD}"), ("x-user-defined", [0x41, 0x80, 0xFF], "A\u{F780}\u{F7FF}"),
            ("hz-gb-2312", [0x41, 0x42], "\u{FFFD}"), ("iso-2022-kr", [], ""),
        ] as [(String, [UInt8], String)])
    func `our own tables decode bytes`(_ label: String, bytes: [UInt8], text: String) throws {
        let found = try #require(CharacterEncoding(label: label)).decode(bytes)
        #expect(String(decoding: found.utf8, as: UTF8.self).unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(found.hasReplacements == text.unicodeScalars.contains("\u{FFFD}") && !found.isConverterMissing)
    }

    @Test(
        arguments: [
            ("gbk", [0xC4, 0xE3, 0xBA, 0xC3, 0x80], "你好€"), ("gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"),
            ("big5", [0xA7, 0x41, 0xA6, 0x6E], "你好"), ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0xB1, 0x5C], "日本ｱ\\"), ("shift_jis", [0x87, 0x40], "①"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
            ("euc-kr", [0xC7, 0xD1, 0x8C, 0x63], "한똠"),
            ("euc-jp", [0xA1, 0xC1, 0x8E, 0xB1, 0xF9, 0xA1, 0x8F, 0xB0, 0xA1], "\u{FF5E}ｱ\u{E178}丂"),
            ("euc-jp", [0xA1, 0xC1, 0x8E, 0xB1, 0xF9, 0xA1, 0xAD, 0xA1], "\u{FF5E}ｱ纊①"),
            (
                "iso-2022-jp",
                [0x1B, 0x24, 0x42, 0x2D, 0x21, 0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x4A, 0x61, 0x1B, 0x3C, 0xE9],
                "①ｱa\u{FFFD}<\u{FFFD}"
            ),
            ("gbk", [0x61, 0xFF, 0x3C, 0x62], "a\u{FFFD}<b"), ("shift_jis", [0x81, 0x22, 0x3E], "\u{FFFD}\">"),
            ("euc-jp", [0x8F, 0x3C], "\u{FFFD}<"), ("euc-kr", [0xC7], "\u{FFFD}"), ("big5", [0x81, 0x40], nil),
        ] as [(String, [UInt8], String?)])
    func `the system's converters decode bytes and swallow no ASCII byte`(
        _ label: String, bytes: [UInt8], text: String?
    ) throws {
        let found = try #require(CharacterEncoding(label: label)).decode(bytes)
        try #require(!found.isConverterMissing, "the system has no converter for it (Debian: libc-bin)")
        let result = String(decoding: found.utf8, as: UTF8.self)
        if let text { #expect(result == text) } else { #expect(found.hasReplacements) }
    }

    @Test func `any bytes give UTF-8`() {
        var random = SeededGenerator.forFuzzing
        let labels = [
            "utf-8", "utf-16le", "utf-16be", "koi8-r", "gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis",
            "euc-kr",
            "replacement", "x-user-defined",
        ]
        for number in 0..<FuzzSetting.cases(4000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                let low = Bool.random(using: &random)
                bytes.append(.random(in: low ? 0x1B...0x7E : 0...255, using: &random))
            }
            for label in [labels[number % labels.count], "utf-8"] {
                guard let found = CharacterEncoding(label: label)?.decode(bytes) else {
                    Issue.record("\(label) is no label")
                    continue
                }
                #expect(UTF8Text.isWellFormed(found.utf8), "\(label): \(bytes)")
                #expect(found.utf8.count <= bytes.count * 3 + 3)
            }
            #expect(UTF8Text.isWellFormed(bytes) == (String(validating: bytes, as: UTF8.self) != nil))
            let page = CharacterEncoding.ofPage(Array("<meta ".utf8) + bytes, contentType: nil)
            _ = page.encoding.decode(bytes)
        }
    }

    @Test(arguments: ["gbk", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-8"])
    func `a long text of faults is decoded with replacements`(_ label: String) {
        let bytes = [UInt8](repeating: 0xFF, count: 300_000)
        #expect(CharacterEncoding(label: label)?.decode(bytes).hasReplacements == true)
    }
}
