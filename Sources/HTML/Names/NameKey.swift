/// The first 16 bytes of a name in two words, and its length.
///
/// Public for the same reason as `HTMLElement`.
public struct NameKey {
    /// Bytes 1 to 8, the first byte lowest.
    public var low: UInt64 = 0
    /// Bytes 9 to 16.
    public var high: UInt64 = 0
    /// The length of the whole name in bytes.
    public var count = 0

    /// The key of an empty name.
    @inlinable public init() {}

    /// The key of a span, with ASCII letters in lower case.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        count = end - start
        if count <= 8 {
            low = Self.word(bytes, start, count)
        } else if count <= 16 {
            low = Self.word(bytes, start, 8)
            high = Self.word(bytes, start + 8, count - 8)
        }
    }

    /// Adds a byte of the name. Bytes after the sixteenth are only counted.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        if count < 8 {
            low |= UInt64(byte) << UInt64(count * 8)
        } else if count < 16 {
            high |= UInt64(byte) << UInt64(count * 8 - 64)
        }
        count += 1
    }

    /// The key of the first bytes of the name, at most 8.
    package func prefix(_ count: Int) -> NameKey {
        var key = NameKey()
        key.low = count >= 8 ? low : low & (1 << UInt64(count * 8) - 1)
        key.count = count
        return key
    }

    var hash: Int {
        let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 29))
    }

    /// At most eight bytes as one word, the first byte lowest. Reads whole words where the source is long enough.
    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        if count == 0 { return 0 }
        var word: UInt64 = 0
        if bytes.count - start >= 8 {
            word = UInt64(
                littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self))
            word &= .max >> UInt64(64 - count * 8)
        } else {
            for index in 0..<count { word |= UInt64(bytes[start + index]) << UInt64(index * 8) }
        }
        // Per byte: the high bit of `upper` is set for A to Z.
        let low7 = word & 0x7F7F_7F7F_7F7F_7F7F
        let upper = (low7 &+ 0x3F3F_3F3F_3F3F_3F3F) ^ (low7 &+ 0x2525_2525_2525_2525)
        return word | (upper & ~word & 0x8080_8080_8080_8080) >> 2
    }
}
