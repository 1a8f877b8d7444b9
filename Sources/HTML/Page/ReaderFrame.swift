internal import Glibc

/// What a reader.html says besides the article: its line of author, date and site, and its last line.
///
/// Each stands between two comments, so that what is said of every page is not searched: else "locally" would find them
/// all. FORMAT.md § 8.2. Text of an article cannot hold the comments, since every `<` of it is written as a reference.
package enum ReaderFrame {
    package static let start = "<!--sbfs:frame-->"
    package static let end = "<!--/sbfs:frame-->"

    /// A page without its frame, marks included. One that was not closed is taken for text, so that none gets lost.
    package static func removed(from page: [UInt8]) -> [UInt8] {
        let start = Array(Self.start.utf8)
        let end = Array(Self.end.utf8)
        return page.withUnsafeBufferPointer { bytes in
            var output: [UInt8] = []
            var copied = 0
            while let found = place(of: start, in: bytes, from: copied),
                let close = place(of: end, in: bytes, from: found + start.count)
            {
                output += bytes[copied..<found]
                copied = close + end.count
            }
            return copied == 0 ? page : output + bytes[copied...]
        }
    }

    private static func place(of mark: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var at = start
        while bytes.count - at >= mark.count, let found = memchr(base + at, Int32(mark[0]), bytes.count - at) {
            at = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if bytes.count - at >= mark.count, memcmp(found, mark, mark.count) == 0 { return at }
            at += 1
        }
        return nil
    }
}
