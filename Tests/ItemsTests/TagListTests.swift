import Characters
import Testing

@testable import Items

struct TagListTests {
    @Test(
        arguments: [
            (["Work", "work", "WORK"], ["Work"]),
            ([" a ", "b\t\n c", ""], ["a", "b c"]),
            (["\u{1}a\u{7F}b", "\u{A0}", "\u{2003}c"], ["a b", "c"]),
            (["É", "e\u{301}", "é"], ["É"]),
            (["collection: Work / AI ", "COLLECTION:work / ai"], ["collection:Work / AI"]),
            (["collection:", "collection:  "], ["collection:"]),
            (["a,b"], ["a,b"]),
            ([], []),
        ] as [([String], [String])])
    func `tags are trimmed and doubles collapse to the first-seen casing`(_ tags: [String], expected: [String]) {
        #expect(TagList(tags).tags == expected)
    }

    @Test func `typed tags are separated by commas`() {
        #expect(TagList(typed: " one, two words ,,ONE, three ").tags == ["one", "two words", "three"])
        #expect(TagList(typed: "").tags.isEmpty)
        #expect(TagList(typed: " , ").tags.isEmpty)
    }

    @Test func `adding and removing compare without case`() {
        var list = TagList(["Swift", "Linux"])
        list.add("SWIFT")
        #expect(list.tags == ["Swift", "Linux"])
        list.remove(" swift ")
        #expect(list.tags == ["Linux"])
        list.remove("absent")
        #expect(list.tags == ["Linux"])
        #expect(list.contains("linux"))
        #expect(!list.contains("lin"))
    }

    @Test func `a tag and a longer one are two`() {
        #expect(TagList(["a", "ab", "a b"]).tags == ["a", "ab", "a b"])
        #expect(!TagList.areSame("ss", "ß"))
        #expect(TagList.areSame("ÅNGSTRÖM", "ångström"))
    }

    @Test(
        arguments: [
            (["a", "b", "c"], "B", "x", ["a", "x", "c"]), (["Swift", "b"], "swift", "SWIFT", ["SWIFT", "b"]),
            (["a", "b", "C"], "a", "c", ["b", "c"]), (["c", "b", "a"], "a", "C", ["C", "b"]),
            (["a"], "absent", "x", ["a"]), (["a"], "a", "  ", ["a"]), (["a"], "a", " x  y ", ["x y"]),
        ] as [([String], String, String, [String])])
    func `a renamed tag keeps its place, or goes where its new name is`(
        _ tags: [String], old: String, new: String, expected: [String]
    ) {
        var list = TagList(tags)
        list.rename(old, to: new)
        #expect(list.tags == expected)
    }

    @Test func `many tags are compared as few are`() {
        // Above a small number, keys replace direct comparison: equal tags must stay equal.
        let spellings = [
            "Straße", "STRASSE", "strasse", "É", "e\u{301}", "ΟΔΟΣ", "οδοσ", "οδος", "İ", "i\u{307}", "K", "k",
        ]
        var raw = (0..<200).map { "Tag \($0 % 130)" } + spellings
        raw += (0..<200).map { "TAG \($0)" } + spellings.reversed()
        var expected: [String] = []
        for tag in raw where !expected.contains(where: { TagList.areSame($0, tag) }) { expected.append(tag) }
        var list = TagList(raw)
        #expect(list.tags == expected)
        list.remove(["tag 7", "absent", "STRAßE"])
        expected.removeAll { $0 == "Tag 7" || $0 == "Straße" }
        #expect(list.tags == expected)
        #expect(!list.contains("TAG 7"))
        list.add("tAG 7")
        #expect(list.tags.last == "tAG 7")
        list.rename("tag 3", to: "Three")
        list.add("TAG 3")
        list.add("THREE")
        #expect(list.tags.suffix(2) == ["tAG 7", "TAG 3"])
    }

    @Test func `only three letters outside of ASCII may be the same as ASCII ones`() {
        var found: [UInt32] = []
        for value in UInt32(0x80)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), !(0x3400...0xD7A3).contains(value) else { continue }
            let lower = scalar.properties.lowercaseMapping
            if CanonicalComposition.nfc(lower).utf8.allSatisfy({ $0 < 0x80 }) { found.append(value) }
        }
        #expect(found == [0x37E, 0x1FEF, 0x212A])
        #expect(
            TagList.areSame("\u{212A}ey", "KEY") && TagList.areSame("a\u{37E}", "A;")
                && TagList.areSame("`", "\u{1FEF}"))
        #expect(!TagList.areSame("\u{212A}\u{E9}", "ke") && !TagList.areSame("trashc\u{E1}n", TagList.trashcan))
    }

    @Test func `white space and controls are those of Unicode`() {
        var wrong: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSpace = scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            if WhiteSpace.isSpaceOrControl(value) != isSpace { wrong.append(value) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        arguments: [
            ("", ""), (" ", ""), ("a", "a"), (" a", "a"), ("a ", "a"), ("a  b", "a b"), ("a\u{2003}b", "a b"),
            ("é\u{A0}", "é"), ("\u{3000}漢 字\u{85}\u{85}😀 ", "漢 字 😀"), ("\u{200B}a", "\u{200B}a"),
            ("\u{1F600}\u{9F}\u{A1}", "\u{1F600} \u{A1}"),
        ])
    func `text is collapsed`(_ text: String, expected: String) {
        #expect(TagList.collapsed(text).utf8.elementsEqual(expected.utf8))
    }

    @Test func `long tags are compared by their bytes, short ones by canonical equivalence`() {
        let marks = String(repeating: "\u{301}", count: 130)
        let long = ["É" + marks, "E\u{301}" + marks, "é" + marks, "x" + marks]
        #expect(TagList(long).tags == [long[0], long[1], long[3]])
        #expect(TagList(["É", "E\u{301}", "plain", "PLAIN"]).tags == ["É", "plain"])
        #expect(TagList(["plain", "É", "PLAIN", "é"]).tags == ["plain", "É"])
    }
}
