public import Items

/// Numbers about a library, or about the matches of a query.
public struct LibraryStatistics: Sendable {
    /// The number of items with a name.
    public struct Count: Sendable {
        /// The kind, month, tag, collection or other name that is counted.
        public let name: String
        /// The number of items with it.
        public let count: Int
    }

    /// Matching items, without the trash unless the query asks for it.
    public var items = 0
    /// Items in the trash that match the query.
    public var trashed = 0
    /// One count for each kind.
    public var kinds: [Count] = []
    /// By month of `createdAt` in the caller's time zone, such as `2025-03`, earliest first, including months without
    /// items.
    public var months: [Count] = []
    /// Most frequent first.
    public var tags: [Count] = []
    /// Most frequent first; each includes its nested collections.
    public var collections: [Count] = []
    /// By the link's host without `www.`, most frequent first.
    public var sites: [Count] = []
    /// By source, most frequent first.
    public var sources: [Count] = []
    /// Links by how completely their page was saved, one count for each state.
    public var archives: [Count] = []
    /// Links by the result of their last check, one count for each result.
    public var checks: [Count] = []
    /// `nil` if not requested.
    public var sizes: SizeStatistics?
    /// Items that could not be read.
    public var faults: [ItemFault] = []
    /// Why the numbers may be wrong; `nil` if no reason is known.
    public var caveat: Caveat?
}

/// The sizes of items, in bytes of files, not of disk blocks.
public struct SizeStatistics: Sendable {
    /// The purpose of a file.
    public enum Part: String, CaseIterable, Sendable {
        case text, pages, documents, snapshots, other

        /// The name of the part for a person, in the plural.
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

    /// The number of files and their bytes for each part; a part without files may be absent.
    public var parts: [Part: (files: Int, bytes: Int)] = [:]
    /// The largest items, largest first.
    public var largest: [(id: ItemID, title: String, bytes: Int)] = []
    /// The bytes of all parts together.
    public var bytes: Int { parts.values.reduce(0) { $0 + $1.bytes } }
}
