import TestSupport
import Testing

@testable import Search

struct HighlighterTests {
    @Test(arguments: [
        ("name", "a Name, names, rename; getUserName", ["Name", "names", "Name"]),
        ("schon", "Schön! schönes \u{5D}scho\u{308}n Schon", ["Schön", "schönes", "scho\u{308}n", "Schon"]),
        ("a", "a an A ab", ["a", "A"]),
        ("e-mail", "email E-Mail e mail e-mails", ["email", "E-Mail", "e mail", "e-mails"]),
        ("email", "email E-Mail emails e-mails mail", ["email", "E-Mail", "emails", "e-mails"]),
        ("c++", "c C++ c# C++11 c++", ["C++", "c++"]),
        (".net", "net .NET asp.net .netrc", [".NET", ".netrc"]),
        ("1,000", "1000 1,000 1.000.000", ["1000", "1,000", "1.000.000"]),
        ("データ", "sqlデータベース、データとｶﾞ", ["データ", "データ"]),
        ("語", "日本語の語", ["語", "語"]),
        ("한구", "한국어를 한 구", ["한국"]),
        ("데", "abc", []),
        ("grosse", "große Größen GROSSE", ["große", "Größen", "GROSSE"]),
        ("x1", "x½y", ["x½"]),
    ])
    func `bare words are marked as they are found`(_ word: String, text: String, marks: [String]) {
        #expect(spellings(.bare(BareWord(word.utf8)), text) == marks.map { Array($0.utf8) })
    }

    @Test func `words, beginnings and phrases are marked`() {
        #expect(spellings(quoted("name"), "name names NAME getName") == bytes(["name", "NAME"]))
        #expect(spellings(quoted("na", isPrefix: true), "name Na banana") == bytes(["name", "Na"]))
        #expect(
            spellings(quoted("Quick  brown fox"), "quick quick, Brown — fox quick brown foxes")
                == bytes(["quick, Brown — fox"]))
        #expect(spellings(quoted("a b", isPrefix: true), "a a bc a x b A-B") == bytes(["a bc", "A-B"]))
        #expect(spellings(quoted("a b a"), "a b a b a") == bytes(["a b a b a"]))
        #expect(spellings(quoted("--"), "a") == [])
    }

    @Test func `a short text is its own snippet`() {
        #expect(snippet(["b"], "  a\n\n b\tc\u{0}\u{1B}d \n") == "a [b] c d")
        #expect(snippet([], "") == "")
        #expect(snippet(["x"], "\u{FFFD}x") == "\u{FFFD}[x]")
        #expect(snippet(["nothing"], "one two") == "one two")
    }

    @Test func `bytes that are not UTF-8 are shown as U+FFFD`() {
        let found = Highlighter([quoted("b")]).snippet(of: [0x61, 0xFF, 0x62, 0xE2, 0x82])
        #expect(String(decoding: found.text, as: UTF8.self) == "a\u{FFFD}b\u{FFFD}")
        #expect(found.marks == [4..<5])
    }

    @Test func `the window with most different words is shown`() {
        let filler = String(repeating: "lorem ipsum dolor sit amet, ", count: 20)
        let text = "red red red red. " + filler + "red and green; " + filler + "green green green. " + filler
        let found = snippet(["red", "green"], text)
        #expect(found.contains("[red] and [green];"))
        #expect(found.hasPrefix("…") && found.hasSuffix("…"))
        let dense = snippet(["green"], text)
        #expect(dense.contains("[green] [green] [green]."))
        #expect(snippet(["ipsum"], text, length: 20) == "…[ipsum] dolor sit…")
    }

    @Test(arguments: [0, 1, 7, 200, 390, 398, 399])
    func `a snippet begins and ends between words`(_ number: Int) {
        let words = (1000..<1400).map { "word\($0)" }
        let found = snippet([words[number]], words.joined(separator: " "))
        #expect(found.contains("[\(words[number])]"))
        let plain = found.filter { !"[]…".contains($0) }
        #expect(plain.split(separator: " ").allSatisfy { words.contains(String($0)) }, "\(found)")
        #expect((140...160).contains(plain.count), "\(found)")
        #expect(found.hasPrefix("…") == (number >= 7) && found.hasSuffix("…") == (number < 390))
    }

    @Test func `without spaces a snippet is cut between characters`() {
        let text = String(repeating: "日本語の文章です", count: 60) + "東京" + String(repeating: "日本語の文章です", count: 60)
        let found = snippet(["東京"], text)
        #expect(found.contains("[東京]"))
        #expect(found.unicodeScalars.count == 160 + 4)
        let long = String(repeating: "x", count: 1000)
        #expect(snippet([], long) == String(repeating: "x", count: 160) + "…")
    }

    @Test func `marks are within the snippet, between characters, and contain the searched words`() {
        var generator = SeededGenerator(seed: 9)
        let terms = ["get", "x1", "データ", "한국", "c++", "email", "мир"].map { HighlightTerm.bare(BareWord($0.utf8)) }
        for _ in 0..<4000 {
            let text = Array(RandomText.words(&generator).utf8)
            let found = Highlighter(terms).snippet(of: text, length: Int.random(in: 1...60, using: &generator))
            let isText = String(validating: found.text, as: UTF8.self) != nil
            #expect(isText)
            var end = 0
            for mark in found.marks {
                #expect(mark.lowerBound >= end && !mark.isEmpty && mark.upperBound <= found.text.count)
                end = mark.upperBound
                #expect(found.text[mark.lowerBound] & 0xC0 != 0x80)
                #expect(end == found.text.count || found.text[end] & 0xC0 != 0x80)
            }
        }
        for _ in 0..<4000 {
            let bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let found = Highlighter(terms).snippet(of: bytes, length: 20, limit: 50)
            #expect(String(validating: found.text, as: UTF8.self) != nil)
        }
    }

    private func quoted(_ text: String, isPrefix: Bool = false) -> HighlightTerm {
        .quoted(QuotedWords(text.utf8, isPrefix: isPrefix))
    }

    private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private func spellings(_ term: HighlightTerm, _ text: String) -> [[UInt8]] {
        let text = Array(text.utf8)
        return Highlighter([term]).marks(in: text).map { Array(text[$0]) }
    }

    /// The snippet with its matches in brackets.
    private func snippet(_ words: [String], _ text: String, length: Int = 160) -> String {
        let terms = words.map { HighlightTerm.bare(BareWord($0.utf8)) }
        let found = Highlighter(terms).snippet(of: Array(text.utf8), length: length)
        var shown: [UInt8] = []
        var at = 0
        for mark in found.marks {
            shown += found.text[at..<mark.lowerBound] + [0x5B] + found.text[mark] + [0x5D]
            at = mark.upperBound
        }
        return String(decoding: shown + found.text[at...], as: UTF8.self)
    }
}
