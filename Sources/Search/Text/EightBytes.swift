/// Eight bytes of a text, each classified as an ASCII letter, digit or separator, or as not ASCII.
///
/// Masks set the high bit of each byte that they select. The first byte of the text is the lowest one. Bytes beyond
/// the text's end are zero, which is a separator.
struct EightBytes {
    let bytes: UInt64
    private let letters: UInt64
    /// Letters and digits.
    private let word: UInt64
    /// Bytes that are not ASCII separators.
    let filled: UInt64

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    init(_ text: UnsafePointer<UInt8>, at offset: Int, end: Int) {
        if offset &+ 8 <= end {
            self.init(UnsafeRawPointer(text).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        } else {
            var bytes: UInt64 = 0
            var shift: UInt64 = 0
            for index in offset..<end {
                bytes |= UInt64(text[index]) &<< shift
                shift &+= 8
            }
            self.init(bytes)
        }
    }

    @inline(__always)
    init(_ bytes: UInt64) {
        self.bytes = bytes
        // No sum of a byte carries into the next one: both summands are below 0x80.
        let low = bytes & ~Self.highBits
        let lowered = low | 0x2020_2020_2020_2020
        let letters = (lowered &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lowered &+ 0x0505_0505_0505_0505)
        let digits = (low &+ 0x5050_5050_5050_5050) & ~(low &+ 0x4646_4646_4646_4646)
        self.letters = letters & ~bytes & Self.highBits
        word = (letters | digits) & ~bytes & Self.highBits
        filled = word | bytes & Self.highBits
    }

    /// The number of separators before the first other byte, 0–8.
    @inline(__always)
    var separatorCount: Int { filled.trailingZeroBitCount &>> 3 }

    @inline(__always)
    var beginsOutsideASCII: Bool { bytes & 0x80 != 0 }

    /// The number of letters and digits at the start, 0–8.
    @inline(__always)
    var wordCount: Int { (~word & Self.highBits).trailingZeroBitCount &>> 3 }

    /// The first `count` (1–8) bytes with letters in lower case, and zeros after them.
    @inline(__always)
    func folded(_ count: Int) -> UInt64 { (bytes | letters &>> 2) & Self.mask(count) }

    /// Upper-case letters among the first `count` (1–8).
    @inline(__always)
    func upper(_ count: Int) -> UInt64 { letters & ~(bytes &<< 2) & Self.mask(count) }

    /// Lower-case letters among the first `count` (1–8).
    @inline(__always)
    func lower(_ count: Int) -> UInt64 { letters & (bytes &<< 2) & Self.mask(count) }

    @inline(__always)
    var digits: UInt64 { word & ~letters }

    /// The high bits of a mask's bytes as one bit each, the first byte's lowest.
    @inline(__always)
    static func bits(_ mask: UInt64) -> UInt64 { (mask &* 0x0002_0408_1020_4081) &>> 56 }

    /// The number of separators after the first `count` (1–8) bytes, within these eight bytes.
    @inline(__always)
    func separatorCount(behind count: Int) -> Int {
        let rest = filled & ~Self.mask(count)
        return rest.trailingZeroBitCount &>> 3 &- count
    }

    @inline(__always)
    private static func mask(_ count: Int) -> UInt64 { UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- count &* 8) }
}
