internal import Items
internal import JSONFormat
internal import Merge
internal import Time

/// The item in another copy of the library, which this one reads and never writes.
struct OtherState {
    let copy: OtherCopy
    let live: LiveState
    /// item.json there.
    let json: JSONDocument
}

/// A join with another copy that is at hand: Documentation/Merge.md § 4.
extension VersionSweep {
    /// Notes what is live in the other copy and in no version.
    mutating func takeOther() throws(ItemError) {
        guard let other else { return }
        if !isExplained(other) {
            if !hadVersions, Self.wasEdited(live.members), Self.wasEdited(other.live.members) {
                // Two edited copies of which nobody knows where they part: nothing of either is lost.
                try note(other.live.version([]), text: other.live.text)
                return
            }
            if isOlderThanAll(other) {
                isOtherOlder = true
                return
            }
        }
        for component in Component.allCases {
            guard let value = other.live.hashes[component], graph.versions(with: component, value).isEmpty else {
                continue
            }
            let modified = (other.live.status(of: component)?.modified ?? 0) / 1_000_000
            _ = try noteArrival(
                component, value, otherPiece(component, other), modified: modified, isCopy: false, waits: false)
        }
        try noteArrived()
    }

    /// Whether a version has the other item.json.
    private func isExplained(_ other: OtherState) -> Bool {
        !graph.versions(with: .item, other.live.hashes.item).isEmpty
    }

    /// Whether the other item was written before every version that is known: an old backup, which has nothing new.
    private func isOlderThanAll(_ other: OtherState) -> Bool {
        guard let time = Self.time(.updatedAt, other.live.members) else { return false }
        return !outlines.isEmpty && outlines.allSatisfy { ($0.updatedAt?.milliseconds ?? .min) > time }
    }

    /// Whether an item was changed after it was made.
    private static func wasEdited(_ members: [JSON.Member]) -> Bool {
        guard let updated = time(.updatedAt, members) else { return false }
        return updated != time(.createdAt, members)
    }

    private static func time(_ field: ItemField, _ members: [JSON.Member]) -> Int64? {
        guard case .string(let text)? = members.first(where: { $0.key.utf8.elementsEqual(field.key.utf8) })?.value
        else { return nil }
        return Timestamp(text)?.milliseconds
    }

    private func otherPiece(_ component: Component, _ other: OtherState) -> Piece {
        switch component {
        case .item: .item(other.live.members)
        case .text: .text(other.live.text)
        case .page, .document: .files(other.live.files.filter { Component(of: $0) == component })
        }
    }
}
