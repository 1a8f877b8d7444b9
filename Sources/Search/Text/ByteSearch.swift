internal import Glibc

/// Finds bytes in bytes.
enum ByteSearch {
    static func contains(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool {
        if pattern.isEmpty { return true }
        // memmem(3) needs _GNU_SOURCE; memchr(3) on the rarest position would not pay for texts of this length.
        return bytes.withUnsafeBufferPointer { haystack in
            pattern.withUnsafeBufferPointer { needle in
                var start = 0
                while start + needle.count <= haystack.count {
                    guard let base = haystack.baseAddress, let wanted = needle.baseAddress, let first = needle.first,
                        let found = memchr(base + start, Int32(first), haystack.count - needle.count + 1 - start)
                    else { return false }
                    let offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                    if memcmp(base + offset, wanted, needle.count) == 0 { return true }
                    start = offset + 1
                }
                return false
            }
        }
    }
}
