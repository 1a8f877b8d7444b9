public import Items

/// What joining another copy of the library did, or would do.
public struct MergeReport: Sendable {
    /// Items that only the other copy had.
    public internal(set) var added: [ItemID] = []
    /// Items that differed, and now have the edits of both.
    public internal(set) var joined: [ItemID] = []
    /// The number of items that were equal in both.
    public internal(set) var sameCount = 0
    /// Items that stayed as they are, because the other copy has nothing that is not known here. It lacks some of it.
    public internal(set) var newer: [ItemID] = []
    /// Of the joined ones, those with conflicts.
    public internal(set) var conflicted: [ItemID] = []
    /// The number of conflicts in each of `conflicted`.
    var conflictCounts: [ItemID: Int] = [:]
    /// The number of conflicts in the joined items.
    public var conflictCount: Int { conflictCounts.values.reduce(0, +) }
    /// Items of the other copy that were purged here, and stay away.
    public internal(set) var purgedHere: [ItemID] = []
    /// Items that were purged in the other copy, and go here.
    public internal(set) var purgedThere: [ItemID] = []
    /// Files of collections/, tags/ and smart/ that came or were joined: paths relative to the library's folder.
    public internal(set) var smallFiles: [String] = []
    /// Lost documents, beside the document that stands. Paths relative to the library's folder.
    public internal(set) var kept: [String] = []
    /// Files and folders at the top of the other copy that belong to no library, and that are not here or differ: a person put
    /// them there, and they stay there. Names, sorted; a folder that both have is not looked into.
    public internal(set) var ownFiles: [String] = []
    /// What stayed as it is here, and why.
    public internal(set) var left: [Left] = []

    /// Something of the other copy that was not taken.
    public struct Left: Sendable {
        /// Relative to the library's folder.
        public let path: String
        /// Why it was not taken.
        public let reason: Reason

        init(_ path: String, _ reason: Reason) {
            self.path = path
            self.reason = reason
        }
    }

    /// Why something of the other copy was not taken.
    public enum Reason: Sendable {
        /// The item cannot be read, here or there, or an error stopped its join.
        case fault(ItemError)
        /// A file of the page or the document is damaged, here or in the other copy, and counts as no edit: the item is not joined.
        case damaged(isHere: Bool)
        /// The other state is older than every version here.
        case older
        /// Both have a file of the person's own with this path, and they differ.
        case differs
        /// Keys of a file of collections/, tags/ or smart/ have two values that were set without each other; the later one stands.
        case newerStands(keys: [String])
        /// A name of collections/, tags/ or smart/ was deleted in one copy, and the other one has an older state of it than the
        /// deleted one, or the deletion does not say which: it stays deleted.
        case deletionStands
        /// The item has a key that no version can hold.
        case noVersions
        /// What both copies have would make an item.json or a text above its limit, or one that is no item.
        case unusable
        /// An entry that sbfs does not take from elsewhere.
        case leftOut(LeftOut.Reason)
        /// Files wait in the other copy's inbox.
        case inbox(count: Int)
    }

    /// Whether the two copies hold the same, as far as this one could tell.
    public var hasNothing: Bool {
        added.isEmpty && joined.isEmpty && purgedThere.isEmpty && smallFiles.isEmpty
    }

    init() {}

    /// Removes what the report of the first direction says already: which values of a small file stand.
    mutating func leaveOut(toldBy first: MergeReport) {
        func isOfBoth(_ left: Left) -> Bool {
            switch left.reason {
            case .newerStands, .deletionStands: true
            default: false
            }
        }
        let told = Set(first.left.filter(isOfBoth).map(\.path))
        left.removeAll { isOfBoth($0) && told.contains($0.path) }
    }

    /// Adds what joining another part of the same copy did.
    mutating func add(_ other: MergeReport) {
        func unite<Name: Hashable>(_ list: inout [Name], _ more: [Name], besides others: [Name] = []) {
            var known = Set(list).union(others)
            list += more.filter { known.insert($0).inserted }
        }
        unite(&added, other.added)
        unite(&joined, other.joined, besides: added)
        sameCount += other.sameCount
        unite(&newer, other.newer)
        unite(&conflicted, other.conflicted)
        conflictCounts.merge(other.conflictCounts) { $1 }
        unite(&purgedHere, other.purgedHere)
        unite(&purgedThere, other.purgedThere)
        unite(&smallFiles, other.smallFiles)
        // What was tried once more says the latest reason.
        let again = Set(other.left.map(\.path))
        if !again.isEmpty { left.removeAll { again.contains($0.path) } }
        left += other.left
    }
}

/// A join that an error ended. What is joined stays, and the next join goes on with the rest.
public struct MergeStopped: Error, CustomStringConvertible {
    /// The folder of the library that was being changed.
    public let path: String
    /// What was joined before.
    public let report: MergeReport
    /// Why it ended: an `ItemError` or a `FileError`.
    public let cause: any Error

    /// The cause and the number of items that were joined before, for a person.
    public var description: String {
        "\(path): \(report.added.count + report.joined.count) items were joined, then: \(cause)"
    }
}

/// Why another folder cannot be joined.
public enum MergeRefusal: Error, Sendable, CustomStringConvertible {
    /// It is the library itself, or inside of it, or around it.
    case sameFolder(path: String)
    /// There is no library in the folder.
    case noLibrary(path: String)
    /// It is another library: the two have different ids.
    case otherLibrary(path: String)
    /// Another process joins copies of this library.
    case isBusy

    /// The refusal, for a person.
    public var description: String {
        switch self {
        case .sameFolder(let path): "\(path) is this library, or one of the two lies in the other"
        case .noLibrary(let path): "\(path) is no copy of a library: there is no library.json"
        case .otherLibrary(let path): "\(path) is another library, not a copy of this one"
        case .isBusy: "another process joins copies of this library"
        }
    }
}
