public import Exchange

/// What a person asks of an import, beside the files.
public struct ImportOptions: Sendable {
    /// Tags and `collection:` tags that every item gets.
    public var tags: [String] = []
    /// Whether the pages of links are to be saved.
    public var isArchived = false
    /// Whether items in the trash are met as if they were not there.
    public var ignoresTrash = false
    /// Nothing is written; outcomes are told as if.
    public var isDryRun = false

    /// Makes options that ask for nothing beyond the import.
    public init() {}
}

/// What became of one entry.
public enum ImportOutcome: Sendable, Equatable {
    case new
    /// The library, or the file itself, had it already; something was added to it.
    case merged
    /// Its source gave it another link since the last import, and the item took it; this one it had before.
    case moved(from: String)
    /// The library has it as it is.
    case same
    case skipped(String)

    /// The outcome in one word, for a report.
    public var word: String {
        switch self {
        case .new: "new"
        case .merged: "merged"
        case .moved: "moved"
        case .same: "same"
        case .skipped: "skipped"
        }
    }
}

/// One line of an import's report.
public struct ImportReportLine: Sendable {
    /// Where the entry stands in what is imported.
    public let place: ImportPlace
    /// The entry's link as the file has it; `nil` where it has none.
    public let url: String?
    /// The entry's title; `nil` where it has none.
    public let title: String?
    /// What became of the entry; of a remark, `skipped` with what there is to say.
    public let outcome: ImportOutcome
    /// Whether the entry was taken, and this is only about a part of it.
    public var isRemark = false
}

/// How many entries became what.
public struct ImportCounts: Sendable, Equatable {
    /// Entries that became new items.
    public var new = 0
    /// Entries that added something to an item.
    public var merged = 0
    /// Entries whose item took another link.
    public var moved = 0
    /// Entries that the library has as they are.
    public var same = 0
    /// Entries that were not taken, or could not be read.
    public var skipped = 0
    /// Collections that got a file of their own.
    public var collections = 0
    /// Parts that were lost or changed of entries that were taken.
    public var notes = 0
    /// Of columns, keys and attributes that were not taken, by their names.
    public var untaken: [String: Int] = [:]
    /// Of those that were kept among the source's own fields.
    public var kept: [String: Int] = [:]

    /// More names than these are counted together.
    private static let nameLimit = 1000

    /// Makes counts of nothing.
    public init() {}

    /// All entries, whatever became of them.
    public var total: Int { new + merged + moved + same + skipped }

    mutating func add(_ outcome: ImportOutcome) {
        switch outcome {
        case .new: new += 1
        case .merged: merged += 1
        case .moved: moved += 1
        case .same: same += 1
        case .skipped: skipped += 1
        }
    }

    mutating func addUntaken(_ name: String) { Self.add(name, to: &untaken) }
    mutating func addKept(_ name: String) { Self.add(name, to: &kept) }

    private static func add(_ name: String, to counts: inout [String: Int]) {
        let name = counts[name] != nil || counts.count < nameLimit ? name : "others"
        counts[name, default: 0] += 1
    }
}
