/// Where a plain token is in its text, and what its original spelling is made of.
struct TokenPlace {
    let text: UnsafePointer<UInt8>
    /// The text's number of bytes.
    let end: Int
    /// Offset of the token's first scalar in the text.
    var start: Int
    /// Offset after the token's last scalar, and the marks on it.
    var stop: Int
    /// Number of folded bytes.
    var count: Int
    /// All bits of the entries of its scalars.
    var seen: UInt32
    /// The same without the first scalar.
    var later: UInt32
    /// Number of bytes that the first scalar became before the token began.
    var lead = 0
    /// Whether its spelling is known to be of ASCII.
    var isASCII = false
    /// Whether it neither was cut nor begins or ends within what one scalar became.
    var isWhole = true
    /// The folded scalar that it was cut before, if that is of an unspaced script.
    var following: (bytes: UInt32, count: Int) = (0, 0)

    /// The place of a token that begins at an offset or after it.
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

    /// The place of a whole token of ASCII.
    ///
    /// - Parameter isCamel: whether there are an upper-case letter that is not the first one, and a lower-case one.
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

    /// Makes it the place of a token that is still to come.
    mutating func reset() {
        count = 0
        seen = 0
        later = 0
        isWhole = true
        lead = 0
        following = (0, 0)
    }

    /// Where folded bytes of the token are spelt in the text: all scalars that they came from, with their marks.
    ///
    /// Takes time in proportion to the token's length.
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
