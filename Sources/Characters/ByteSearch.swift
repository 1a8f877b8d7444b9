internal import Glibc

/// Finds bytes in bytes, at the speed of memchr(3) if the first byte is rare.
package enum ByteSearch {
    /// The offset of a pattern's first occurrence; 0 for an empty pattern.
    package static func offset(of pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let wanted = pattern.baseAddress, let first = pattern.first else { return 0 }
        guard let base = bytes.baseAddress else { return nil }
        var start = 0
        // memmem(3) needs _GNU_SOURCE; memchr(3) on the rarest position would not pay for texts of this length.
        while start + pattern.count <= bytes.count {
            guard let found = memchr(base + start, Int32(first), bytes.count - pattern.count + 1 - start) else {
                return nil
            }
            let offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + offset, wanted, pattern.count) == 0 { return offset }
            start = offset + 1
        }
        return nil
    }
}

extension Collection where Element == UInt8, Index == Int {
    /// The range of a pattern's first occurrence; `nil` if there is none. For arrays and their slices; a literal
    /// costs nothing.
    package func firstRange(ofBytes pattern: StaticString) -> Range<Int>? {
        firstRange(ofBytes: UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount))
    }

    package func firstRange(ofBytes pattern: [UInt8]) -> Range<Int>? {
        pattern.withUnsafeBufferPointer { firstRange(ofBytes: $0) }
    }

    private func firstRange(ofBytes pattern: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let found = withContiguousStorageIfAvailable { ByteSearch.offset(of: pattern, in: $0) }
        // Copies noncontiguous bytes into one piece.
        guard
            let offset = found
                ?? ContiguousArray(self).withUnsafeBufferPointer({ ByteSearch.offset(of: pattern, in: $0) })
        else { return nil }
        return startIndex + offset..<startIndex + offset + pattern.count
    }
}
