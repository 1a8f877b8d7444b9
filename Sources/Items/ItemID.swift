internal import Characters
internal import Glibc
internal import Synchronization
package import Time

/// A UUID (RFC 9562) that names an item permanently.
///
/// New ids are version 7: they begin with the time in milliseconds, so they sort by creation.
public struct ItemID: Hashable, Comparable, Sendable {
    /// The first 64 bits, big-endian.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// Makes an id from two halves, unchecked.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The length of the text form.
    package static let textByteCount = 36

    /// Reads 8-4-4-4-12 hexadecimal digits of either case; anything else, and the nil UUID, is `nil`.
    public init?(_ text: String) { self.init(utf8: Array(text.utf8)) }

    /// Reads the ASCII bytes of 8-4-4-4-12 hexadecimal digits, as `init(_:)` reads a string.
    package init?(utf8 bytes: [UInt8]) {
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digitCount = 0
        for (index, byte) in bytes.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                if byte != UInt8(ascii: "-") { return nil }
                continue
            }
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            if digitCount < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digitCount += 1
        }
        if halves == (0, 0) { return nil }
        (high, low) = halves
    }

    /// A version 8 UUID (RFC 9562, section 5.8) of the first 128 bits of a SHA-256; six of them make way for version and
    /// variant.
    ///
    /// - Parameter digest: 64 hexadecimal digits.
    package init(version8 digest: String) {
        let digits = Array(digest.utf8.prefix(32)).map { UInt64(Hexadecimal.value(of: $0) ?? 0) }
        let halves = [digits[..<16], digits[16...]].map { $0.reduce(0) { $0 << 4 | $1 } }
        self.init(high: halves[0] & ~0xF000 | 8 << 12, low: halves[1] & (1 << 62 - 1) | 2 << 62)
    }

    /// By value: version 7 UUIDs sort by creation.
    public static func < (a: ItemID, b: ItemID) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// A version 4 UUID (RFC 9562, section 5.4): it says nothing of when and where it was made.
    package static func random() -> ItemID {
        ItemID(
            high: UInt64.random(in: 0...UInt64.max) & ~0xF000 | 4 << 12,
            low: UInt64.random(in: 0..<(1 << 62)) | 2 << 62)
    }

    /// The 32 digits without hyphens, lower-case.
    package var digits: [UInt8] { (0..<32).map(digit) }

    @inline(__always)
    private func digit(_ index: Int) -> UInt8 {
        let half = index < 16 ? high : low
        return Hexadecimal.digit(UInt8(half >> UInt64(60 - index % 16 * 4) & 15))
    }

    /// The name of the item's shard: the last two digits of the id. The first digits are time and would not spread.
    public var shard: String { Hexadecimal.pair(shardNumber) }
    /// The shard as a number: the last byte of the id.
    package var shardNumber: UInt8 { UInt8(truncatingIfNeeded: low) }

    /// The last eight digits, which lists show and a person types.
    public var short: String { String(decoding: digits[24...], as: UTF8.self) }

    /// Milliseconds since 1970 of a version 7 UUID, `nil` for other versions.
    package var creation: Timestamp? {
        high >> 12 & 15 == 7 ? Timestamp(milliseconds: Int64(high >> 16)) : nil
    }

    private static let last = Mutex<UInt64>(0)

    /// A new version 7 UUID, larger than any other that this process made.
    ///
    /// The 12 bits after the version hold the fraction of the millisecond (RFC 9562, section 6.2, method 3). The last
    /// 62 bits are random.
    public static func make() -> ItemID {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return last.withLock { last in
            let tick = max(last + 1, tick(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec)))
            last = tick
            return ItemID(tick: tick)
        }
    }

    /// An id for a given time; it may be smaller than earlier ones.
    ///
    /// - Parameter seconds: since 1970. A time before 1970 or after 10889 does not fit into 48 bits; the nearest that
    ///   fits is used.
    static func make(seconds: Int64, nanoseconds: Int64) -> ItemID {
        ItemID(tick: tick(seconds: seconds, nanoseconds: nanoseconds))
    }

    /// Milliseconds since 1970 and 12 bits of their fraction.
    private static func tick(seconds: Int64, nanoseconds: Int64) -> UInt64 {
        let latest: Int64 = (1 << 48) / 1000 - 1
        let milliseconds = UInt64(max(0, min(latest, seconds))) * 1000 + UInt64(nanoseconds) / 1_000_000
        let fraction = UInt64(nanoseconds) % 1_000_000 * 4096 / 1_000_000
        return milliseconds << 12 | fraction
    }

    private init(tick: UInt64) {
        self.init(
            high: (tick >> 12) << 16 | 7 << 12 | tick & 0xFFF, low: 2 << 62 | UInt64.random(in: 0..<(1 << 62)))
    }
}

extension ItemID: CustomStringConvertible {
    /// The 36-character form in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                buffer[place] = digit(index)
                place += 1
            }
            return 36
        }
    }
}
