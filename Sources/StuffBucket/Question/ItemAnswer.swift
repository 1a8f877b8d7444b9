internal import Files
public import Items
public import Search

/// The items that were asked for, with what a person should know about the answer.
public struct ItemAnswer: Sendable {
    /// An item that matches.
    public struct Hit: Sendable {
        /// The item, and where it lies.
        public let row: Row
        /// BM25F; 0 where hits are sorted otherwise.
        public var score = 0.0
        /// How the score came about, if asked for.
        public var explanation: ScoreExplanation?
    }

    /// In the order that was asked for, at most as many as the limit.
    public var hits: [Hit] = []
    /// Items that match, also beyond the limit.
    public var count = 0
    /// `nil` if they were not asked for, and where there is no index.
    public var facets: Facets?
    /// Queries within one edit that would match, where nothing did.
    public var corrections: [String] = []
    /// Why the answer may not be what was asked for; `nil` if nothing is known against it.
    public var caveat: Caveat?
    /// Items that could not be read, in the order of their folders.
    public var faults: [ItemFault] = []

    /// The items of the hits, in their order.
    public var rows: [Row] { hits.map(\.row) }
}

/// Why an answer may not be what was asked for.
public enum Caveat: Hashable, Sendable {
    /// The index was compared with the files so many seconds ago. What other programs changed since may be missing; it is
    /// looked for now.
    case behind(seconds: Int)
    /// There is no index now, so the files were read, and the latest change comes first instead of the best match.
    case unranked
}

/// An item that cannot be read.
public struct ItemFault: Error, Sendable {
    /// Relative to the library's folder.
    public let folder: String
    /// Why the item cannot be read.
    public let cause: ItemError

    /// - Throws: an error that says nothing of an item.
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
    /// What the cause says, for a person; `folder` need not be in it.
    public var description: String { cause.description }
}

extension ItemFault: Comparable {
    /// Whether folder and description are the same.
    public static func == (a: ItemFault, b: ItemFault) -> Bool {
        a.folder == b.folder && a.description == b.description
    }

    /// Sorts by description, then by folder.
    public static func < (a: ItemFault, b: ItemFault) -> Bool {
        (a.description, a.folder) < (b.description, b.folder)
    }
}
