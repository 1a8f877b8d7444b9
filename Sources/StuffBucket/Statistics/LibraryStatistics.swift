package import Items

/// What is in a library, or in what matches a query, in numbers.
package struct LibraryStatistics: Sendable {
    package struct Count: Sendable {
        package let name: String
        package let count: Int
    }

    /// Items that match; those in the trash only if the query asks for them.
    package var items = 0
    package var trashed = 0
    /// By kind, every kind.
    package var kinds: [Count] = []
    /// By month of `createdAt` in the caller's time zone as `2025-03`, earliest first, months without items too.
    package var months: [Count] = []
    /// Most frequent first.
    package var tags: [Count] = []
    /// Most frequent first, each with what is nested in it.
    package var collections: [Count] = []
    /// By the link's host without `www.`, most frequent first.
    package var sites: [Count] = []
    /// By source, most frequent first.
    package var sources: [Count] = []
    /// Links by how far their page was saved, every state.
    package var archives: [Count] = []
    /// Links by what the last check of them found, every outcome.
    package var checks: [Count] = []
    /// `nil` if it was not asked for.
    package var sizes: SizeStatistics?
    /// Items that could not be read.
    package var faults: [ItemFault] = []
    package var caveat: Caveat?
}

/// How much room items take: bytes of files, not of disk blocks.
package struct SizeStatistics: Sendable {
    /// What files are for.
    package enum Part: String, CaseIterable, Sendable {
        case text, pages, documents, snapshots, other

        package var phrase: String {
            switch self {
            case .text: "texts and item.json"
            case .pages: "saved pages"
            case .documents: "documents"
            case .snapshots: "earlier captures"
            case .other: "other files"
            }
        }
    }

    package var parts: [Part: (files: Int, bytes: Int)] = [:]
    /// The largest items, largest first.
    package var largest: [(id: ItemID, title: String, bytes: Int)] = []
    package var bytes: Int { parts.values.reduce(0) { $0 + $1.bytes } }
}
