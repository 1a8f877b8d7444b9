/// The parts of a word that its letters' case separates, such as `get`, `User`, `Name` of `getUserName`:
/// SearchIndex.md § I1.3.
///
/// A part starts at an upper-case letter after a lower-case one or a digit 0–9, and at the last upper-case letter of
/// a run before a lower-case one.
struct CamelParts {
    /// Longer tokens are not names but encoded data, so they have no parts.
    static let byteLimit = 64

    struct Part {
        /// Offset in the folded token.
        var offset: Int
        /// The number of folded bytes.
        var count: Int
        /// The part's bytes in the text.
        var source: Range<Int>
    }

    private enum Case { case upper, lower, digit, none }

    private let place: TokenPlace
    /// Offsets in text and folded token of the next scalar.
    private var at: Int
    private var folded = 0
    /// Offsets of the start of the current part.
    private var start: Int
    private var foldedStart = 0
    /// Offsets and case of the previous scalar, and case of the one before it.
    private var previous: (at: Int, folded: Int, letter: Case) = (0, 0, .none)
    private var beforePrevious = Case.none

    /// - Parameter place: the place of a whole token.
    init(_ place: TokenPlace) {
        self.place = place
        at = place.start
        start = place.start
    }

    /// The next part; the first one may be the whole token.
    mutating func next() -> Part? {
        while at < place.stop {
            let scalar = UTF8Scalar(place.text, at: at, end: place.stop)
            let entry = scalar.entry
            let count = entry.foldedCount(of: scalar)
            defer {
                at += scalar.count
                folded += count
            }
            if count == 0 { continue }  // a combining mark
            let letter = Self.letter(entry, scalar)
            var boundary: (at: Int, folded: Int)?
            if letter == .upper, previous.letter == .lower || previous.letter == .digit {
                boundary = (at, folded)
            } else if letter == .lower, previous.letter == .upper, beforePrevious == .upper {
                boundary = (previous.at, previous.folded)
            }
            beforePrevious = previous.letter
            previous = (at, folded, letter)
            if let boundary { return part(to: boundary) }
        }
        return foldedStart < folded ? part(to: (at, folded)) : nil
    }

    private mutating func part(to boundary: (at: Int, folded: Int)) -> Part {
        defer { (start, foldedStart) = boundary }
        return Part(offset: foldedStart, count: boundary.folded - foldedStart, source: start..<boundary.at)
    }

    private static func letter(_ entry: CharacterEntry, _ scalar: UTF8Scalar) -> Case {
        if entry.bits & CharacterEntry.upper != 0 { return .upper }
        if entry.bits & CharacterEntry.lower != 0 { return .lower }
        return entry.isDigit(scalar) ? .digit : .none
    }
}

extension CamelParts {
    /// The starts of parts in an ASCII token of at most 64 bytes: one bit for each byte but the first.
    @inline(__always)
    static func starts(ofASCII place: TokenPlace) -> UInt64 {
        var upper: UInt64 = 0
        var lower: UInt64 = 0
        var digits: UInt64 = 0
        var at = 0
        while at < place.count {
            let eight = EightBytes(place.text, at: place.start &+ at, end: place.stop)
            upper |= EightBytes.bits(eight.upper(8)) &<< UInt64(at)
            lower |= EightBytes.bits(eight.lower(8)) &<< UInt64(at)
            digits |= EightBytes.bits(eight.digits) &<< UInt64(at)
            at &+= 8
        }
        return upper & ((lower | digits) &<< 1 | upper &<< 1 & lower &>> 1)
    }
}
