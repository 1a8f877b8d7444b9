internal import Glibc

/// The parts of a reader.html that are not the article: the line with author, date and site, and the last line.
///
/// Each part is between two comments, so that search ignores words that every page contains, such as "locally". See
/// FORMAT.md § 8.2. The text of an article cannot contain the comments, because every `<` of it is written as a
/// reference.
package enum ReaderFrame {
    package static let start = "<!--sbfs:frame-->"
    package static let end = "<!--/sbfs:frame-->"

    /// A page without its frame and the comments around it. A frame without an end counts as text, so that no text is
    /// lost.
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
