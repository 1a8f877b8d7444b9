internal import CHash

/// SHA-256: FIPS 180-4, section 6.2.
///
/// Names versions by their content and finds damage. Order of calls: `init`, `update` any number of times, `finish`
/// once.
public struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    private let usesInstructions: Bool

    /// Makes a hash of no bytes.
    ///
    /// - Parameter usesInstructions: whether the processor's own instructions are used if it has them.
    package init(usesInstructions: Bool = true) { self.usesInstructions = usesInstructions }

    /// The digest of `bytes` as 64 lower-case hexadecimal digits.
    public static func hex(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        var offset = 0
        if !pending.isEmpty {
            offset = min(64 - pending.count, bytes.count)
            pending += bytes[..<offset]
            if pending.count < 64 { return }
            compress(pending, from: 0, blocks: 1)
            pending.removeAll(keepingCapacity: true)
        }
        let blocks = (bytes.count - offset) / 64
        compress(bytes, from: offset, blocks: blocks)
        pending += bytes[(offset + blocks * 64)...]
    }

    /// Ends the message and returns 64 lower-case hexadecimal digits.
    package consuming func finish() -> String {
        let bitCount = byteCount * 8
        pending.append(0x80)
        while pending.count % 64 != 56 { pending.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            pending.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        let tail = pending
        compress(tail, from: 0, blocks: tail.count / 64)
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for word in state {
            for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int(word >> shift & 15)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func compress(_ bytes: [UInt8], from start: Int, blocks: Int) {
        if blocks == 0 { return }
        let isDone =
            usesInstructions
            && bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return false }
                return chash_sha256(&state, Self.constants, base + start, blocks)
            }
        if !isDone { compressByWords(bytes, from: start, blocks: blocks) }
    }

    /// For a processor without instructions for SHA-256.
    private mutating func compressByWords(_ bytes: [UInt8], from start: Int, blocks: Int) {
        var hash = SIMD8<UInt32>(state)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            bytes.withUnsafeBytes { bytes in
                Self.constants.withUnsafeBufferPointer { constants in
                    for block in 0..<blocks {
                        let base = start + block * 64
                        for i in 0..<16 {
                            schedule[i] = UInt32(
                                bigEndian: bytes.loadUnaligned(fromByteOffset: base + 4 * i, as: UInt32.self))
                        }
                        for i in 16..<64 {
                            let x = schedule[i - 15], y = schedule[i - 2]
                            let s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >> 3)
                            let s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >> 10)
                            schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
                        }
                        var a = hash[0], b = hash[1], c = hash[2], d = hash[3]
                        var e = hash[4], f = hash[5], g = hash[6], h = hash[7]
                        for i in 0..<64 {
                            let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
                            let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ schedule[i]
                            let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
                            let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                            h = g
                            g = f
                            f = e
                            e = d &+ t1
                            d = c
                            c = b
                            b = a
                            a = t1 &+ t2
                        }
                        hash = hash &+ SIMD8(a, b, c, d, e, f, g, h)
                    }
                }
            }
        }
        state = (0..<8).map { hash[$0] }
    }

    @inline(__always)
    private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}
