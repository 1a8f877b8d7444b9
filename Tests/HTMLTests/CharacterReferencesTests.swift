import TestSupport
import Testing

@testable import HTML

struct CharacterReferencesTests {
    @Test(arguments: [
        ("&amp;&lt;&AMP", "&<&"), ("&notit;", "¬it;"), ("&notin;", "∉"), ("&copy=1&copyx", "©=1©x"),
        ("&nGt;", "\u{226B}\u{20D2}"),
        ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&CounterClockwiseContourIntegral;", "∳"), ("&lang;", "⟨"),
        ("&lang", "&lang"), ("&bne;", "=\u{20E5}"),
        ("&#65;&#x41;&#X61&#65x", "AAaAx"), ("&#128;&#x99;&#x81;", "€™\u{81}"),
        ("&#0;&#xD800;&#x110000;&#99999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#xFFFF;", "\u{FFFF}"), ("&#;&#x;&#", "&#;&#x;&#"), ("&;& &x;&", "&;& &x;&"), ("&a", "&a"), ("&gt", ">"),
        ("&zzzz;", "&zzzz;"), ("", ""),
    ])
    func `references in text are decoded`(_ text: String, expected: String) {
        #expect(Array(CharacterReferences.decoded(text, in: .text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("?a=b&copy=1&lt;", "?a=b&copy=1<"), ("&copyx", "&copyx"), ("&copy1", "&copy1"), ("&copy", "©"),
        ("&copy&", "©&"),
        ("&notit;", "&notit;"), ("&notin;=", "∉="), ("&#65=", "A="),
    ])
    func `references in attributes leave query strings alone`(_ text: String, expected: String) {
        #expect(CharacterReferences.decoded(text, in: .attribute) == expected)
    }

    @Test func `with any bytes, the rest stays unchanged`() {
        var random = SeededGenerator.forFuzzing
        let pieces = [
            "&", "#", "x", ";", "amp", "not", "in", "nGt", "notin", "=", "6", "\u{FFFD}", "CounterClockwiseContour",
        ]
        for _ in 0..<FuzzSetting.cases(4000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    bytes.append(.random(in: 0...255, using: &random))
                } else {
                    bytes += (pieces.randomElement(using: &random) ?? "").utf8
                }
            }
            for place in [CharacterReferences.Place.text, .attribute] {
                let found = CharacterReferences.decoded(bytes[...], in: place)
                #expect(found.count <= bytes.count + bytes.count / 5 + 1)
                if !bytes.contains(0x26) { #expect(found == bytes) }
            }
        }
    }
}
