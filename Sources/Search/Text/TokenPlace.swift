/// The place of a plain token in its text, and facts about its original spelling.
struct TokenPlace {
    let text: UnsafePointer<UInt8>
    /// The text's number of bytes.
    let end: Int
    /// Offset of the token's first scalar in the text.
    var start: Int
    /// Offset after the token's last scalar and its combining marks.
    var stop: Int
    /// Number of folded bytes.
    var count: Int
    /// All bits of the entries of its scalars.
    var seen: UInt32
    /// All bits of the entries without the first scalar.
    var later: UInt32
    /// The number of folded bytes of the first scalar before the start of the token.
    var lead = 0
    /// Whether its spelling is known to be ASCII.
    var isASCII = false
    /// Whether it is not cut, and neither starts nor ends within one folded scalar.
    var isWhole = true
    /// The folded scalar before which it was cut, if that is of an unspaced script.
    var following: (bytes: UInt32, count: Int) = (0, 0)

    /// The place of a token that starts at or after an offset.
    @inline(__always)
    init(text: UnsafePointer<UInt8>, end: Int, from start: Int) {
        self.text = text
        self.end = end
        self.start = start
        stop = start
        count = 0
        seen = 0
        later = 0
    }

    /// The place of a whole ASCII token.
    ///
    /// - Parameter isCamel: whether it has an upper-case letter after the first byte, and a lower-case one.
    @inline(__always)
    init(ascii text: UnsafePointer<UInt8>, end: Int, _ source: Range<Int>, isCamel: Bool) {
        self.init(text: text, end: end, from: source.lowerBound)
        stop = source.upperBound
        count = source.count
        seen = isCamel ? CharacterEntry.lower : 0
        later = isCamel ? CharacterEntry.upper : 0
        isASCII = true
    }

    @inline(__always)
    var isCamel: Bool { later & CharacterEntry.upper != 0 && seen & CharacterEntry.lower != 0 }
    @inline(__always)
    var hasUnspaced: Bool { seen & CharacterEntry.unspaced != 0 }
    @inline(__always)
    var isCamelOrUnspaced: Bool { isCamel || hasUnspaced }

    /// Resets it for the next token.
    mutating func reset() {
        count = 0
        seen = 0
        later = 0
        isWhole = true
        lead = 0
        following = (0, 0)
    }

    /// The spelling of folded bytes in the text: all scalars from which they come, with combining marks.
    ///
    /// Takes time linear in the token's length.
    func source(of range: Range<Int>) -> Range<Int> {
        var at = start
        var folded = -lead
        var first = start
        while at < stop {
            let scalar = UTF8Scalar(text, at: at, end: end)
            let count = scalar.entry.foldedCount(of: scalar)
            if folded >= range.upperBound, count > 0 { break }
            if folded <= range.lowerBound, count > 0 { first = at }
            folded += count
            at += scalar.count
        }
        return first..<at
    }
}
