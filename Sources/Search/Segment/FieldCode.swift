/// Codes how often a posting has its term in title, tags and the rest of the page, and whether in the text: four bits for
/// frequent cases.
///
/// SearchIndex.md § I3.7. Up to twice in title and tags: `title + 3 · tags − 1`, and 8 more if the text lacks the term. 14
/// if all occurrences are in the rest of the page; 15 for everything else.
enum FieldCode {
    /// All occurrences are in the rest of the page.
    static let restOnly: UInt8 = 14
    /// The long form follows.
    static let long: UInt8 = 15
    /// From this number of postings on, their indices are a bitmap.
    static let bitmapCount = 16

    @inline(__always)
    static func short(_ found: Frequencies) -> UInt8 {
        if found.title | found.tags == 0 { return found.rest == found.text ? restOnly : long }
        if found.title > 2 || found.tags > 2 || found.rest > 0 { return long }
        let code = UInt8(found.title + 3 * found.tags - 1) | (found.text == 0 ? 8 : 0)
        return code == restOnly ? long : code
    }

    /// The title's frequency in three bits, the tags' in three, a bit if some occurrences are in the rest of the page, the
    /// highest bit if the text lacks the term; then the excess over these bits and the occurrences in the rest, LEB128.
    static func append(_ found: Frequencies, to out: inout ByteBuffer) {
        out.append(
            UInt8(
                min(mostBits, found.title) | min(mostBits, found.tags) << 3 | (found.rest > 0 ? 0x40 : 0)
                    | (found.text == 0 ? 0x80 : 0)))
        if found.title >= mostBits { out.appendVarint(found.title - mostBits) }
        if found.tags >= mostBits { out.appendVarint(found.tags - mostBits) }
        if found.rest > 0 { out.appendVarint(found.rest) }
    }

    /// The largest frequency of title and tags in the long form's first byte; it says that more follows.
    static let mostBits: UInt32 = 7

    /// Frequencies of title and tags in a short code.
    @inline(__always)
    static func frequencies(_ code: UInt8) -> (title: UInt32, tags: UInt32) {
        // One byte for each code: the title's frequency in its low half, the tags' in its high half.
        let both = UInt32(truncatingIfNeeded: 0x2221_2012_1110_0201 as UInt64 >> UInt64(8 * (code & 7)))
        return (both & 15, both >> 4 & 15)
    }
}
