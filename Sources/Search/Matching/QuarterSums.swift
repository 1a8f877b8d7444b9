/// Frequencies of a term in one document: in sixteenths in the text (the low 32 bits), in quarters in the title (the next
/// 16) and the tags (the highest 16).
enum QuarterSums {
    /// The part of a posting from its text, as if nothing of that were in the rest of the page.
    @inline(__always)
    static func text(_ frequency: UInt32, _ quarters: UInt32) -> UInt64 { UInt64(frequency &* quarters &<< 2) }

    /// The part of a posting with title, tags or the rest of the page that is not from its text.
    @inline(__always)
    static func fields(_ block: borrowing PostingBlock, _ field: Int, _ quarters: UInt32) -> UInt64 {
        let sum = fields(block.titles[field], block.tags[field], quarters)
        if block.fieldOnly[field] { return sum &- text(1, quarters) }
        return sum &- rest(block.rests[field], quarters)
    }

    @inline(__always)
    static func fields(_ title: UInt32, _ tags: UInt32, _ quarters: UInt32) -> UInt64 {
        UInt64(min(title, 1 << 12) &* quarters) << 32 | UInt64(min(tags, 1 << 12) &* quarters) << 48
    }

    /// All of a posting.
    @inline(__always)
    static func all(_ found: Frequencies, _ quarters: UInt32) -> UInt64 {
        (text(found.text, quarters) &- rest(found.rest, quarters)) | fields(found.title, found.tags, quarters)
    }

    /// What the occurrences in the rest of the page count less than others.
    @inline(__always)
    private static func rest(_ frequency: UInt32, _ quarters: UInt32) -> UInt64 { UInt64(frequency &* quarters &* 3) }

    /// x of a document.
    @inline(__always)
    static func value(_ sum: UInt64, _ document: UInt32, _ norms: LengthNorms) -> Float {
        var x = norms.text(Float(Int32(truncatingIfNeeded: sum)) * 0.0625, document)
        if sum >> 32 != 0 {
            x += norms.fields(
                Float(Int32(truncatingIfNeeded: sum >> 32 & 0xFFFF)) * 0.25,
                Float(Int32(truncatingIfNeeded: sum >> 48)) * 0.25, document)
        }
        return x
    }
}
