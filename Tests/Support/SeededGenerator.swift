/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, so that a generated case can be
/// repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A text of up to `count` scalars, most of which need care: controls, quotes, combining marks, other planes.
    package mutating func text(upTo count: Int) -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\0", "\u{7F}", "\u{8}", "\u{C}", "é", "\u{301}",
            "ß",
            "\u{2028}", "\u{FEFF}", "\u{FFFD}", "漢", "\u{1F600}", "\u{10FFFF}", "-", "#", ":", ",",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...count, using: &self) {
            text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &self)])
        }
        return String(text)
    }
}
