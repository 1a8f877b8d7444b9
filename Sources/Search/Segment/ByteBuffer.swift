/// A growing array of bytes in its own memory.
///
/// At least `ByteBuffer.slack` bytes after the last one may be read. They are zero or old bytes.
struct ByteBuffer: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    static let slack = 16

    init(capacity: Int = 256) {
        self.capacity = max(64, capacity)
        base = .allocate(byteCount: self.capacity + Self.slack, alignment: 16)
        (base + self.capacity).initializeMemory(as: UInt8.self, repeating: 0, count: Self.slack)
    }

    deinit { base.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func reserve(_ extra: Int) { if count + extra > capacity { grow(extra) } }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let newCapacity = max(capacity * 2, count + extra)
        let new = UnsafeMutableRawPointer.allocate(byteCount: newCapacity + Self.slack, alignment: 16)
        new.copyMemory(from: base, byteCount: count)
        (new + count).initializeMemory(as: UInt8.self, repeating: 0, count: newCapacity + Self.slack - count)
        base.deallocate()
        base = new
        capacity = newCapacity
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Little-endian.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ value: Number) {
        reserve(MemoryLayout<Number>.size)
        base.storeBytes(of: value.littleEndian, toByteOffset: count, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// The low six bytes, little-endian.
    mutating func append48(_ value: UInt64) {
        reserve(8)
        base.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
        count += 6
    }

    /// LEB128: seven bits a byte, lowest first.
    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        reserve(10)
        var rest = value
        while rest >= 0x80 {
            base.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
            count += 1
            rest >>= 7
        }
        base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func appendVarint(_ value: UInt32) { appendVarint(UInt64(value)) }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) {
        reserve(byteCount)
        (base + count).copyMemory(from: bytes, byteCount: byteCount)
        count += byteCount
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { if let address = $0.baseAddress { append(address, $0.count) } }
    }

    mutating func appendZeros(_ byteCount: Int) {
        reserve(byteCount)
        (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        count += byteCount
    }

    var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: base, count: count)) }
}

/// Reads numbers in sequence from memory with a known end. Past the end it reads zeros and records the overrun.
struct ByteReader {
    var at: UnsafeRawPointer
    let end: UnsafeRawPointer

    @inline(__always)
    init(_ start: UnsafeRawPointer, _ count: Int) {
        at = start
        end = start + count
    }

    @inline(__always)
    var isAtEnd: Bool { at >= end }

    @inline(__always)
    mutating func byte() -> UInt8 {
        if at >= end { return 0 }
        defer { at += 1 }
        return at.load(as: UInt8.self)
    }

    /// LEB128 of at most 32 bits; longer numbers are cut.
    @inline(__always)
    mutating func varint() -> UInt32 {
        if at >= end { return 0 }
        var byte = at.load(as: UInt8.self)
        at += 1
        if byte < 0x80 { return UInt32(byte) }
        var value = UInt32(byte & 0x7F)
        var shift: UInt32 = 7
        while shift < 35, at < end {
            byte = at.load(as: UInt8.self)
            at += 1
            value |= UInt32(byte & 0x7F) &<< shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }

    /// LEB128 of at most 64 bits.
    @inline(__always)
    mutating func varint64() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, at < end {
            let byte = at.load(as: UInt8.self)
            at += 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}
