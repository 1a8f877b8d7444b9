import TestSupport
import Testing

@testable import Search

struct TokenizerTests {
    @Test(arguments: [
        ("", []),
        ("one", ["one"]),
        ("One, two;THREE", ["one", "two", "three"]),
        ("exactly8 sixteenletters16 seventeenletters1", ["exactly8", "sixteenletters16", "seventeenletters1"]),
        ("a_b", ["a", "b"]),
        ("@[`{/:", []),
        ("\u{10}\u{19}\u{7F}x\0y", ["x", "y"]),
        ("caf\u{E9}s", ["cafes"]),
        ("e\u{301}\u{323}x", ["ex"]),
        ("\u{301}x \u{301} y", ["x", "y"]),
        ("\u{3B1}\u{3A3}\u{3C2}", ["\u{3B1}\u{3C3}\u{3C3}"]),
        (
            "\u{FDFA}",
            [
                "\u{635}\u{644}\u{649}", "\u{627}\u{644}\u{644}\u{647}", "\u{639}\u{644}\u{64A}\u{647}",
                "\u{648}\u{633}\u{644}\u{645}",
            ]
        ),
        ("\u{10400}x", ["\u{10428}x"]),
        ("a\u{E0101}b\u{E0001}c", ["ab", "c"]),
        ("word\u{2019}s\u{2014}end", ["word", "s", "end"]),
    ])
    func `maximal runs of letters and digits are plain tokens`(_ text: String, tokens: [String]) {
        #expect(plain(text.utf8) == tokens)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], ["a", "b"]),
            ([0x61, 0xC3], ["a"]),
            ([0xC3, 0x61], ["a"]),
            ([0xE2, 0x82, 0x61], ["a"]),
            ([0xE0, 0x80, 0x80, 0x61], ["a"]),
            ([0xED, 0xA0, 0x80, 0x61], ["a"]),
            ([0xF0, 0x9F, 0x98], []),
            ([0xF4, 0x90, 0x80, 0x80, 0x7A], ["z"]),
            ([0xC0, 0x80, 0x62, 0x80], ["b"]),
            ([0xC3, 0xA9, 0xC3, 0xC3, 0xA9], ["e", "e"]),
        ] as [([UInt8], [String])])
    func `bytes that are not UTF-8 separate tokens`(_ text: [UInt8], tokens: [String]) {
        #expect(plain(text) == tokens)
    }

    @Test(arguments: [254, 255, 256, 300, 510, 511, 1000])
    func `tokens are cut at 255 bytes`(_ count: Int) {
        let expected = stride(from: 0, to: count, by: 255).map { min(255, count - $0) }
        #expect(TokenList(Array(repeating: UInt8(ascii: "x"), count: count)).plain.map(\.count) == expected)
    }

    @Test func `tokens are cut before the scalar that does not fit`() {
        #expect(TokenList(String(repeating: "я", count: 200).utf8).plain.map(\.count) == [254, 146])
        #expect(TokenList(("a" + String(repeating: "語", count: 100)).utf8).plain.map(\.count) == [253, 48])
        #expect(TokenList((String(repeating: "x", count: 254) + "é語").utf8).plain.map(\.count) == [255, 3])
        #expect(TokenList(String(repeating: "한", count: 40).utf8).plain.map(\.count) == [255, 105])
    }

    @Test func `eight zeros follow every token`() {
        struct Sink: TokenSink {
            var isRight = true
            var count = 0
            mutating func look(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
                self.count += 1
                for index in 0..<8 where bytes[count + index] != 0 { isRight = false }
                for index in 0..<count where bytes[index] == 0 { isRight = false }
            }
            mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) { look(bytes, count) }
            mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) { look(bytes, count) }
            mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int) { look(bytes, count) }
        }
        var generator = SeededGenerator(seed: 5)
        var sink = Sink()
        var tokenizer = Tokenizer()
        for _ in 0..<3000 {
            let text = Array(RandomText.words(&generator).utf8)
            text.withUnsafeBufferPointer { tokenizer.scan($0, into: &sink) }
        }
        #expect(sink.isRight && sink.count > 20_000)
    }

    @Test func `any bytes are read, and tokens are those of their folded text`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3000 {
            let text = RandomText.words(&generator)
            let folded = Folding.fold(text.utf8)
            #expect(TokenList(text.utf8).plain == TokenList(folded).plain)
            let runs = String(decoding: folded, as: UTF8.self).unicodeScalars.split {
                !CharacterEntry($0.value).isWord
            }
            #expect(plain(text.utf8) == runs.flatMap(cut))
        }
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator) | UInt8.random(in: 0...1, using: &generator) << 7
            }
            #expect(TokenList(bytes).plain == TokenList(String(decoding: bytes, as: UTF8.self).utf8).plain)
        }
    }

    @Test func `places are those of the original spelling`() {
        struct Sink: TokenSink {
            static var takesLocations: Bool { true }
            var place = 0..<0
            var spelt: [(token: [UInt8], isPart: Bool, source: Range<Int>)] = []
            mutating func locate(_ source: Range<Int>) { place = source }
            mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
                spelt.append((Array(UnsafeBufferPointer(start: bytes, count: count)), false, place))
            }
            mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
                spelt.append((Array(UnsafeBufferPointer(start: bytes, count: count)), true, place))
            }
        }
        func spellings(_ text: String) -> [String] {
            let bytes = Array(text.utf8)
            var sink = Sink()
            var tokenizer = Tokenizer()
            bytes.withUnsafeBufferPointer { tokenizer.scan($0, into: &sink) }
            return sink.spelt.map {
                String(decoding: $0.token, as: UTF8.self) + "=" + String(decoding: bytes[$0.source], as: UTF8.self)
            }
        }
        #expect(spellings("getÜserName") == ["getusername=getÜserName", "user=Üser", "name=Name"])
        #expect(spellings("my e-mail") == ["my=my", "e=e", "mail=mail", "email=e-mail"])
        #expect(spellings("C++ .NET") == ["c=C", "c++=C++", "net=NET", ".net=.NET"])
        #expect(spellings("1,000,000") == ["1=1", "000=000", "000=000", "1000000=1,000,000"])
        #expect(spellings("ΣQLデータßx")[2...] == ["ssx=ßx"])
        #expect(spellings("x½y") == ["x1=x½", "2y=½y"])
        #expect(spellings("te\u{301}") == ["te=te\u{301}"])
    }

    private func plain(_ text: some Sequence<UInt8>) -> [String] {
        TokenList(text).plain.map { String(decoding: $0, as: UTF8.self) }
    }

    private func cut(_ run: Substring.UnicodeScalarView) -> [String] {
        var pieces = [String.UnicodeScalarView()]
        var count = 0
        for scalar in run {
            let more = UTF8.width(scalar)
            if count + more > Tokenizer.byteLimit {
                pieces.append(String.UnicodeScalarView())
                count = 0
            }
            pieces[pieces.count - 1].append(scalar)
            count += more
        }
        return pieces.map { String($0) }
    }
}

/// Texts in many scripts, with the characters in the rules of SearchIndex.md § I1.
enum RandomText {
    private static let pieces = [
        "word", "getUserName", "HTTPServer", "x", "Z9", "1,000", "000", "é", "e\u{301}", "ß", "Æ", "ﬁ", "½", "㍿", "ㄱ",
        "データ", "語", "한국", "ᄒ", "ᅡ", "ᆫ", "ไทย", "мир", "ΣΟΦΟΣ", "İ", "\u{10400}", "𝐀", "-", "‑", "\u{AD}", "\u{301}",
        ".", "..", "++", "#", ",", "'", "’", "\u{A0}", "\u{202F}", " ", "\n", "\u{FFFD}", "😀", "_", "…", "ŀ", "ﷺ", "Ⅷ",
    ]

    static func words(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            let isLong = Int.random(in: 0..<60, using: &generator) == 0
            text += isLong ? String(repeating: piece, count: 90) : piece
        }
        return text
    }
}
