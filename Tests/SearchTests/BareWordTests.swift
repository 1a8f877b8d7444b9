import Testing

@testable import Search

struct BareWordTests {
    @Test(
        arguments: [
            ("name", "name", nil),
            ("Größe", "grosse", nil),
            ("getUserName", "getusername", nil),
            ("e-mail", "e mail", "email"),
            ("1,000", "1 000", "1000"),
            ("foo.bar", "foo bar", nil),
            ("c++-lib", "c lib", nil),
            ("--", "", nil),
        ] as [(String, String, String?)])
    func `words are looked for as plain tokens, and joined`(_ word: String, plain: String, part: String?) {
        let bare = BareWord(word.utf8)
        #expect(bare.plain.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") == plain)
        #expect(bare.part == part.map { Array($0.utf8) })
        #expect(!bare.isPartRequired && bare.bigrams == nil && bare.isEmpty == plain.isEmpty)
    }

    @Test(arguments: [("c++", "c++"), ("C#", "c#"), (".NET", ".net"), ("libstdc++", "libstdc++"), (".a++", "a++")])
    func `names with signs are looked for as such`(_ word: String, part: String) {
        let bare = BareWord(word.utf8)
        #expect(bare.part == Array(part.utf8) && bare.isPartRequired)
    }

    @Test(arguments: [
        ("データ", ["テー", "ータ"], []),
        ("語", ["語"], []),
        ("東京-大阪", ["東京", "京", "", "大阪"], []),
        ("東京-大", ["東京", "京", "", "大"], []),
        ("sqlデータ", ["テー", "ータ"], ["sql"]),
        ("2020年11月", ["年", "", "月"], ["2020", "11"]),
    ])
    func `scripts without spaces are looked for by bigrams`(_ word: String, bigrams: [String], pieces: [String]) {
        let bare = BareWord(word.utf8)
        #expect(bare.bigrams == bigrams.map { Array($0.utf8) })
        #expect(bare.pieces == pieces.map { Array($0.utf8) })
    }
}
