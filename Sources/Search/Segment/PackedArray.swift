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

    /// As `read`, with exceptions that `readExceptions` has read.
    @inline(__always)
    func read(
        _ first: Int, _ wanted: Int, into out: UnsafeMutablePointer<UInt32>, _ exceptions: borrowing PackedExceptions
    ) {
        if first < 0 || wanted < 0 || first + wanted > count {
            for index in 0..<max(0, wanted) { out[index] = 0 }
            return
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        var bit = first &* width
        for index in 0..<wanted {
            let word = bits.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
            out[index] = UInt32(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
            bit &+= width
        }
        exceptions.patch(first, wanted, UInt32(min(31, width)), out)
    }

    /// Numbers `first ..< first + wanted` one by one; `nil` beyond the array.
    @inline(__always)
    func run(_ first: Int, _ wanted: Int, _ exceptions: borrowing PackedExceptions) -> PackedRun? {
        if first < 0 || wanted < 0 || first + wanted > count { return nil }
        return PackedRun(
            bits: bits, bit: first &* width, width: width, mask: (1 &<< UInt64(width)) &- 1, index: first,
            exception: exceptions.first(from: first))
    }

    /// Reads the exceptions once, for reading several runs of one array.
    func readExceptions(into out: inout PackedExceptions) {
        out.begin(exceptionCount)
        var reader = ByteReader(exceptions, limit - exceptions)
        var index: Int32 = -1
        for _ in 0..<exceptionCount {
            index &+= Int32(truncatingIfNeeded: reader.varint())
            out.append(index, reader.varint())
        }
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

/// Reads numbers of a packed array in sequence; the caller knows their number.
struct PackedRun {
    fileprivate let bits: UnsafeRawPointer
    fileprivate var bit: Int
    fileprivate let width: Int
    fileprivate let mask: UInt64
    fileprivate var index: Int
    /// The next exception.
    fileprivate var exception: PackedExceptions.Cursor

    @inline(__always)
    mutating func next() -> UInt32 {
        let word = bits.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
        var value = UInt32(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
        if Int(exception.indices[0]) == index {
            value |= exception.highs[0] &<< UInt32(truncatingIfNeeded: width)
            exception.advance()
        }
        bit &+= width
        index &+= 1
        return value
    }
}

/// Exceptions of a packed array by rising index. A last one that is never reached ends the list.
struct PackedExceptions: ~Copyable {
    struct Cursor {
        fileprivate var indices: UnsafePointer<Int32>
        fileprivate var highs: UnsafePointer<UInt32>

        @inline(__always)
        mutating func advance() {
            indices += 1
            highs += 1
        }
    }

    /// The first exception at or after `first`.
    @inline(__always)
    func first(from first: Int) -> Cursor {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) >> 1
            if Int(indices[middle]) < first { low = middle &+ 1 } else { high = middle }
        }
        return Cursor(indices: indices + low, highs: highs + low)
    }

    private var indices = UnsafeMutablePointer<Int32>.allocate(capacity: 64)
    private var highs = UnsafeMutablePointer<UInt32>.allocate(capacity: 64)
    private var capacity = 64
    private var count = 0

    init() { indices[0] = .max }

    deinit {
        indices.deallocate()
        highs.deallocate()
    }

    mutating func begin(_ expected: Int) {
        count = 0
        indices[0] = .max
        if expected < capacity { return }
        indices.deallocate()
        highs.deallocate()
        capacity = expected + 1
        indices = .allocate(capacity: capacity)
        highs = .allocate(capacity: capacity)
        indices[0] = .max
    }

    @inline(__always)
    mutating func append(_ index: Int32, _ high: UInt32) {
        indices[count] = index
        highs[count] = high
        count &+= 1
        indices[count] = .max
    }

    @inline(__always)
    func patch(_ first: Int, _ wanted: Int, _ width: UInt32, _ out: UnsafeMutablePointer<UInt32>) {
        if count == 0 { return }
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) >> 1
            if Int(indices[middle]) < first { low = middle &+ 1 } else { high = middle }
        }
        while low < count, Int(indices[low]) < first &+ wanted {
            let place = Int(indices[low]) &- first
            if place >= 0 { out[place] |= highs[low] &<< width }
            low &+= 1
        }
    }
}
