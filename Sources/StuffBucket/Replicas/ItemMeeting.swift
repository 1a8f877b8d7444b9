internal import Items

/// Joins one item that two copies of the library have. Safe from several threads, for different items.
struct ItemMeeting: Sendable {
    /// What came of one item.
    struct Outcome: Sendable {
        enum State: Sendable {
            /// Both have the same.
            case same
            /// They differed.
            case joined
            /// Nothing could be joined; `left` says why.
            case left
        }

        var state = State.left
        /// What stayed as it is here.
        var left: [MergeReport.Left] = []
        var hasConflicts = false
    }

    private let library: Library
    private let other: ItemStore
    /// Whether nothing is written, and the outcome says what would be.
    private let isDry: Bool

    private var store: ItemStore { library.store }

    init(_ library: Library, _ other: ItemStore, isDry: Bool) {
        self.library = library
        self.other = other
        self.isDry = isDry
    }

    /// - Parameters:
    ///   - ours: the item's folder, relative to the library's.
    ///   - theirs: the same in the other copy.
    func meet(_ id: ItemID, ours: String, theirs: String) throws(ItemError) -> Outcome {
        guard let there = try other.glance(id, in: theirs), let here = try store.glance(id, in: ours) else {
            return Outcome(left: [.init(theirs, .noVersions)])
        }
        if here.looksEqual(there), try !hasNews(ours, theirs) { return Outcome(state: .same) }
        let live = try other.live(there)
        if isDry {
            if try store.live(here).hashes == live.hashes, try !hasNews(ours, theirs) { return Outcome(state: .same) }
            return Outcome(state: .joined)
        }
        let state = OtherState(copy: OtherCopy(other, folder: theirs), live: live, json: there.stored.json)
        let meeting = try library.replicas.join(id, in: ours, with: state)
        var outcome = Outcome()
        if !meeting.isJoined { outcome.left.append(.init(theirs, .noVersions)) }
        if meeting.isOtherOlder { outcome.left.append(.init(theirs, .older)) }
        outcome.left += meeting.differing.map { .init(ours + "/" + $0, .differs) }
        let now = try store.glance(id, in: ours)
        outcome.hasConflicts = try !ConflictFolder(of: ours, in: store).list().conflicts.isEmpty
        outcome.state = now?.looksEqual(here) == true && !outcome.hasConflicts ? .same : .joined
        return outcome
    }

    /// Whether the other item has versions, conflicts or snapshots that the one here lacks.
    private func hasNews(_ ours: String, _ theirs: String) throws(ItemError) -> Bool {
        let there = try VersionFolder(of: theirs, in: other).names()
        if !there.versions.isEmpty {
            let here = try VersionFolder(of: ours, in: store).names()
            if !Set(there.versions).isSubset(of: here.versions) { return true }
        }
        for folder in [Layout.conflicts, Layout.snapshots] {
            let names = try other.names(in: theirs + "/" + folder)
            if !names.isEmpty, try !Set(names).isSubset(of: store.names(in: ours + "/" + folder)) { return true }
        }
        return false
    }
}
