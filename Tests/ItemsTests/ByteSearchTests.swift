import Characters
import TestSupport
import Testing

struct ByteSearchTests {
    @Test func `the first occurrence of bytes is found, in arrays and slices`() {
        let bytes = Array("one two one".utf8)
        #expect(bytes.firstRange(ofBytes: "one") == 0..<3)
        #expect(bytes[1...].firstRange(ofBytes: "one") == 8..<11)
        #expect(bytes[1..<10].firstRange(ofBytes: "one") == nil)
        #expect(bytes[4...].firstRange(ofBytes: "") == 4..<4)
        #expect([UInt8]().firstRange(ofBytes: "x") == nil)
        #expect([UInt8]().firstRange(ofBytes: []) == 0..<0)
    }

    @Test func `it finds the same as comparing at every offset`() {
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(2000) {
            // Few letters, so that prefixes of the pattern are frequent.
            func letters(_ limit: Int) -> [UInt8] {
                (0..<Int.random(in: 0...limit, using: &random)).map { _ in UInt8.random(in: 0x61...0x62, using: &random)
                }
            }
            let bytes = letters(30)
            let pattern = letters(5)
            let places = bytes.count < pattern.count ? 0 : bytes.count - pattern.count + 1
            let expected = (0..<places).first { bytes[$0...].starts(with: pattern) }
            #expect(bytes.firstRange(ofBytes: pattern)?.lowerBound == expected)
        }
    }

    @Test func `a text is found in a text by its bytes`() {
        #expect("a\r\nb".contains(text: "\n"))
        #expect("cafe\u{301}".contains(text: "cafe"))
        #expect("one two".contains(text: ""))
        #expect(!"one".contains(text: "one "))
        let text = "one two one"
        #expect(text.firstRange(ofText: "two").map { text[$0] } == "two")
        #expect(text.dropFirst().firstRange(ofText: "one").map { text[..<$0.lowerBound] } == "one two ")
        #expect("a\u{E4}\u{E4}b".firstRange(ofText: "b")?.lowerBound == "a\u{E4}\u{E4}b".firstIndex(of: "b"))
    }

    @Test func `a text is split and replaced from its start, without overlaps`() {
        #expect("a, b, , c".split(text: ", ") == ["a", "b", "", "c"])
        #expect(", a, ".split(text: ", ") == ["", "a", ""])
        #expect("aaa".split(text: "aa") == ["", "a"])
        #expect("abc".split(text: "") == ["abc"])
        #expect("a&amp;amp;b".replacing(text: "&amp;", with: "&") == "a&amp;b")
        #expect("tabs\tand\ttabs".replacing(text: "\t", with: "    ") == "tabs    and    tabs")
        #expect("none".replacing(text: "x", with: "y") == "none")
    }
}
