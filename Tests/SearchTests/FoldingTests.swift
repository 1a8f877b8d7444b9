import Search
import Testing

/// Expected values follow the reference: NFKD, combining marks (Mn) dropped, lower case, letters with strokes
/// replaced.
struct FoldingTests {
    @Test(arguments: [
        ("", ""),
        ("Plain ASCII, 12_3!", "plain ascii, 12_3!"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"),
        ("ıI", "ii"),
        ("straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("Œuvre", "oeuvre"),
        ("Ærøskøbing", "aeroskobing"),
        ("Đà Nẵng", "da nang"),
        ("Việt Nam", "viet nam"),
        ("Þór", "thor"),
        ("ŊŋŦŧĦħ", "nntthh"),
        ("ĸƒ", "qf"),
        ("ŀL", "l\u{B7}l"),
        ("ſ", "s"),
        ("naïve", "naive"),
        ("e\u{301}\u{323}", "e"),
        ("Å", "a"),
        ("\u{212B}", "a"),
        ("Ḥ", "h"),
        ("ǅ", "dz"),
    ])
    func `Latin letters lose case, marks and strokes`(_ text: String, folded: String) {
        #expect(scalars(Folding.fold(text)) == scalars(folded))
    }

    @Test(arguments: [
        ("ﬁnd", "find"),
        ("ﬃ", "ffi"),
        ("ＡＢＣ１２", "abc12"),
        ("½", "1\u{2044}2"),
        ("²³", "23"),
        ("①", "1"),
        ("Ⅷ", "viii"),
        ("Ⓐ", "a"),
        ("𝔘𝔫𝔦", "uni"),
        ("№", "no"),
        ("™", "tm"),
        ("℃", "\u{B0}c"),
        ("…", "..."),
        ("\u{A0}", " "),
        ("\u{B4}", " "),
        ("ｶﾞ", "\u{30AB}"),
    ])
    func `compatibility forms become their equivalents`(_ text: String, folded: String) {
        #expect(scalars(Folding.fold(text)) == scalars(folded))
    }

    @Test(arguments: [
        ("ёлка", "\u{435}\u{43B}\u{43A}\u{430}"),
        ("Йод", "\u{438}\u{43E}\u{434}"),
        ("ΣΊΣΥΦΟΣ", "\u{3C3}\u{3B9}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C3}"),
        ("σίσυφος", "\u{3C3}\u{3B9}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C3}"),
        ("\u{2126}", "\u{3C9}"),
        ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"),
        ("가", "\u{1100}\u{1161}"),
        ("힣", "\u{1112}\u{1175}\u{11C2}"),
        ("ㄱ", "\u{1100}"),
        ("が", "\u{304B}"),
        ("ガ", "\u{30AB}"),
        ("日本語", "\u{65E5}\u{672C}\u{8A9E}"),
        ("ไทย", "\u{E44}\u{E17}\u{E22}"),
        ("हिन्दी", "\u{939}\u{93F}\u{928}\u{926}\u{940}"),
        ("עִבְרִית", "\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}"),
        ("السَّلام", "\u{627}\u{644}\u{633}\u{644}\u{627}\u{645}"),
        ("Ⴀ", "\u{2D00}"),
        ("Ꭰ", "\u{AB70}"),
        ("Ჱ", "\u{10F1}"),
    ])
    func `other scripts lose case and marks`(_ text: String, folded: String) {
        #expect(scalars(Folding.fold(text)) == scalars(folded))
    }

    @Test func `every Hangul syllable becomes two or three jamo that compose to it`() {
        for value in UInt32(0xAC00)...0xD7A3 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = Folding.fold(String(scalar))
            // String equality is canonical equivalence.
            #expect((2...3).contains(folded.unicodeScalars.count) && folded == String(scalar))
        }
    }

    @Test func `bytes that are not UTF-8 fold to the replacement character`() {
        #expect(Folding.fold([0x41, 0xFF, 0x42]) == Array("a\u{FFFD}b".utf8))
        #expect(Folding.fold([0xC3]) == Array("\u{FFFD}".utf8))
    }

    /// String equality would hide a missing decomposition.
    private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
