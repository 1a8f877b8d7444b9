/// How much is stored about a term's occurrences; the first byte of the term decides.
enum PostingDetail: Int, Comparable {
    /// The documents that contain it: exact terms.
    case documents
    /// The documents, and the frequencies by field: parts of tokens, and lists of frequent prefixes.
    case frequencies
    /// The documents, the frequencies and the positions: plain tokens and bigrams.
    case positions

    /// First bytes of terms that are not plain tokens.
    static let prefixMark: UInt8 = 0x00
    static let partMark: UInt8 = 0x01
    static let bigramMark: UInt8 = 0x02

    init(firstByte: UInt8) {
        switch firstByte {
        case Self.prefixMark, Self.partMark: self = .frequencies
        case 0x03...0x1F: self = .documents
        default: self = .positions
        }
    }

    static func < (a: PostingDetail, b: PostingDetail) -> Bool { a.rawValue < b.rawValue }
}

/// How often a term occurs in a document, by field.
struct Frequencies: Equatable {
    /// In the texts and in the rest of the page.
    var text: UInt32
    var title: UInt32
    var tags: UInt32
    /// How many of those in the text are in the rest of the page: the last ones.
    var rest: UInt32 = 0
}
