/// Bodies in gzip's format (RFC 1952), written by hand.
enum PackedBody {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// At most 65,535 bytes, in one stored block.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let length = littleEndian(UInt32(count)).prefix(2) + littleEndian(UInt32(~count)).prefix(2)
        return header + [1] + length + bytes + littleEndian(checksum(bytes)) + littleEndian(UInt32(count))
    }

    /// Zeros in one block whose code for "258 times the last byte" takes two bits (RFC 1951, 3.2.7): 1,032 zeros a
    /// byte. The block has no end: the decoder is expected to stop before.
    static func zeros(packedByteCount: Int) -> [UInt8] {
        var bits = Bits()
        bits.append(1, 1)  // the last block
        bits.append(2, 2)  // with codes of its own
        bits.append(29, 5)  // 286 literals and lengths
        bits.append(0, 5)  // one distance
        bits.append(14, 4)  // 18 lengths of the codes that the lengths are written in
        // In the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: 18 takes one bit, 2 and 1 take two.
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.append(length, 3) }
        // Canonical codes: 18 is 0, 1 is 10, 2 is 11; they are written from their first bit on.
        func length(_ value: Int) { bits.append(value == 1 ? 0b01 : 0b11, 2) }
        func none(_ count: Int) {
            bits.append(0, 1)
            bits.append(count - 11, 7)
        }
        length(2)  // literal 0: code 10
        none(138)
        none(117)
        length(2)  // the end: code 11
        none(28)
        length(1)  // length 258: code 0
        length(1)  // distance 1: code 0
        bits.append(0b01, 2)  // the literal 0
        return header + bits.bytes + [UInt8](repeating: 0, count: packedByteCount)
    }

    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func append(_ value: Int, _ count: Int) {
            for index in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> index & 1) << UInt8(used)
                used += 1
            }
        }
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }

    /// CRC-32, RFC 1952, section 8.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
