/// A set of ASCII bytes.
struct ByteSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    /// U+0000 to U+001F and U+007F.
    static let controls = ByteSet(low: 0xFFFF_FFFF, high: 1 << 63)

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    init(_ characters: StaticString, and other: ByteSet = ByteSet(low: 0, high: 0)) {
        var (low, high) = (other.low, other.high)
        for index in 0..<characters.utf8CodeUnitCount {
            let byte = characters.utf8Start[index]
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        self.init(low: low, high: high)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 != 0
    }
}
