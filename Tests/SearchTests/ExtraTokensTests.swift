import Testing

@testable import Search

struct ExtraTokensTests {
    @Test(arguments: [
        ("getUserName", ["user", "name"]),
        ("HTTPServer", ["server"]),
        ("utf8Decode", ["decode"]),
        ("aBc", ["bc"]),
        ("Plain HTTP iOS", ["os"]),
        ("3F2504E0", []),
        ("PHPUnit", ["unit"]),
        ("\u{1C5}abC", []),
        ("МояСтрока", ["строка"]),
        ("e\u{301}coleNom", ["nom"]),
        ("x\u{BD}aBcd", []),
        ("a" + String(repeating: "Bc", count: 32), []),
    ])
    func `words in a name are parts`(_ text: String, parts: [String]) { #expect(self.parts(text) == parts) }

    @Test(arguments: [
        ("e-mail", ["email"]),
        ("e- mail", []),
        ("e--mail", []),
        ("-e -mail-", []),
        ("e\u{2010}mail e\u{2011}mail", ["email", "email"]),
        ("one-two-three", ["onetwothree"]),
        ("one-two-three-four five-six", ["fivesix"]),
        ("Um\u{AD}welt\u{AD}schutz\u{AD}amt", ["umweltschutzamt"]),
        ("one\u{AD}two\u{AD}three-four five-six", ["fivesix"]),
        ("2026-11 mp-3 3-d", ["mp3", "3d"]),
        ("x-\u{FF11} 1-\u{FF11}", ["x1"]),
        ("ab-語 語-ab", []),
        ("abcdefghijklmnopqrst-abcdefghijklmnopqrst", ["abcdefghijklmnopqrstabcdefghijklmnopqrst"]),
        ("abcdefghijklmnopqrst-abcdefghijklmnopqrstu", []),
        ("e\u{301}-mail", ["email"]),
        ("e-\u{301}mail", []),
        ("a-\u{BD}", []),
    ])
    func `hyphens join`(_ text: String, parts: [String]) { #expect(self.parts(text) == parts) }

    @Test(arguments: [
        ("1,000", ["1000"]),
        ("1.000.000,5", ["1000000"]),
        ("1'000 1\u{2019}000 1\u{A0}000 1\u{202F}000 1 000", ["1000", "1000", "1000", "1000"]),
        ("1,000.000", ["1000"]),
        ("0,123 1000,000 1,0000 1,00", []),
        ("1,000x x1,000 1,000,0", []),
        ("3,1,000", []),
        ("1,000-fold", ["1000"]),
        ("x-1,000", ["x1"]),
        ("123" + String(repeating: ",456", count: 12), ["123" + String(repeating: "456", count: 12)]),
        ("123" + String(repeating: ",456", count: 13), []),
    ])
    func `numbers in groups are joined`(_ text: String, parts: [String]) { #expect(self.parts(text) == parts) }

    @Test(arguments: [
        ("c++", ["c++"]),
        ("C++.", ["c++"]),
        ("C+ C+++", ["c++"]),
        ("C++x", []),
        ("c# f#,", ["c#", "f#"]),
        ("c#\u{301} c#é", []),
        ("5# 5++", []),
        (".net", [".net"]),
        ("(.NET) a .b", [".net", ".b"]),
        ("asp.net é.net e\u{301}.net ..net .5", []),
        ("—.net", [".net"]),
        ("語# .語", []),
    ])
    func `signs make names`(_ text: String, parts: [String]) { #expect(self.parts(text) == parts) }

    @Test(arguments: [
        ("sqlデータ", ["sql"], ["0テー", "1ータ", "2タ"]),
        ("語", [], ["0語"]),
        ("日本、東京", [], ["0日本", "1本", "3東京", "4京"]),
        ("第5章", ["5"], ["0第", "2章"]),
        ("ข้าว", [], ["0ขา", "1าว", "2ว"]),
        ("㍿x", ["x"], ["0株式", "1式会", "2会社", "3社"]),
        ("ㅋㅋ", [], ["0\u{110F}\u{110F}", "1\u{110F}"]),
        ("각", [], ["0\u{1100}\u{1161}\u{11A8}"]),
        ("가a각", ["a"], ["0\u{1100}\u{1161}", "2\u{1100}\u{1161}\u{11A8}"]),
        ("ｶﾞｽ", [], ["0カス", "1ス"]),
        ("iPhoneケース", ["phoneケース", "iphone"], ["0ケー", "1ース", "2ス"]),
    ])
    func `runs without spaces have bigrams`(_ text: String, parts: [String], bigrams: [String]) {
        #expect(scalars(self.parts(text)) == scalars(parts))
        #expect(scalars(self.bigrams(text)) == scalars(bigrams))
    }

    @Test func `composed and decomposed Hangul have the same bigrams`() {
        let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"
        #expect(TokenList("한국어".utf8) == TokenList(decomposed.utf8))
    }

    @Test func `a run continues after a cut in its token`() {
        let text = String(repeating: "日本", count: 100)
        let tokens = TokenList(text.utf8)
        #expect(tokens.plain.map(\.count) == [255, 255, 90])
        #expect(tokens.bigrams.map(\.index) == Array(0..<200))
        for (number, bigram) in tokens.bigrams.dropLast().enumerated() {
            #expect(bigram.bytes == Array((number % 2 == 0 ? "日本" : "本日").utf8))
        }
        #expect(tokens.bigrams.last?.bytes == Array("本".utf8))
    }

    @Test func `nothing is carried from one text to the next`() {
        var tokenizer = Tokenizer()
        for (text, parts) in [("e-", 0), ("mail", 0), ("1,000", 1), ("語", 0), ("x-y", 1)] {
            var list = TokenList([])
            Array(text.utf8).withUnsafeBufferPointer { tokenizer.scan($0, into: &list) }
            #expect(list.parts.count == parts, "\(text)")
            #expect(list.bigrams.allSatisfy { $0.index == 0 })
        }
    }

    private func parts(_ text: String) -> [String] {
        TokenList(text.utf8).parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private func bigrams(_ text: String) -> [String] {
        TokenList(text.utf8).bigrams.map { "\($0.index)" + String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// String equality would hide a missing decomposition.
    private func scalars(_ texts: [String]) -> [[Unicode.Scalar]] { texts.map { Array($0.unicodeScalars) } }
}
