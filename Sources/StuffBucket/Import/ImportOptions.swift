public import Exchange

/// The options of an import, besides the files.
public struct ImportOptions: Sendable {
    /// Tags and `collection:` tags that every item gets.
    public var tags: [String] = []
    /// Whether to save the pages of links.
    public var isArchived = false
    /// Whether items in the trash are treated as if they did not exist.
    public var ignoresTrash = false
    /// Whether to write nothing and only report what the outcomes would be.
    public var isDryRun = false

    /// Makes options that ask for nothing beyond the import.
    public init() {}
}

/// What became of one entry.
public enum ImportOutcome: Sendable, Equatable {
    case new
    /// The library, or the file itself, had it already; something was added to it.
    case merged
    /// The source has changed the entry's link since the last import, and the item took it. `from` is the old link.
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
    /// The position of the entry in the imported data.
    public let place: ImportPlace
    /// The entry's link as the file has it; `nil` where it has none.
    public let url: String?
    /// The entry's title; `nil` where it has none.
    public let title: String?
    /// The outcome of the entry. For a remark, `skipped` with the text of the remark.
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
