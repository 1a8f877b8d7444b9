import Items
import JSONFormat
import Merge
import Testing

/// Texts by paragraphs, seen from outside: the base, two sides, and what they join to.
struct TextMergeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String, base: String, a: String, b: String, merged: String
        var conflicts: [String] = []
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "both added", base: "A\n", a: "A\n\nB\n", b: "C\n\nA\n", merged: "C\n\nA\n\nB\n"),
        Case(
            name: "one removed, the other changed another", base: "A\n\nB\n\nC", a: "B\n\nC", b: "A\n\nB\n\nD",
            merged: "B\n\nD"),
        Case(name: "an edit beats a deletion", base: "A one\n\nB", a: "B", b: "A two\n\nB", merged: "A two\n\nB"),
        Case(
            name: "moved here, changed there", base: "A\n\nB\n\nC one", a: "C one\n\nA\n\nB", b: "A\n\nB\n\nC two",
            merged: "C two\n\nA\n\nB"),
        Case(
            name: "both changed one paragraph", base: "A", a: "A one", b: "A two", merged: "A one",
            conflicts: ["A one", "A two"]),
        Case(
            name: "kept with another one behind it, changed to that one there", base: "A one\n\nC\n",
            a: "A one\n\nA two\n\nC\n", b: "A two\n\nC\n", merged: "A one\n\nA two\n\nC\n"),
        Case(
            name: "changed to another one, kept with that one before it there", base: "A two\n\nC", a: "A one\n\nC",
            b: "A one\n\nA two\n\nC", merged: "A one\n\nA two\n\nC"),
        Case(
            name: "both added another one, and one removed the old one", base: "A one\n\nC\n",
            a: "A one\n\nB two\n\nC\n", b: "B two\n\nC\n", merged: "B two\n\nC\n"),
        Case(
            name: "both put in one paragraph, in the place of different ones", base: "old one\n\nold two\n",
            a: "brand new\n", b: "brand new\n\nold two\n", merged: "brand new\n"),
        Case(name: "both added the same", base: "A", a: "A\n\nB", b: "A\n\nB\n", merged: "A\n\nB\n"),
        Case(
            name: "CRLF stays", base: "A\r\n", a: "A\r\n\r\nB\r\n", b: "C\r\n\r\nA\r\n",
            merged: "C\r\n\r\nA\r\n\r\nB\r\n"),
        Case(
            name: "a paragraph after a last one with CRLF", base: "A\r\nx\r\n", a: "A\r\nx\r\n\r\nB\r\n",
            b: "A\r\ny\r\n",
            merged: "A\r\ny\r\n\r\nB\r\n"),
        Case(
            name: "other ends of lines here, other words there", base: "A\nB\n\nC\n", a: "A\r\nB\r\n\r\nC\r\n",
            b: "A\nB two\n\nC\n", merged: "A\r\nB two\r\n\r\nC\r\n"),
        Case(
            name: "other words here, other ends of lines there", base: "A\r\nB\r\n\r\nC\r\n",
            a: "A\r\nB two\r\n\r\nC\r\n", b: "A\nB\n\nC\n", merged: "A\nB two\n\nC\n"),
        Case(
            name: "other ends of lines here, another line there", base: "A\n\nC\n", a: "A\r\n\r\nC\r\n",
            b: "D\n\nC\n", merged: "D\r\n\r\nC\r\n"),
        Case(
            name: "mixed ends of lines here, other words there", base: "A\nB\nC\n", a: "A\r\nB\nC\n",
            b: "A\nB\nC two\n", merged: "A\nB\nC two\n"),
        Case(
            name: "other ends of lines here, another paragraph there", base: "A\n", a: "A\r\n", b: "A\n\nB\nC\n",
            merged: "A\r\n\r\nB\r\nC\r\n"),
        Case(
            name: "another paragraph here, other ends of lines there", base: "A\r\n\r\nB\r\n",
            a: "A\r\n\r\nB\r\n\r\nC", b: "A\n\nB\n", merged: "A\n\nB\n\nC"),
        Case(
            name: "other ends of lines here, a paragraph removed there", base: "A\nB\n\nC\n",
            a: "A\r\nB\r\n\r\nC\r\n", b: "C\n", merged: "C\r\n"),
        Case(
            name: "other ends of lines and words here, other words there", base: "A\nB\n\nC\n",
            a: "A\r\nB one\r\n\r\nC\r\n", b: "A\nB two\n\nC\n", merged: "A\r\nB one\r\n\r\nC\r\n",
            conflicts: ["A\r\nB one", "A\r\nB two"]),
        Case(
            name: "other ends of lines here, one line with other ends there", base: "A\nB\n", a: "A\r\nB\r\n",
            b: "A\r\nB\n\nC\n", merged: "A\r\nB\r\n\r\nC\r\n"),
        Case(name: "more empty lines", base: "A\n\nB\n", a: "A\n\n\n\nB\n", b: "A\n\nC\n", merged: "A\n\n\n\nC\n"),
        Case(
            name: "empty lines of spaces, and a byte order mark", base: "\u{FEFF}A\n \t\nB", a: "\u{FEFF}A\n \t\nB\n",
            b: "\u{FEFF}\nC\n\nA\n \t\nB", merged: "\u{FEFF}\nC\n\nA\n \t\nB\n"),
        Case(name: "only empty lines", base: "\n", a: "\n\n", b: "A\n", merged: "\n\nA\n"),
    ]

    @Test(arguments: cases) func `texts are joined paragraph by paragraph`(_ text: Case) {
        func state(_ text: String) -> ItemState { ItemState(members: [], text: Array(text.utf8)) }
        let merged = ItemState.merge(base: state(text.base), state(text.a), state(text.b), aWins: true)
        #expect(merged.state.text.map { String(decoding: $0, as: UTF8.self) } == text.merged)
        #expect(
            merged.conflicts.flatMap { [$0.winner, $0.loser] } == text.conflicts.map { JSON.string($0) })
    }

    /// Beyond 4,000,000 cells the alignment is coarser, but nothing is lost.
    @Test func `large texts keep every change`() throws {
        let lines = (0..<5000).map { "paragraph \($0)" }
        var one = lines, two = lines
        one[0] = "first here"
        one.insert("new here", at: 4000)
        two[10] = "tenth there"
        two.remove(at: 4500)
        func state(_ parts: [String]) -> ItemState {
            ItemState(members: [], text: Array(parts.joined(separator: "\n\n").utf8))
        }
        let merged = ItemState.merge(base: state(lines), state(one), state(two), aWins: false)
        var expected = lines
        expected[0] = "first here"
        expected[10] = "tenth there"
        expected.remove(at: 4500)
        expected.insert("new here", at: 4000)
        #expect(merged.state.text == state(expected).text)
        #expect(merged.conflicts == [])
    }
}
