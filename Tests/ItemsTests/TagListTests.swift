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
        // Beyond a few, keys stand in for comparing one by one: the same tags must be the same.
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
}
