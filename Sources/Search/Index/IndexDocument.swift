/// What the index is given of a document: its fields as bytes, its exact terms, and what it is sorted by.
package struct IndexDocument: Sendable {
    package var key: DocumentKey
    /// UTF-8; invalid bytes end words.
    package var title: [UInt8] = []
    /// Each one a sequence of words of its own: no phrase runs from one to the next.
    package var tags: [[UInt8]] = []
    /// Each one a sequence of words of its own.
    package var texts: [[UInt8]] = []
    /// What filters look for.
    package var exactTerms: [ExactTerm] = []
    /// Milliseconds since 1970 UTC.
    package var created: Int64 = 0
    /// Milliseconds since 1970 UTC.
    package var updated: Int64 = 0
    /// Rank in the manual order; smallest first, infinite for none.
    package var rank: Double = .infinity
    /// Kept and handed back as it is; not searched.
    package var stored: [UInt8] = []

    package init(key: DocumentKey) { self.key = key }
}

/// Names a document: 16 bytes, ordered like them.
package struct DocumentKey: Hashable, Comparable, Sendable {
    /// Big-endian halves.
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (a: DocumentKey, b: DocumentKey) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }
}

/// A property that a document has or has not; a filter finds exactly the documents that have it.
package struct ExactTerm: Hashable, Sendable {
    /// First byte of the term in the dictionary: below every letter and digit.
    package enum Kind: UInt8, Sendable {
        case type = 0x03
        case tag = 0x04
        /// A collection, and every one that it is nested in.
        case collection = 0x05
        case source = 0x06
        /// A host, and every domain above it.
        case site = 0x07
        /// `is:`, `has:` and `status:` with their word.
        case property = 0x08
        /// A link in normal form.
        case link = 0x09
        /// A display title.
        case title = 0x0A
        /// A language, and what its tag is a variant of.
        case language = 0x0B
        /// The page's author.
        case author = 0x0C
    }

    package let kind: Kind
    /// At most `byteLimit` bytes: what is after them does not count.
    package let value: [UInt8]

    /// Bytes of a value that the dictionary has.
    package static let byteLimit = 254

    package init(_ kind: Kind, _ value: some Sequence<UInt8>) {
        self.kind = kind
        self.value = Array(value.prefix(Self.byteLimit))
    }

    /// The term's bytes in the dictionary.
    var bytes: [UInt8] { [kind.rawValue] + value }
}
