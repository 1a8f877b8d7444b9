/// Blocks of 128 numbers, packed into the most economical number of bits; larger numbers are exceptions.
///
/// Layout: width `w` (1 byte, 0…32), exceptions `e` (1 byte), `w` rows of 16 bytes, then for each exception its index
/// (1 byte) and the bits above `w` (LEB128). Rows are vertical: number `4r + l` is in lane `l` of four 32-bit
/// little-endian lanes, at bit `r·w` of the lane. Source: Lemire & Boytsov, "Decoding billions of integers per second
/// through vectorization" (2015), SIMD-BP128 and PFOR.
enum BlockCodec {
    static let count = 128

    // MARK: Writing

    static func append(_ values: UnsafePointer<UInt32>, to out: inout ByteBuffer) {
        let width = bestWidth(values, count, perValue: 1)
        var exceptions = 0
        if width < 32 {
            for index in 0..<count where values[index] >> UInt32(width) != 0 { exceptions += 1 }
        }
        out.append(UInt8(width))
        out.append(UInt8(exceptions))
        out.reserve(16 * 32)
        pack(values, width, &out)
        if exceptions > 0 {
            for index in 0..<count where values[index] >> UInt32(width) != 0 {
                out.append(UInt8(index))
                out.appendVarint(values[index] >> UInt32(width))
            }
        }
    }

    /// The width for which bits and exceptions take the fewest bytes; at most 128 exceptions.
    ///
    /// - Parameter perValue: bytes of an exception's index.
    static func bestWidth(_ values: UnsafePointer<UInt32>, _ count: Int, perValue: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 33) { histogram in
            histogram.initialize(repeating: 0)
            var largest = 0
            for index in 0..<count {
                let bits = 32 - values[index].leadingZeroBitCount
                histogram[bits] &+= 1
                largest = max(largest, bits)
            }
            var best = largest
            var bestCost = (count * largest + 7) / 8
            // With each smaller width, the numbers above it become exceptions.
            var exceptionBytes = 0
            var above = 0
            var width = largest - 1
            while width >= 0 {
                above += Int(histogram[width + 1])
                exceptionBytes = 0
                for bits in (width + 1)...largest where histogram[bits] > 0 {
                    exceptionBytes += Int(histogram[bits]) * (perValue + (bits - width + 6) / 7)
                }
                if above > 127 || exceptionBytes > bestCost { break }
                let cost = (count * width + 7) / 8 + exceptionBytes
                if cost < bestCost {
                    best = width
                    bestCost = cost
                }
                width -= 1
            }
            return best
        }
    }

    private static func pack(_ values: UnsafePointer<UInt32>, _ width: Int, _ out: inout ByteBuffer) {
        if width == 0 { return }
        let mask = SIMD4<UInt32>(repeating: width == 32 ? .max : (1 << UInt32(width)) - 1)
        let rows = UnsafeRawPointer(values)
        var word = SIMD4<UInt32>(repeating: 0)
        var bit = 0
        for row in 0..<32 {
            let value = rows.loadUnaligned(fromByteOffset: row * 16, as: SIMD4<UInt32>.self) & mask
            word |= value &<< SIMD4(repeating: UInt32(bit))
            bit += width
            if bit >= 32 {
                withUnsafeBytes(of: word) { out.append($0.baseAddress.unsafelyUnwrapped, 16) }
                bit -= 32
                word = bit > 0 ? value &>> SIMD4(repeating: UInt32(width - bit)) : SIMD4(repeating: 0)
            }
        }
    }

    // MARK: Reading

    /// Unpacks a block. Returns its end, or `nil` if it does not fit before `end`.
    @inline(__always)
    static func read(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, into out: UnsafeMutablePointer<UInt32>
    ) -> UnsafeRawPointer? {
        if start + 2 > end { return nil }
        let width = Int(start.load(as: UInt8.self))
        let exceptions = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        if width > 32 || start + 2 + width * 16 > end { return nil }
        unpack(start + 2, width, out)
        let at = start + 2 + width * 16
        var bits: UInt32 = 0
        return exceptions == 0 ? at : patch(at, end, exceptions, width, out, &bits)
    }

    /// Unpacks a block of gaps minus one and adds them up from `base`, which is `.max` before the first number.
    ///
    /// - Returns: the end of the block, or `nil` if it does not fit before `end` or its numbers do not rise.
    @inline(__always)
    static func readRising(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, from base: UInt32,
        into out: UnsafeMutablePointer<UInt32>
    ) -> UnsafeRawPointer? {
        if start + 2 > end { return nil }
        let width = Int(start.load(as: UInt8.self))
        let exceptions = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        if width > 32 || start + 2 + width * 16 > end { return nil }
        unpack(start + 2, width, out)
        var at: UnsafeRawPointer? = start + 2 + width * 16
        var bits: UInt32 = 0
        if exceptions > 0, let exceptionStart = at { at = patch(exceptionStart, end, exceptions, width, out, &bits) }
        addUp(out, from: base)
        // 128 gaps below 2²⁴ cannot overflow, so the first and last number tell whether all rise.
        if width > 24 || bits >> 24 != 0 { return isRising(out) ? at : nil }
        return out[0] <= out[127] ? at : nil
    }

    private static func isRising(_ numbers: UnsafeMutablePointer<UInt32>) -> Bool {
        for index in 1..<count where numbers[index] <= numbers[index - 1] { return false }
        return true
    }

    /// The end of a block, without unpacking it.
    static func skip(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
        if start + 2 > end { return nil }
        let width = Int(start.load(as: UInt8.self))
        let exceptions = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        if width > 32 || start + 2 + width * 16 > end { return nil }
        var reader = ByteReader(start + 2 + width * 16, end - (start + 2 + width * 16))
        for _ in 0..<exceptions {
            _ = reader.byte()
            _ = reader.varint()
        }
        return reader.at
    }

    private static func patch(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ exceptions: Int, _ width: Int,
        _ out: UnsafeMutablePointer<UInt32>, _ bits: inout UInt32
    ) -> UnsafeRawPointer? {
        if width > 31 { return nil }
        var reader = ByteReader(start, end - start)
        for _ in 0..<exceptions {
            let index = Int(reader.byte())
            if index >= count { return nil }
            out[index] |= reader.varint() &<< UInt32(width)
            bits |= out[index]
        }
        return reader.at
    }

    /// Replaces gaps minus one by the numbers: `out[i] = base + Σ (gap + 1)`.
    @inline(__always)
    static func addUp(_ values: UnsafeMutablePointer<UInt32>, from base: UInt32) {
        let rows = UnsafeMutableRawPointer(values)
        var carry = SIMD4<UInt32>(repeating: base)
        let steps = SIMD4<UInt32>(1, 2, 3, 4)
        for row in 0..<32 {
            var v = rows.loadUnaligned(fromByteOffset: row * 16, as: SIMD4<UInt32>.self)
            v = v &+ SIMD4(0, v[0], v[1], v[2])
            v = v &+ SIMD4(0, 0, v[0], v[1])
            v = v &+ steps &+ carry
            rows.storeBytes(of: v, toByteOffset: row * 16, as: SIMD4<UInt32>.self)
            carry = SIMD4(repeating: v[3])
        }
    }

    @inline(__always)
    private static func unpackRows(_ p: UnsafeRawPointer, _ width: Int, _ out: UnsafeMutablePointer<UInt32>) {
        let mask = SIMD4<UInt32>(repeating: width == 32 ? .max : (1 &<< UInt32(width)) &- 1)
        let rows = UnsafeMutableRawPointer(out)
        var word = p.loadUnaligned(as: SIMD4<UInt32>.self)
        var next = 16
        var bit = 0
        for row in 0..<32 {
            var value = word &>> SIMD4(repeating: UInt32(bit))
            bit += width
            if bit >= 32 {
                bit -= 32
                if row < 31 {
                    word = p.loadUnaligned(fromByteOffset: next, as: SIMD4<UInt32>.self)
                    next += 16
                    if bit > 0 { value |= word &<< SIMD4(repeating: UInt32(width - bit)) }
                }
            }
            rows.storeBytes(of: value & mask, toByteOffset: row * 16, as: SIMD4<UInt32>.self)
        }
    }

    /// One loop for each width, so that shifts are constants.
    private static func unpack(_ p: UnsafeRawPointer, _ width: Int, _ out: UnsafeMutablePointer<UInt32>) {
        switch width {
        case 0: UnsafeMutableRawPointer(out).initializeMemory(as: UInt8.self, repeating: 0, count: 512)
        case 1: unpackRows(p, 1, out)
        case 2: unpackRows(p, 2, out)
        case 3: unpackRows(p, 3, out)
        case 4: unpackRows(p, 4, out)
        case 5: unpackRows(p, 5, out)
        case 6: unpackRows(p, 6, out)
        case 7: unpackRows(p, 7, out)
        case 8: unpackRows(p, 8, out)
        case 9: unpackRows(p, 9, out)
        case 10: unpackRows(p, 10, out)
        case 11: unpackRows(p, 11, out)
        case 12: unpackRows(p, 12, out)
        default: unpackRows(p, width, out)
        }
    }
}
