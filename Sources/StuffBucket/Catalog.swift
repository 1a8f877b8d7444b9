package import Items
package import Search

/// Answers which items there are; the one interface behind lists, search and look-ups.
package protocol Catalog: Sendable {
    /// Items that match, in order.
    func list(_ request: ListRequest) throws -> Listing
    /// Items whose link is the same as one of these (`LinkIdentity.normalized`), earliest first.
    func items(withLinks links: Set<String>) throws -> [String: [Row]]
    /// Items whose display title equals one of these after folding, live ones before trashed ones.
    func items(withTitles titles: Set<String>) throws -> [String: [Row]]
    /// Items whose id ends, or else begins, with these hexadecimal digits.
    func items(withDigits digits: String) throws -> [Row]
}

/// An item that was found, and where; small, so that a million fit into memory.
package struct Row: Hashable, Sendable {
    package let id: ItemID
    /// Relative to the library's folder.
    package let folder: String
    package let isTrashed: Bool
}

/// Which items are wanted, and how they are sorted.
package struct ListRequest: Sendable {
    package enum Order: String, CaseIterable, Sendable {
        /// Pinned first, then as `recent`.
        case overview
        /// Effective updatedAt, latest first.
        case recent
        /// createdAt, latest first.
        case newest
        /// createdAt, earliest first.
        case oldest
        /// Display title, folded.
        case title
        /// sortOrder, smallest first; without one, the seconds from 1970 to createdAt (`ManualRank`).
        case manual
    }

    package var query: Query
    package var order: Order
    package var isReversed: Bool
    package var limit: Int?
    /// Whether to wait until every change of the files has been seen.
    package var isFresh = false
    /// Makes what is to be printed of an item; a catalog that has read it anyway calls this at once, from any thread.
    package var prepare: (@Sendable (StoredItem) throws -> [UInt8])?

    package init(_ query: Query = .everything, order: Order = .overview, isReversed: Bool = false, limit: Int? = nil) {
        self.query = query
        self.order = order
        self.isReversed = isReversed
        self.limit = limit
    }
}

/// The answer to a request.
package struct Listing: Sendable {
    package var rows: [Row]
    /// What `prepare` made of the rows, for as many as fit into `Listing.preparedByteLimit`; empty, or one for each row.
    package var prepared: [[UInt8]?] = []
    /// Items that match, also beyond the limit.
    package var count: Int
    /// Items that could not be read, as sentences.
    package var faults: [String]
    /// What may be missing, as a sentence.
    package var staleness: String?

    /// 64 MiB: enough for 80,000 items in JSON. Rows beyond it are read a second time when they are printed.
    package static let preparedByteLimit = 64 << 20
}
