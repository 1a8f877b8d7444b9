import Items
import JSONFormat

/// Fields and files that are never mixed: all of them are of one side.
package enum Unit: String, CaseIterable, Sendable {
    /// The saved page: full over partial over failed, then the newer.
    case page
    /// The later side's.
    case document
    /// The result of the last check of the link: the newer.
    case check
    /// What a model wrote: the newer. The loser is a conflict.
    case assistant = "ai"

    /// The fields, in the order of FORMAT.md § 5.3.
    var keys: [String] {
        switch self {
        case .page: ["archiveStatus", "capturedBy", "archiveReason", "archivedAt", "htmlRelativePath"]
        case .document: ["documentRelativePath", "documentName", "documentSHA256"]
        case .check: ["linkStatus", "linkStatusEvidence", "lastCheckedDate"]
        case .assistant: ["aiSummary", "aiArtifacts", "aiModelID", "aiUpdatedAt"]
        }
    }

    /// Whether a file of the item belongs to the unit.
    package func holds(_ path: String) -> Bool {
        switch self {
        case .page: !path.utf8.starts(with: "document/".utf8)
        case .document: path.utf8.starts(with: "document/".utf8)
        case .check, .assistant: false
        }
    }

    /// Of a document that one side renamed and the other edited, the side with the edit: whether it is the first; `nil` of all else.
    static func editedDocument(_ base: [Version.File], _ one: [Version.File], _ two: [Version.File]) -> Bool? {
        guard base.count == 1, one.count == 1, two.count == 1 else { return nil }
        func isRenamed(_ side: [Version.File]) -> Bool {
            side[0].sha256 == base[0].sha256 && !side[0].isAt(base[0].path)
        }
        if isRenamed(one), two[0].sha256 != base[0].sha256 { return false }
        return isRenamed(two) && one[0].sha256 != base[0].sha256 ? true : nil
    }

    struct Choice {
        let isA: Bool
        /// Whether the fields alone decide: both sides changed them, and not to the same, or those of one are stale or held.
        let decides: Bool
    }
}

extension FieldMerge {
    /// The fields of a unit, all from one side.
    mutating func choose(_ unit: Unit) -> [JSON?] {
        let old = unit.keys.map { base[$0] }, one = unit.keys.map { a[$0] }, two = unit.keys.map { b[$0] }
        let isA: Bool
        let values = { (members: Members) in unit.keys.map { members[$0] } }
        let stale = edits.stale(one, two, Self.areSame, values)
        // Of the other units the loser is in no conflict: nobody would be told.
        let isHeld = unit == .assistant && edits.isHeld(old, one, two, Self.areSame, values)
        if let stale {
            isA = stale == .b
        } else if Self.areSame(one, two) || Self.areSame(two, old) && !isHeld {
            isA = true
        } else if Self.areSame(one, old), !isHeld {
            isA = false
        } else {
            let ranks = (rank(unit, a), rank(unit, b))
            isA = ranks.0 == ranks.1 ? aWins : ranks.0 > ranks.1
            if unit == .assistant {
                let (winner, loser) = isA ? (one, two) : (two, one)
                conflicts.append(
                    Conflict(
                        field: unit.rawValue, base: Self.list(old), winner: Self.list(winner), loser: Self.list(loser)))
            }
        }
        let changed =
            stale != nil || isHeld || !Self.areSame(one, old) && !Self.areSame(two, old) && !Self.areSame(one, two)
        units[unit] = Unit.Choice(isA: isA, decides: changed)
        return isA ? one : two
    }

    /// Which side the files of a unit are of, where they differ. The files follow the fields that name them; if those
    /// are equal, the files alone were changed.
    func choosesA(
        _ unit: Unit, base: [Version.File], a one: [Version.File], b two: [Version.File],
        stale: Edits<StateParts>.Side?, isHeld: Bool
    ) -> Bool {
        let differ = unit.keys.contains { !JSON.areSame(a[$0], b[$0]) }
        guard let choice = units[unit] else { return aWins }
        if differ, choice.decides { return choice.isA }
        if let stale { return stale == .b }
        if one == base, !isHeld { return false }
        if two == base, !isHeld { return true }
        if unit == .document, let isA = Unit.editedDocument(base, one, two) { return isA }
        return differ ? choice.isA : aWins
    }

    private func rank(_ unit: Unit, _ side: Members) -> (Int, Int64) {
        switch unit {
        case .page: (Self.rank(side["archiveStatus"]), side["archivedAt"]?.instant ?? 0)
        case .document: (0, side["updatedAt"]?.instant ?? 0)
        case .check: (0, side["lastCheckedDate"]?.instant ?? 0)
        case .assistant: (0, side["aiUpdatedAt"]?.instant ?? 0)
        }
    }

    private static func rank(_ status: JSON?) -> Int {
        switch status {
        case .string("full"): 3
        case .string("partial"): 2
        case .string("failed"): 1
        default: 0
        }
    }

    private static func areSame(_ a: [JSON?], _ b: [JSON?]) -> Bool { zip(a, b).allSatisfy { JSON.areSame($0, $1) } }

    private static func list(_ values: [JSON?]) -> JSON { .array(values.map { $0 ?? .null }) }
}
