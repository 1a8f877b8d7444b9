/// Upper bounds of x for one prefix: for each range of a segment's documents, the largest x of any of them. The
/// frequencies are those of all tokens with the prefix together. SearchIndex.md § I3.6.
struct RangeBounds {
    /// A range has 2^shift documents.
    let shift: Int
    private let unit: Float
    private let steps: UnsafeRawPointer

    private static let headerByteCount = 5
    private static let stepCount: Float = 255

    /// The smallest ranges in a segment: at least 256 documents each, and at most 2,048 ranges.
    static func smallestShift(documentCount: Int) -> Int {
        var shift = 8
        while (documentCount - 1) >> shift >= 2048 { shift += 1 }
        return shift
    }

    /// Ranges that contain at least 32 documents with the prefix, if these are evenly distributed.
    static func shift(documentCount: Int, beginningCount: Int) -> Int {
        var shift = smallestShift(documentCount: documentCount)
        while (documentCount - 1) >> shift >= max(1, beginningCount / 32) { shift += 1 }
        return shift
    }

    static func rangeCount(documentCount: Int, shift: Int) -> Int { (documentCount - 1) >> shift + 1 }

    /// - Parameter largest: the largest x of each range; 0 for a range without documents with the prefix.
    static func bytes(_ largest: [Float], shift: Int) -> [UInt8] {
        let top = (largest.max() ?? 0) * 1.00001
        var out = ByteBuffer(capacity: headerByteCount + largest.count)
        out.append(UInt8(shift))
        out.append(top.bitPattern)
        for x in largest { out.append(UInt8(min(stepCount, (x / top * stepCount).rounded(.up)))) }
        return out.bytes
    }

    /// - Returns: `nil` if the bytes do not describe this number of documents.
    init?(_ bytes: UnsafeRawPointer, _ byteCount: Int, documentCount: Int) {
        if byteCount <= Self.headerByteCount || documentCount < 1 { return nil }
        shift = Int(bytes.load(as: UInt8.self))
        let top = Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
        if shift < 6 || shift > 31 || !top.isFinite || top < 0
            || byteCount != Self.headerByteCount + Self.rangeCount(documentCount: documentCount, shift: shift)
        {
            return nil
        }
        unit = top / Self.stepCount * 1.00001
        steps = bytes + Self.headerByteCount
    }

    @inline(__always)
    subscript(range: Int) -> Float { Float(steps.load(fromByteOffset: range, as: UInt8.self)) * unit }
}
