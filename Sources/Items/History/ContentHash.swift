internal import Characters
internal import Files

/// A SHA-256 (FIPS 180-4): the name of a version or of a text in history/. Sorted as its digits are.
package struct ContentHash: Hashable, Comparable, Sendable {
    /// The 32 bytes as four big-endian numbers.
    private let words: SIMD4<UInt64>

    /// The hash of some bytes.
    package init(of bytes: [UInt8]) {
        // The digits of a hash are always such digits.
        self = Self(hex: SHA256.hex(bytes).utf8) ?? Self(words: SIMD4())
    }

    private init(words: SIMD4<UInt64>) { self.words = words }

    /// - Parameter hex: 64 lower-case hexadecimal digits; anything else gives `nil`.
    package init?(hex digits: some Collection<UInt8>) {
        let words = digits.withContiguousStorageIfAvailable { Self.words($0) }
        guard let words = words ?? Array(digits).withUnsafeBufferPointer({ Self.words($0) }) else { return nil }
        self.words = words
    }

    /// Not generic: an exchange's memory has a hash for each item.
    private static func words(_ digits: UnsafeBufferPointer<UInt8>) -> SIMD4<UInt64>? {
        guard digits.count == 64 else { return nil }
        var words = SIMD4<UInt64>()
        for place in 0..<4 {
            var word: UInt64 = 0
            for digit in digits[place * 16..<place * 16 + 16] {
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            words[place] = word
        }
        return words
    }

    /// All bits zero.
    package static let zero = ContentHash(words: SIMD4())

    /// The bits that the two differ in.
    package static func ^ (a: ContentHash, b: ContentHash) -> ContentHash { ContentHash(words: a.words ^ b.words) }

    /// The 64 lower-case hexadecimal digits.
    package var hex: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(64)
        for place in 0..<64 {
            digits.append(Hexadecimal.digit(UInt8(words[place / 16] >> UInt64(60 - place % 16 * 4) & 15)))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Whether the digits of `a` come first.
    package static func < (a: ContentHash, b: ContentHash) -> Bool {
        for place in 0..<4 where a.words[place] != b.words[place] { return a.words[place] < b.words[place] }
        return false
    }
}
