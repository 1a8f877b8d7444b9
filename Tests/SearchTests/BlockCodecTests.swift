import TestSupport
import Testing

@testable import Search

/// Numbers in blocks and arrays are read back unchanged.
struct BlockCodecTests {
    private static func numbers(_ count: Int, _ generator: inout SeededGenerator) -> [UInt32] {
        let bits = Int.random(in: 0...32, using: &generator)
        let share = Int.random(in: 1...40, using: &generator)
        return (0..<count).map { _ in
            let wide = Int.random(in: 0..<share, using: &generator) == 0
            let limit = wide ? Int.random(in: bits...32, using: &generator) : bits
            return UInt32.random(in: 0...UInt32.max, using: &generator) & UInt32(truncatingIfNeeded: (1 << limit) - 1)
        }
    }

    @Test func `blocks of 128 come back, with their ends`() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<1_500 {
            let values = Self.numbers(128, &generator)
            var out = ByteBuffer()
            values.withUnsafeBufferPointer { BlockCodec.append($0.baseAddress.unsafelyUnwrapped, to: &out) }
            var back = [UInt32](repeating: 1, count: 128)
            let (base, count) = (UnsafeRawPointer(out.base), out.count)
            back.withUnsafeMutableBufferPointer { back in
                let place = back.baseAddress.unsafelyUnwrapped
                #expect(BlockCodec.read(base, base + count, into: place) == base + count)
                #expect(BlockCodec.skip(base, base + count) == base + count)
                for cut in [0, 1, min(count - 1, 2 + 16 * Int(base.load(as: UInt8.self)) - 1)]
                where cut >= 0 && count > 2 {
                    if base.load(as: UInt8.self) > 0 || cut < 2 {
                        #expect(BlockCodec.read(base, base + cut, into: place) == nil)
                    }
                }
                _ = BlockCodec.read(base, base + count, into: place)
            }
            #expect(back == values)
        }
    }

    @Test func `gaps add up to rising numbers, and an overflow is refused`() {
        var generator = SeededGenerator(seed: 32)
        for round in 0..<600 {
            var gaps = Self.numbers(128, &generator)
            let base = round % 3 == 0 ? UInt32.max : UInt32.random(in: 0..<1 << 20, using: &generator)
            if round % 2 == 0 { for index in gaps.indices { gaps[index] &= 0xFF_FFFF } }
            var wanted: [UInt64] = []
            var last = base == .max ? UInt64(0) : UInt64(base) + 1
            for gap in gaps {
                wanted.append(last + UInt64(gap))
                last = last + UInt64(gap) + 1
            }
            var out = ByteBuffer()
            gaps.withUnsafeBufferPointer { BlockCodec.append($0.baseAddress.unsafelyUnwrapped, to: &out) }
            var back = [UInt32](repeating: 1, count: 128)
            let (bytes, count) = (UnsafeRawPointer(out.base), out.count)
            let end = back.withUnsafeMutableBufferPointer {
                BlockCodec.readRising(bytes, bytes + count, from: base, into: $0.baseAddress.unsafelyUnwrapped)
            }
            if wanted[127] < 1 << 32 {
                #expect(end == bytes + count)
                #expect(back.map(UInt64.init) == wanted)
            } else {
                #expect(end == nil)
            }
        }
    }

    @Test func `packed arrays of any length come back, whole and in runs`() {
        var generator = SeededGenerator(seed: 33)
        for round in 0..<1_500 {
            let count = round < 400 ? round : Int.random(in: 1...900, using: &generator)
            var values = Self.numbers(count, &generator)
            // As many zeros as a writer can have without a bit for each.
            if count > PackedArray.widthlessLimit { values[0] |= 1 }
            var out = ByteBuffer()
            values.withUnsafeBufferPointer { raw in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1) { none in
                    PackedArray.append(
                        raw.baseAddress ?? UnsafePointer(none.baseAddress.unsafelyUnwrapped), count, to: &out)
                }
            }
            let (base, byteCount) = (UnsafeRawPointer(out.base), out.count)
            guard let array = PackedArray(base, base + byteCount, count: count) else {
                // All are zero, and more than allowed.
                #expect(count > PackedArray.widthlessLimit && values.count { $0 > 0 } <= PackedArray.exceptionLimit)
                continue
            }
            #expect(array.end == base + byteCount)
            var back = [UInt32](repeating: 1, count: count + 1)
            back.withUnsafeMutableBufferPointer { array.read(0, count, into: $0.baseAddress.unsafelyUnwrapped) }
            #expect(Array(back.prefix(count)) == values)
            let first = Int.random(in: 0...count, using: &generator)
            let wanted = Int.random(in: 0...count - first, using: &generator)
            back.withUnsafeMutableBufferPointer { array.read(first, wanted, into: $0.baseAddress.unsafelyUnwrapped) }
            #expect(Array(back.prefix(wanted)) == Array(values[first..<first + wanted]))
        }
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func `checksums are XXH64`(_ text: String, _ sum: UInt64) {
        #expect(Checksum.of(Array(text.utf8)) == sum)
    }
}
