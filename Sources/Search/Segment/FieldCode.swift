/// Codes how often a posting has its term in title and tags, and whether in the text: four bits for frequent cases.
///
/// SearchIndex.md § I3.7. Up to twice in each: `title + 3 · tags − 1`, and 8 more if the text lacks the term; 15 for
/// everything else.
enum FieldCode {
    /// The long form follows.
    static let long: UInt8 = 15
    /// From this number of postings on, their indices are a bitmap.
    static let bitmapCount = 16

    @inline(__always)
    static func short(_ title: UInt32, _ tags: UInt32, isFieldOnly: Bool) -> UInt8 {
        if title > 2 || tags > 2 || title | tags == 0 { return long }
        return UInt8(title + 3 * tags - 1) | (isFieldOnly ? 8 : 0)
    }

    /// The title's frequency in four bits, the tags' in three, the highest bit if the text lacks the term; then the
    /// excess over these bits, LEB128.
    static func append(_ title: UInt32, _ tags: UInt32, isFieldOnly: Bool, to out: inout ByteBuffer) {
        out.append(UInt8(min(15, title) | min(7, tags) << 4 | (isFieldOnly ? 0x80 : 0)))
        if title >= 15 { out.appendVarint(title - 15) }
        if tags >= 7 { out.appendVarint(tags - 7) }
    }

    /// Frequencies of title and tags in a short code.
    @inline(__always)
    static func frequencies(_ code: UInt8) -> (title: UInt32, tags: UInt32) {
        // One byte for each code: the title's frequency in its low half, the tags' in its high half.
        let both = UInt32(truncatingIfNeeded: 0x2221_2012_1110_0201 as UInt64 >> UInt64(8 * (code & 7)))
        return (both & 15, both >> 4 & 15)
    }
}
