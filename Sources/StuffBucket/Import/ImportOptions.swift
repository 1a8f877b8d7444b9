public import Exchange
public import Items

/// The options of an import, besides the files.
public struct ImportOptions: Sendable {
    /// Tags and `collection:` tags that every item gets.
    public var tags: [String] = []
    /// Whether to save the pages of links.
    public var isArchived = false
    /// Whether items in the trash are ignored.
    public var ignoresTrash = false
    /// Whether to report the outcomes without writing anything.
    public var isDryRun = false

    /// Makes the default options.
    public init() {}
}

/// The outcome for one entry.
public enum ImportOutcome: Sendable {
    case new
    /// The library or the same file already has the entry; something was added to the item.
    case merged
    /// The source has changed the entry's link since the last import, and the item took it over. `from` is the old
    /// link.
    case moved(from: String)
    /// The library already has the entry unchanged.
    case same
    case skipped(ImportReason)

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
    /// The entry's link as the file gives it; `nil` for none.
    public let url: String?
    /// The entry's title; `nil` for none.
    public let title: String?
    /// The item that the entry became or was merged into; `nil` if it was left out, and for a remark that comes before the
    /// entry's own line. In a dry run, a new item's id is not that of a later import.
    public internal(set) var item: ItemID?
    /// The outcome of the entry. For a remark, `skipped` with the text of the remark.
    public let outcome: ImportOutcome
    /// Whether the entry was imported, and this line is only about a part of it.
    public var isRemark = false
}

/// The number of entries for each outcome.
public struct ImportCounts: Sendable, Equatable {
    /// Entries that became new items.
    public var new = 0
    /// Entries that added something to an item.
    public var merged = 0
    /// Entries whose item took over another link.
    public var moved = 0
    /// Entries that the library already has unchanged.
    public var same = 0
    /// Entries that were left out or could not be read.
    public var skipped = 0
    /// Collections that got a file.
    public var collections = 0
    /// Folders whose name is not allowed as the source spells it, so that their collection has another.
    public var renamedFolders = 0
    /// Lost or changed parts of imported entries.
    public var notes = 0
    /// How often columns, keys and attributes were left out, by name.
    public var untaken: [String: Int] = [:]
    /// How often columns, keys and attributes were kept as the source's own fields, by name.
    public var kept: [String: Int] = [:]

    /// Further names are counted together.
    private static let nameLimit = 1000

    /// Makes counts of zero.
    public init() {}

    /// All entries, with any outcome.
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
