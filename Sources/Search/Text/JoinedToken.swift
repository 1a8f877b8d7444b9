import Characters

/// The joined spelling of tokens with one sign between them: `email` of `e-mail`, `1000000` of `1,000,000`.
/// SearchIndex.md § I1.3.
///
/// A chain with hyphens is collected token by token. A number is read to its end at its first group and passed on at
/// its last one.
struct JoinedToken: ~Copyable {
    /// The largest number of tokens that hyphens join. Soft ones, which a page shows at the end of a line alone, join any number.
    private static let pieceLimit = 3
    /// The largest number of bytes of the joined spelling.
    static let byteLimit = 40

    private let bytes: UnsafeMutablePointer<UInt8>
    /// The number of bytes; above the limit if they did not fit.
    private var count = 0
    private var start = 0
    /// The number of tokens in a chain with hyphens.
    private var pieces = 0
    /// Whether all hyphens of the chain are soft.
    private var isSoft = true
    /// The end of a number in the text; 0 if there is none.
    private var numberEnd = 0

    init() {
        // Bytes are copied eight at a time.
        bytes = .allocate(capacity: Self.byteLimit + 16)
        bytes.initialize(repeating: 0, count: Self.byteLimit + 16)
    }

    deinit { bytes.deallocate() }

    /// Whether the next token may continue a chain.
    @inline(__always)
    var isBegun: Bool { pieces | numberEnd != 0 }

    mutating func end() {
        count = 0
        pieces = 0
        isSoft = true
        numberEnd = 0
    }

    /// Adds a token. Writes the joined spelling if it ends with this token.
    ///
    /// - Returns: the number of bytes written, and the range of the whole chain in the text.
    mutating func add(
        _ token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ target: UnsafeMutablePointer<UInt8>
    ) -> (count: Int, source: Range<Int>)? {
        if numberEnd > place.stop { return nil }
        if numberEnd == place.stop { return finish(place, target) }
        numberEnd = 0
        guard place.isWhole else {
            end()
            return nil
        }
        let goesOn = hyphenFollows(token, place)
        if goesOn || pieces > 0 {
            if pieces == 0 { start = place.start }
            append(token, place.count)
            pieces += 1
            if goesOn {
                isSoft = isSoft && Self.hyphenLength(place) == 2
                return nil
            }
            if pieces > 1, pieces <= Self.pieceLimit || isSoft, count <= Self.byteLimit { return finish(place, target) }
            end()
        } else {
            beginNumber(token, place)
        }
        return nil
    }

    private mutating func finish(
        _ place: TokenPlace, _ target: UnsafeMutablePointer<UInt8>
    ) -> (count: Int, source: Range<Int>) {
        TokenBytes.copy(bytes, count, to: target)
        let result = (count, start..<place.stop)
        end()
        return result
    }

    /// Adds the bytes of a token; bytes after it are readable.
    private mutating func append(_ more: UnsafePointer<UInt8>, _ moreCount: Int) {
        if count + moreCount <= Self.byteLimit { TokenBytes.copy(more, moreCount, to: bytes + count) }
        count += moreCount
    }

    /// Whether a hyphen and a word directly follow the token, not with digits on both sides and not in an unspaced
    /// script.
    private func hyphenFollows(_ token: UnsafePointer<UInt8>, _ place: TokenPlace) -> Bool {
        let behind = place.stop + Self.hyphenLength(place)
        guard behind > place.stop, behind < place.end, !place.hasUnspaced else { return false }
        let next = UTF8Scalar(place.text, at: behind, end: place.end)
        let entry = next.entry
        guard entry.beginsWord, !entry.isUnspaced else { return false }
        return !(ASCIIDigit.contains(token[place.count - 1]) && entry.isDigit(next))
    }

    /// The number of bytes of the hyphen after a token: U+002D, U+00AD, U+2010, U+2011; 0 without one.
    private static func hyphenLength(_ place: TokenPlace) -> Int {
        guard place.stop < place.end else { return 0 }
        switch UTF8Scalar(place.text, at: place.stop, end: place.end).value {
        case 0x2D: return 1
        case 0xAD: return 2
        case 0x2010, 0x2011: return 3
        default: return 0
        }
    }

    /// Reads a number in groups: one to three digits that do not start with 0, then the same separator and three
    /// digits each time.
    private mutating func beginNumber(_ token: UnsafePointer<UInt8>, _ place: TokenPlace) {
        guard place.count <= 3, token[0] != UInt8(ascii: "0"), place.stop < place.end,
            (0..<place.count).allSatisfy({ ASCIIDigit.contains(token[$0]) })
        else { return }
        let separator = UTF8Scalar(place.text, at: place.stop, end: place.end)
        switch separator.value {
        case 0x2C, 0x2E, 0x27, 0x2019, 0xA0, 0x202F: break
        default: return
        }
        let text = place.text
        func digit(_ at: Int) -> Bool { at >= 0 && at < place.end && ASCIIDigit.contains(text[at]) }
        func separated(_ at: Int) -> Bool {
            at >= 0 && at < place.end && UTF8Scalar(text, at: at, end: place.end).value == separator.value
        }
        // A group of a longer number, such as 1.22.333.
        let before = place.start - separator.count
        if separated(before), digit(before - 1) { return }
        var at = place.stop
        append(token, place.count)
        while separated(at) {
            let group = at + separator.count
            guard digit(group), digit(group + 1), digit(group + 2), count + 3 <= Self.byteLimit else { break }
            for index in 0..<3 { bytes[count + index] = text[group + index] }
            count += 3
            at = group + 3
        }
        let goesOn = separated(at) && digit(at + separator.count)
        let isWord = at < place.end && UTF8Scalar(text, at: at, end: place.end).entry.isPartOfWord
        if at > place.stop, !goesOn, !isWord {
            start = place.start
            numberEnd = at
        } else {
            end()
        }
    }
}

/// The bytes `0`–`9`.
enum ASCIIDigit {
    @inline(__always)
    static func contains(_ byte: UInt8) -> Bool { byte.isDigit }
}
