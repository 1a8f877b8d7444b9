/// XXH64 with seed 0, over bytes in memory.
///
/// Source: xxHash specification 0.1.1, section "XXH64 algorithm description". Vector: the empty input gives
/// 0xEF46DB3751D8E999.
enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func of(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        var at = bytes
        let end = bytes + count
        var hash: UInt64
        if count >= 32 {
            var a = prime1 &+ prime2
            var b = prime2
            var c: UInt64 = 0
            var d = 0 &- prime1
            while at + 32 <= end {
                a = round(a, at.loadUnaligned(as: UInt64.self))
                b = round(b, at.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                c = round(c, at.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                d = round(d, at.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
                at += 32
            }
            hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            hash = prime5
        }
        hash = hash &+ UInt64(count)
        while at + 8 <= end {
            hash = rotate(hash ^ round(0, at.loadUnaligned(as: UInt64.self)), 27) &* prime1 &+ prime4
            at += 8
        }
        if at + 4 <= end {
            hash = rotate(hash ^ (UInt64(at.loadUnaligned(as: UInt32.self)) &* prime1), 23) &* prime2 &+ prime3
            at += 4
        }
        while at < end {
            hash = rotate(hash ^ (UInt64(at.load(as: UInt8.self)) &* prime5), 11) &* prime1
            at += 1
        }
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { raw in
            // An empty array has no address. Any address will do, since nothing is read.
            withUnsafeBytes(of: 0) { of(raw.baseAddress ?? $0.baseAddress.unsafelyUnwrapped, raw.count) }
        }
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }
}
