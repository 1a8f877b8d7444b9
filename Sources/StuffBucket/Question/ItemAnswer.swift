internal import Files
public import Items
public import Search

/// The items that a request found, and notices about the answer.
public struct ItemAnswer: Sendable {
    /// An item that matches.
    public struct Hit: Sendable {
        /// The item and its folder.
        public let row: Row
        /// The BM25F score; 0 in any other order.
        public var score = 0.0
        /// How the score was computed; `nil` unless requested.
        public var explanation: ScoreExplanation?
    }

    /// In the requested order, at most as many as the limit.
    public var hits: [Hit] = []
    /// The number of matches, including those beyond the limit.
    public var count = 0
    /// `nil` if none were requested, and without an index.
    public var facets: Facets?
    /// Queries within an edit distance of one that would match, if the request matched nothing.
    public var corrections: [String] = []
    /// Why the answer may be incomplete or in another order; `nil` if no reason is known.
    public var caveat: Caveat?
    /// Items that could not be read, in the order of their folders.
    public var faults: [ItemFault] = []

    /// The items of the hits, in their order.
    public var rows: [Row] { hits.map(\.row) }
}

/// Why an answer may be incomplete or in another order.
public enum Caveat: Hashable, Sendable {
    /// The index was compared with the files this many seconds ago. Later changes of other programs may be missing; a
    /// comparison has begun.
    case behind(seconds: Int)
    /// There is no index now, so the files were read. The latest change comes first instead of the best match.
    case unranked

    /// A word that names the case. It stays in later versions.
    public var code: String {
        switch self {
        case .behind: "behind"
        case .unranked: "unranked"
        }
    }
}

/// An item that cannot be read.
public struct ItemFault: Error, Sendable {
    /// Relative to the library's folder.
    public let folder: String
    /// Why the item cannot be read.
    public let cause: ItemError

    /// - Throws: the error, if it is not about an item.
    init(_ folder: String, _ error: any Error) throws {
        self.folder = folder
        switch error {
        case let error as ItemError: cause = error
        case let error as FileError: cause = .file(error)
        default: throw error
        }
    }
}

extension ItemFault: CustomStringConvertible {
    /// The cause as a sentence for a person; it need not contain `folder`.
    public var description: String { cause.description }
}

extension ItemFault: Comparable {
    /// Whether folder and description are equal.
    public static func == (a: ItemFault, b: ItemFault) -> Bool {
        a.folder == b.folder && a.description == b.description
    }

    /// Sorts by description, then by folder.
    public static func < (a: ItemFault, b: ItemFault) -> Bool {
        (a.description, a.folder) < (b.description, b.folder)
    }
}
