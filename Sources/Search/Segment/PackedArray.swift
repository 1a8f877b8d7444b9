internal import CHints

/// Numbers packed into a fixed number of bits each, with larger ones as exceptions. Single numbers can be read.
///
/// Layout: width `w` (1 byte, 0…32), exceptions (LEB128), `⌈n·w/8⌉` bytes in which number `i` starts at bit `i·w`,
/// lowest bit first; then for each exception the distance of its index from the one before (LEB128, the first from
/// -1) and the bits above `w` (LEB128).
struct PackedArray {
    private let bits: UnsafeRawPointer
    private let width: Int
    private let exceptionCount: Int
    private let exceptions: UnsafeRawPointer
    private let limit: UnsafeRawPointer
    let count: Int

    /// The largest number of exceptions, as `BlockCodec.bestWidth` chooses.
    static let exceptionLimit = 127
    /// The distance of a position can be zero at most once in a document.
    static let widthlessLimit = BlockCodec.count + exceptionLimit

    static func append(_ values: UnsafePointer<UInt32>, _ count: Int, to out: inout ByteBuffer) {
        let width = BlockCodec.bestWidth(values, count, perValue: 1)
        var exceptions: UInt32 = 0
        if width < 32 {
            for index in 0..<count where values[index] >> UInt32(width) != 0 { exceptions += 1 }
        }
        out.append(UInt8(width))
        out.appendVarint(exceptions)
        let mask: UInt64 = (1 << UInt64(width)) - 1
        var word: UInt64 = 0
        var filled = 0
        out.reserve((count * width + 7) / 8 + 8)
        for index in 0..<count {
            word |= (UInt64(values[index]) & mask) << UInt64(filled)
            filled += width
            while filled >= 8 {
                out.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
                filled -= 8
            }
        }
        if filled > 0 { out.append(UInt8(truncatingIfNeeded: word)) }
        if exceptions > 0 {
            var last = -1
            for index in 0..<count where values[index] >> UInt32(width) != 0 {
                out.appendVarint(UInt32(index - last))
                out.appendVarint(values[index] >> UInt32(width))
                last = index
            }
        }
    }

    /// An array of `count` numbers at `start`; `nil` if it does not fit before `end`.
    ///
    /// Up to eight bytes after `end` are read and ignored.
    @inline(__always)
    init?(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, count: Int) {
        var reader = ByteReader(start, end - start)
        width = Int(reader.byte())
        exceptionCount = Int(reader.varint())
        bits = reader.at
        if width > 32 || count < 0 || exceptionCount > count || exceptionCount > Self.exceptionLimit { return nil }
        // Width 0 means only exceptions and zeros. A longer array is never written, and a few bytes must not claim
        // many numbers.
        if width == 0, count > Self.widthlessLimit { return nil }
        let byteCount = (count * width + 7) / 8
        if end - bits < byteCount { return nil }
        exceptions = bits + byteCount
        limit = end
        self.count = count
    }

    /// The end of the array.
    var end: UnsafeRawPointer {
        var reader = ByteReader(exceptions, limit - exceptions)
        for _ in 0..<exceptionCount {
            _ = reader.varint()
            _ = reader.varint()
        }
        return reader.at
    }

    /// Reads numbers `first ..< first + wanted`. The caller must not exceed the array; numbers beyond it read as
    /// zero.
    @inline(__always)
    func read(_ first: Int, _ wanted: Int, into out: UnsafeMutablePointer<UInt32>) {
        if first < 0 || wanted < 0 || first + wanted > count {
            for index in 0..<max(0, wanted) { out[index] = 0 }
            return
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        var bit = first * width
        for index in 0..<wanted {
            let word = bits.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
            out[index] = UInt32(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
            bit += width
        }
        if exceptionCount > 0 { patch(first, wanted, out) }
    }

    /// As `read`, for a part of the array, with exceptions that `readExceptions` has read. Up to three numbers more are
    /// written.
    @inline(__always)
    func readFours(
        _ first: Int, _ wanted: Int, into out: UnsafeMutablePointer<UInt32>, _ exceptions: inout PackedExceptions
    ) {
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        var bit = first &* width
        var index = 0
        if width <= Self.mostOfFour {
            let step = UInt64(width)
            while index < wanted {
                var word = bits.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self) &>> UInt64(bit & 7)
                out[index] = UInt32(truncatingIfNeeded: word & mask)
                word = word &>> step
                out[index &+ 1] = UInt32(truncatingIfNeeded: word & mask)
                word = word &>> step
                out[index &+ 2] = UInt32(truncatingIfNeeded: word & mask)
                word = word &>> step
                out[index &+ 3] = UInt32(truncatingIfNeeded: word & mask)
                index &+= 4
                bit &+= width &<< 2
            }
        } else {
            while index < wanted {
                let word = bits.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
                out[index] = UInt32(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
                index &+= 1
                bit &+= width
            }
        }
        exceptions.patch(first, wanted, UInt32(truncatingIfNeeded: min(31, width)), out)
    }

    /// Four numbers of this width, and the bits before them in their first byte, fit into 64 bits.
    private static let mostOfFour = 14

    /// Has the memory with a number fetched, which is read soon.
    @inline(__always)
    func fetch(_ index: Int) { chints_read_soon(bits + (index &* width >> 3)) }

    /// The same for the exceptions.
    @inline(__always)
    func fetchExceptions() {
        chints_read_soon(exceptions)
        chints_read_soon(exceptions + 64)
        chints_read_soon(exceptions + 128)
        chints_read_soon(exceptions + 192)
    }

    /// Reads the exceptions once, for reading several parts of one array.
    func readExceptions(into out: inout PackedExceptions) {
        out.read(exceptionCount, from: ByteReader(exceptions, limit - exceptions))
    }

    private func patch(_ first: Int, _ wanted: Int, _ out: UnsafeMutablePointer<UInt32>) {
        var reader = ByteReader(exceptions, limit - exceptions)
        var index = -1
        for _ in 0..<exceptionCount {
            index += Int(reader.varint())
            let high = reader.varint()
            if index >= first + wanted { return }
            if index >= first { out[index - first] |= high &<< UInt32(min(31, width)) }
        }
    }
}
