package import Exchange

/// What a person asks of an import, beside the files.
package struct ImportOptions: Sendable {
    /// Tags and `collection:` tags that every item gets.
    package var tags: [String] = []
    /// Whether the pages of links are to be saved.
    package var isArchived = false
    /// Whether items in the trash are met as if they were not there.
    package var ignoresTrash = false
    /// Nothing is written; outcomes are told as if.
    package var isDryRun = false

    package init() {}
}

/// What became of one entry.
package enum ImportOutcome: Sendable, Equatable {
    case new
    /// The library, or the file itself, had it already; something was added to it.
    case merged
    /// Its source gave it another link since the last import, and the item took it; this one it had before.
    case moved(from: String)
    /// The library has it as it is.
    case same
    case skipped(String)

    package var word: String {
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
package struct ImportReportLine: Sendable {
    package let place: ImportPlace
    package let url: String?
    package let title: String?
    package let outcome: ImportOutcome
    /// Whether the entry was taken, and this is only about a part of it.
    package var isRemark = false
}

package struct ImportCounts: Sendable, Equatable {
    package var new = 0
    package var merged = 0
    package var moved = 0
    package var same = 0
    package var skipped = 0
    /// Collections that got a file of their own.
    package var collections = 0
    /// Parts that were lost or changed of entries that were taken.
    package var notes = 0
    /// Of columns, keys and attributes that were not taken, by their names.
    package var untaken: [String: Int] = [:]
    /// Of those that were kept among the source's own fields.
    package var kept: [String: Int] = [:]

    /// More names than these are counted together.
    private static let nameLimit = 1000

    package init() {}

    package var total: Int { new + merged + moved + same + skipped }

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
