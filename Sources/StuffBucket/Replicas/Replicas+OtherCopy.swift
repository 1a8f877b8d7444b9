internal import Files
internal import Items
internal import Time

/// Joining an item with that of another copy of the library: Documentation/Merge.md § 4.
extension Replicas {
    /// What came of joining one item of another copy.
    struct Meeting {
        /// Whether the other copy's state is older than every version here, and was left.
        var isOtherOlder = false
        /// Whether the item can have versions; without, nothing was joined.
        var isJoined = true
        /// Whether the versions would be joined to what is no item, and stay unjoined.
        var isUnusable = false
        /// The person's own files that differ: paths relative to the item's folder. Those here stay.
        var differing: [String] = []
        /// Those on whose names other programs act, and that did not come.
        var refused: [String] = []
        /// Whether files of the person's own came.
        var hasOwnFiles = false
        /// Lost documents, beside the winner now: paths relative to the item's folder.
        var kept: [String] = []
    }

    /// Joins an item of another copy into the one here, whose versions it gets first.
    func join(_ id: ItemID, in folder: String, with other: OtherState) throws(ItemError) -> Meeting {
        var meeting = Meeting()
        guard let states = KnownStates(store) else { throw .refused(.notWritable(path: store.root.path)) }
        let theirs = VersionFolder(of: other.copy.folder, in: other.copy.store)
        let ours = VersionFolder(of: folder, in: store)
        let (there, here) = (try theirs.names(), try ours.names())
        let texts = Set(here.texts), times = ContentTimes(other.live)
        func bring(_ names: Set<Items.ContentHash>) throws(ItemError) {
            for name in names.sorted() {
                guard case .success(let version)? = try theirs.version(name) else { continue }
                let text = try version.text.flatMap { hash throws(ItemError) in
                    texts.contains(hash) ? nil : try theirs.text(hash)
                }
                // Durable: the other copy may not be at hand again, and an exchange is told that this was taken.
                try session.note(
                    version, text: text, of: id, in: folder, isSynced: true, modified: times.modified(of: version))
            }
        }
        try bring(Set(there.versions).subtracting(here.versions))
        func look() throws(ItemError) -> VersionSweep? {
            try VersionSweep(id, in: folder, session, states, KnownBytes(store), isWorkTree: false, now: .now)
        }
        guard var sweep = try look() else {
            meeting.isJoined = false
            return meeting
        }
        // Damaged here.
        let lacking = Set(there.versions).intersection(here.versions).subtracting(sweep.outlines.map(\.name))
        if !lacking.isEmpty {
            try bring(lacking)
            sweep = try look() ?? sweep
        }
        // Those that an interrupted copy left out, and then those that the join found damaged.
        func bringTexts() throws(ItemError) -> Bool {
            var isAny = false
            for hash in sweep.lackedTexts(in: there.texts) {
                guard let text = try theirs.text(hash) else { continue }
                try session.noteText(text, hash, of: id, in: folder)
                isAny = true
            }
            return isAny
        }
        if try bringTexts() { sweep = try look() ?? sweep }
        // First, so that a page that lost here and is a snapshot there is kept once.
        _ = try session.bringSnapshots(from: other.copy, of: id, in: folder)
        func run() throws(ItemError) {
            sweep.other = other
            sweep.isPatient = false
            // What waits on is looked at by each step, and listed.
            if try sweep.run() { ForeignChanges(store)?.note([id]) }
        }
        try run()
        if try bringTexts(), let next = try look() {
            for notice in sweep.notices { store.tell(notice) }
            let kept = sweep.kept
            sweep = next
            sweep.kept = kept
            try run()
        }
        for notice in sweep.notices { store.tell(notice) }
        meeting.isOtherOlder = sweep.isOtherOlder
        meeting.isUnusable = sweep.isUnusable
        meeting.kept = sweep.kept
        let ended = try sweep.endedNow()
        try bringConflicts(id, in: folder, other, ended: ended)
        (meeting.differing, meeting.refused, meeting.hasOwnFiles) = try session.bringOwnFiles(
            from: other.copy, of: id, in: folder
        ) { ended.contains($0) || other.live.records($0) }
        try sweep.rememberLosers()
        return meeting
    }

    /// What `join` would do, after what programs changed here is noted. Nothing is written.
    ///
    /// - Parameter wasChanged: whether the index found the item changed since it was last looked at.
    /// - Returns: `nil` if the item can have no versions.
    func preview(
        _ id: ItemID, in folder: String, with other: OtherState, wasChanged: Bool
    ) throws(ItemError) -> JoinPreview? {
        let states = try KnownStates(reading: store)
        var sweep = try VersionSweep(
            id, in: folder, session, states, KnownBytes(store), isWorkTree: isWorkTree, isDry: true, now: .now)
        return try sweep?.preview(other, wasChanged: wasChanged)
    }

    /// Copies conflicts that nobody ended and that are not here.
    private func bringConflicts(
        _ id: ItemID, in folder: String, _ other: OtherState, ended: Set<String>
    ) throws(ItemError) {
        let found = try ConflictFolder(of: other.copy.folder, in: other.copy.store).list()
        for file in found.conflicts where !ended.contains(Layout.conflicts + "/" + file.name) {
            try session.keepConflict(file.bytes, as: file.name, of: id, in: folder)
        }
    }
}

/// When the content of versions of another copy was as it is.
private struct ContentTimes {
    private let files: [Version.File: Int64]
    private let now = Timestamp.now

    init(_ live: LiveState) {
        files = Dictionary(
            live.files.compactMap { file in live.statuses[file.path].map { (file, $0.modified) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// At the latest, in nanoseconds since 1970: by `updatedAt` and by the files, as far as they are live. Not before 1970 and not to
    /// come: a clock may be wrong, and not every time has nanoseconds.
    func modified(of version: Version) -> Int64 {
        let updated = VersionOutline(version).updatedAt?.milliseconds ?? 0
        let latest = min(max(updated, 0), now.milliseconds) * 1_000_000
        return min(max(latest, version.files.compactMap { files[$0] }.max() ?? 0), now.milliseconds * 1_000_000)
    }
}
