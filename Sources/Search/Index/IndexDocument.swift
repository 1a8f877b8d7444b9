/// A document for the index: its fields as bytes, its exact terms, and its sort keys.
package struct IndexDocument: Sendable {
    package var key: DocumentKey
    /// UTF-8; invalid bytes end words.
    package var title: [UInt8] = []
    /// Each tag is a separate sequence of words: no phrase spans two tags.
    package var tags: [[UInt8]] = []
    /// Each text is a separate sequence of words.
    package var texts: [[UInt8]] = []
    /// What a page shows besides its article: texts whose words weigh a quarter of those of `texts`.
    package var rest: [[UInt8]] = []
    /// The terms that filters look up.
    package var exactTerms: [ExactTerm] = []
    /// Milliseconds since 1970 UTC.
    package var created: Int64 = 0
    /// Milliseconds since 1970 UTC.
    package var updated: Int64 = 0
    /// Rank in the manual order; smallest first, infinite for none.
    package var rank: Double = .infinity
    /// Stored and returned unchanged; not searched.
    package var stored: [UInt8] = []

    package init(key: DocumentKey) { self.key = key }
}

/// The key of a document: 16 bytes, ordered as bytes.
package struct DocumentKey: Hashable, Comparable, Sendable {
    /// The first 8 bytes, big-endian.
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

/// A property that a document either has or lacks. A filter finds exactly the documents that have it.
package struct ExactTerm: Hashable, Sendable {
    /// The first byte of the term in the dictionary, below every letter and digit.
    package enum Kind: UInt8, Sendable {
        case type = 0x03
        case tag = 0x04
        /// A collection, and every collection around it.
        case collection = 0x05
        case source = 0x06
        /// A host, and every domain above it.
        case site = 0x07
        /// `is:`, `has:` or `status:` with its word.
        case property = 0x08
        /// A normalised link.
        case link = 0x09
        /// A display title.
        case title = 0x0A
        /// A language, and the languages of which it is a variant.
        case language = 0x0B
        /// The page's author.
        case author = 0x0C
    }

    package let kind: Kind
    /// At most `byteLimit` bytes; the rest of a longer value does not count.
    package let value: [UInt8]

    /// Bytes of a value that the dictionary stores.
    package static let byteLimit = 254

    package init(_ kind: Kind, _ value: some Sequence<UInt8>) {
        self.kind = kind
        self.value = Array(value.prefix(Self.byteLimit))
    }

    /// The term's bytes in the dictionary.
    var bytes: [UInt8] { [kind.rawValue] + value }
}
