/// The layout of a segment's image. SearchIndex.md § I3.5.
enum SegmentLayout {
    /// `SBINDEX` and a newline, read as a little-endian number.
    static let magic: UInt64 = 0x0A58_4544_4E49_4253
    static let version: UInt32 = 4
    static let headerByteCount = 384
    /// The number of bytes that share a checksum.
    static let pageByteCount = 4096
    /// Every section starts at a multiple of this.
    static let alignment = 8

    enum Section: Int, CaseIterable {
        /// The documents' keys, 16 bytes each.
        case keys
        /// The documents' numbers in the order of their keys, 4 bytes each.
        case keyOrder
        /// The number of words in the text and a quarter of those in the rest of the page, 4 bytes each.
        case textLengths
        /// The number of words in title and tags, 2 + 2 bytes each.
        case fieldLengths
        /// Milliseconds since 1970 plus 2⁴⁷, 6 bytes each.
        case updated
        case created
        /// For every 128th document, the latest `updated` of all before it, 8 bytes each.
        case latest
        /// Ranks in the manual order, 8 bytes each; empty if no document has one.
        case ranks
        /// The end of each document's stored bytes, 4 bytes each; empty if there are none.
        case storedEnds
        case stored
        case blockKeys
        case blockOffsets
        case blockDocuments
        case blockPositions
        case terms
        case documents
        case positions
    }

    static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }

    /// Milliseconds since 1970 as 48 bits; limited to ±4461 years.
    static func packed(_ time: Int64) -> UInt64 {
        let limit: Int64 = 1 << 47
        return UInt64(max(-limit, min(time, limit - 1)) + limit)
    }

    static func unpacked(_ bits: UInt64) -> Int64 { Int64(bits & 0xFFFF_FFFF_FFFF) - (1 << 47) }
}
