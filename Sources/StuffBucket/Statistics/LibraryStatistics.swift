public import Items

/// What is in a library, or in what matches a query, in numbers.
public struct LibraryStatistics: Sendable {
    /// How many items have a name.
    public struct Count: Sendable {
        /// The kind, month, tag, collection or other name that is counted.
        public let name: String
        /// How many items have it.
        public let count: Int
    }

    /// Items that match; those in the trash only if the query asks for them.
    public var items = 0
    /// Items in the trash that match the query.
    public var trashed = 0
    /// By kind, every kind.
    public var kinds: [Count] = []
    /// By month of `createdAt` in the caller's time zone as `2025-03`, earliest first, months without items too.
    public var months: [Count] = []
    /// Most frequent first.
    public var tags: [Count] = []
    /// Most frequent first, each with what is nested in it.
    public var collections: [Count] = []
    /// By the link's host without `www.`, most frequent first.
    public var sites: [Count] = []
    /// By source, most frequent first.
    public var sources: [Count] = []
    /// Links by how far their page was saved, every state.
    public var archives: [Count] = []
    /// Links by what the last check of them found, every outcome.
    public var checks: [Count] = []
    /// `nil` if it was not asked for.
    public var sizes: SizeStatistics?
    /// Items that could not be read.
    public var faults: [ItemFault] = []
    /// Why the numbers may not be right; `nil` if nothing is known against them.
    public var caveat: Caveat?
}

/// How much room items take: bytes of files, not of disk blocks.
public struct SizeStatistics: Sendable {
    /// What files are for.
    public enum Part: String, CaseIterable, Sendable {
        case text, pages, documents, snapshots, other

        /// What it is, in the plural, for a person.
        public var phrase: String {
            switch self {
            case .text: "texts and item.json"
            case .pages: "saved pages"
            case .documents: "documents"
            case .snapshots: "earlier captures"
            case .other: "other files"
            }
        }
    }

    /// Files and their bytes for each part; a part without files may be absent.
    public var parts: [Part: (files: Int, bytes: Int)] = [:]
    /// The largest items, largest first.
    public var largest: [(id: ItemID, title: String, bytes: Int)] = []
    /// Bytes of all parts.
    public var bytes: Int { parts.values.reduce(0) { $0 + $1.bytes } }
}
