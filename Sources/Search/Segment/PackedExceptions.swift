/// Exceptions of a packed array by rising index. Behind the last one are some that are never reached.
struct PackedExceptions: ~Copyable {
    private static let capacity = 128
    private let indices = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    /// The bits above the width.
    private let highs = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)

    init() {
        indices.initialize(repeating: .max, count: Self.capacity)
    }

    deinit {
        indices.deallocate()
        highs.deallocate()
    }

    /// No exception before this place is at or after `passed`.
    private var next = 0
    private var passed = 0

    /// - Parameter count: at most `PackedArray.exceptionLimit`, which is below the capacity.
    mutating func read(_ count: Int, from bytes: ByteReader) {
        var reader = bytes
        var index: Int32 = -1
        (next, passed) = (0, 0)
        for place in 0..<count {
            // Nearly all of both numbers take one byte each.
            let both = reader.end - reader.at >= 2 ? reader.at.loadUnaligned(as: UInt16.self) : 0x8080
            if both & 0x8080 == 0 {
                index &+= Int32(both & 0xFF)
                highs[place] = UInt32(both >> 8)
                reader.at += 2
            } else {
                index &+= Int32(truncatingIfNeeded: reader.varint())
                highs[place] = reader.varint()
            }
            indices[place] = index
        }
        (indices + count).update(repeating: .max, count: Self.capacity - count)
    }

    /// Finds the first exception at or after `first`. Parts of an array are mostly read in rising order.
    @inline(__always)
    private mutating func seek(_ first: Int) {
        if first < passed { next = 0 }
        passed = first
        while Int(indices[next]) < first { next &+= 1 }
    }

    /// Adds the bits above `width` to numbers `first ..< first + wanted`.
    @inline(__always)
    mutating func patch(_ first: Int, _ wanted: Int, _ width: UInt32, _ out: UnsafeMutablePointer<UInt32>) {
        seek(first)
        var at = next
        let end = first &+ wanted
        // The last place has no exception: its index is not below any end.
        while Int(indices[at]) < end {
            let index = Int(indices[at]) &- first
            if index >= 0 { out[index] |= highs[at] &<< width }
            at &+= 1
        }
    }
}
