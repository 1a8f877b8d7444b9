internal import Files
public import Items
public import Search

/// The items that were asked for, with what a person should know about the answer.
public struct ItemAnswer: Sendable {
    /// An item that matches.
    public struct Hit: Sendable {
        public let row: Row
        /// BM25F; 0 where hits are sorted otherwise.
        public var score = 0.0
        /// How the score came about, if asked for.
        public var explanation: ScoreExplanation?
    }

    public var hits: [Hit] = []
    /// Items that match, also beyond the limit.
    public var count = 0
    /// `nil` if they were not asked for, and where there is no index.
    public var facets: Facets?
    /// Queries within one edit that would match, where nothing did.
    public var corrections: [String] = []
    public var caveat: Caveat?
    /// Items that could not be read, in the order of their folders.
    public var faults: [ItemFault] = []

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
    public var description: String { cause.description }
}

extension ItemFault: Comparable {
    public static func == (a: ItemFault, b: ItemFault) -> Bool {
        a.folder == b.folder && a.description == b.description
    }

    public static func < (a: ItemFault, b: ItemFault) -> Bool {
        (a.description, a.folder) < (b.description, b.folder)
    }
}
