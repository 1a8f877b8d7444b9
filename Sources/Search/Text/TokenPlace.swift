/// Where a plain token stands in its text, and what its original spelling is made of.
struct TokenPlace {
    let text: UnsafePointer<UInt8>
    /// The text's number of bytes.
    let end: Int
    /// Offset of the token's first scalar in the text.
    var start: Int
    /// Offset behind the token's last scalar, and the marks on it.
    var stop: Int
    /// Number of folded bytes.
    var count: Int
    /// All bits of the entries of its scalars.
    var seen: UInt32
    /// The same without the first scalar.
    var later: UInt32
    /// Whether it neither was cut nor begins or ends within what one scalar became.
    var isWhole = true
    /// The folded scalar that it was cut before, if that is of an unspaced script.
    var following: (bytes: UInt32, count: Int) = (0, 0)

    /// - Parameter isCamel: whether there are an upper-case letter that is not the first one, and a lower-case one.
    @inline(__always)
    init(text: UnsafePointer<UInt8>, end: Int, start: Int, stop: Int, count: Int, isCamel: Bool) {
        self.text = text
        self.end = end
        self.start = start
        self.stop = stop
        self.count = count
        seen = isCamel ? CharacterEntry.lower : 0
        later = isCamel ? CharacterEntry.upper : 0
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
        following = (0, 0)
    }
}
