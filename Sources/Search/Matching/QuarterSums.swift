/// Frequencies of a term in one document, in quarters: the text in the low 32 bits, the title in the next 16, the
/// tags in the highest 16.
enum QuarterSums {
    /// The part of a posting with title or tags that is not from its text.
    @inline(__always)
    static func fields(_ block: borrowing PostingBlock, _ field: Int, _ quarters: UInt32) -> UInt64 {
        let sum = fields(block.titles[field], block.tags[field], quarters)
        return block.fieldOnly[field] ? sum &- UInt64(quarters) : sum
    }

    @inline(__always)
    static func fields(_ title: UInt32, _ tags: UInt32, _ quarters: UInt32) -> UInt64 {
        UInt64(min(title, 1 << 12) &* quarters) << 32 | UInt64(min(tags, 1 << 12) &* quarters) << 48
    }

    /// x of a document.
    @inline(__always)
    static func value(_ sum: UInt64, _ document: UInt32, _ norms: LengthNorms) -> Float {
        var x = norms.text(Float(Int32(truncatingIfNeeded: sum)) * 0.25, document)
        if sum >> 32 != 0 {
            x += norms.fields(
                Float(Int32(truncatingIfNeeded: sum >> 32 & 0xFFFF)) * 0.25,
                Float(Int32(truncatingIfNeeded: sum >> 48)) * 0.25, document)
        }
        return x
    }
}
