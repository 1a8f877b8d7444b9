import Search
import Testing

struct WordRowTests {
    @Test(arguments: [
        ("", []),
        (" \t\n", []),
        ("…!?", []),
        ("one", ["one"]),
        ("One two  THREE", ["one", "two", "three"]),
        ("don't", ["don", "t"]),
        ("snake_case", ["snake", "case"]),
        ("C++ and .NET", ["c", "and", "net"]),
        ("foo-bar 12", ["foo", "bar", "12"]),
        ("Łódź, straße", ["lodz", "strasse"]),
        ("x½y a²b", ["x1", "2y", "a2b"]),
        ("日本語。テスト", ["日本語", "テスト"]),
        ("L\u{B7}l", ["l", "l"]),
        ("e\u{301}te\u{301}", ["ete"]),
        ("हिन्दी", ["\u{939}", "\u{928}\u{926}"]),
        ("ﷺ", ["صلى", "الله", "عليه", "وسلم"]),
        ("①②", ["12"]),
    ])
    func `runs of letters and digits are words`(_ text: String, words: [String]) {
        let row = WordRow(text.utf8)
        #expect(row.words.map { String(decoding: $0, as: UTF8.self) } == words)
        #expect(row.isEmpty == words.isEmpty)
    }

    @Test func `every word is between spaces`() {
        #expect(WordRow("(Quick) brown-fox".utf8).bytes == Array(" quick brown fox ".utf8))
        #expect(WordRow().bytes == [0x20])
        #expect(WordRow("--".utf8).bytes == [0x20])
    }

    @Test(arguments: [
        (["quick brown", "fox jumps"], " brown fox ", false),
        (["quick brown", "fox jumps"], " quick brown ", true),
        (["quick brown", "fox jumps"], " fox jumps ", true),
        (["quick", "", "brown"], " quick brown ", false),
        (["quick", "—", "brown"], " quick brown ", false),
        (["", "quick brown"], " quick brown ", true),
        (["quick ", " brown"], " quick brown ", false),
        (["schön", "wäre"], " schon ware ", false),
        (["schön", "wäre es"], " ware es ", true),
    ])
    func `no phrase crosses from one text to the next`(_ texts: [String], pattern: String, found: Bool) {
        var row = WordRow()
        for text in texts { row.append(text.utf8) }
        #expect(row.contains(Array(pattern.utf8)) == found)
    }

    @Test func `a pattern is found at either end and not beyond`() {
        let row = WordRow("ab abab abc".utf8)
        #expect(row.contains(Array(" ab ".utf8)))
        #expect(row.contains(Array(" abc ".utf8)))
        #expect(row.contains(Array(" aba".utf8)))
        #expect(!row.contains(Array(" bab ".utf8)))
        #expect(!row.contains(Array(" abc  ".utf8)))
        #expect(!row.contains(Array(" ab abab abc and more than all of it ".utf8)))
        #expect(row.contains([]))
    }
}
