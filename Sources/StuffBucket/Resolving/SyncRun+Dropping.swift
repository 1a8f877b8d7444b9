internal import Files
internal import Items

/// Dropping files that the exchange of a run holds.
extension SyncRun {
    /// What came of dropping the files of one item.
    struct Dropped {
        var byteCount = 0
        var left: [(path: String, reason: DropReport.Reason)] = []
        /// Whether an object of the exchange could not be read, or has other bytes than its name says.
        var isRefusedByObject: Bool {
            left.contains { if case .object = $0.reason { true } else { false } }
        }
    }

    /// The files of an item that may go, and the record of what is away then.
    struct Dropping {
        let stored: StoredItem
        let files: [AwayFiles.File]
        let record: AwayFiles
        /// The record of before.
        let earlier: AwayFiles?

        var id: ItemID { stored.id }

        /// The visible texts of the page; `nil` if that stays.
        func texts(in store: ItemStore) -> [AwayText: [UInt8]]? {
            let isPage = files.contains { Component(of: $0.file) == .page }
            return isPage ? SavedPage.awayTexts(of: stored, in: store) : nil
        }
    }

    /// Drops the page and the document of an item, each if the exchange's copy was read and has the hash of the one here.
    ///
    /// The record of what is away is durable first, then the files go.
    ///
    /// - Parameters:
    ///   - session: a session without a journal: nothing of the item changes.
    ///   - isDry: whether nothing goes, and the outcome says what would.
    ///   - isMoved: as for `WriteSession.drop`.
    func drop(
        _ id: ItemID, in folder: String, _ session: WriteSession, isDry: Bool = false, isMoved: () -> Void = {}
    ) throws -> Dropped {
        var (outcome, dropping) = try dropping(id, in: folder)
        guard let dropping, !isDry else { return outcome }
        try session.note(dropping.record, dropping.texts(in: store), of: id)
        if try session.drop(dropping.files, of: id, in: folder, isMoved: isMoved) {
            forgetDropped(dropping)
        } else {
            try takeBack(dropping, session)
            outcome.left += dropping.files.prefix(1).map { ($0.file.path, .changed) }
            outcome.byteCount = 0
        }
        return outcome
    }

    /// Drops the files of several items, all or none of each. The records of all are durable first, then the files go: two calls of
    /// syncfs for all of them.
    ///
    /// - Returns: the items of which files went, and those of which a fault left files here.
    func drop(_ items: [ThinItem], _ session: WriteSession) throws -> (gone: [ItemID], faulted: Set<ItemID>) {
        var noted: [Dropping] = [], gone: [ItemID] = [], faulted: Set<ItemID> = []
        let outcome = Result {
            for item in items {
                try monitor.check()
                let found = try leavingFaults { () -> Dropping? in
                    let found = try self.dropping(item.id, in: item.folder, stays: item.stays)
                    if found.outcome.isRefusedByObject { faulted.insert(item.id) }
                    guard let dropping = found.files else { return nil }
                    // An earlier record must not be replaced by one that a loss of power may empty.
                    try session.note(
                        dropping.record, dropping.texts(in: store), of: item.id, isSynced: dropping.earlier != nil)
                    return dropping
                }
                if found == nil { faulted.insert(item.id) }
                if let dropping = found ?? nil { noted.append(dropping) }
            }
            if noted.isEmpty { return }
            try session.syncAway()
            while let dropping = noted.last {
                let isGone = try leavingFaults {
                    try session.takeOut(dropping.files, of: dropping.id, in: dropping.stored.folder)
                }
                noted.removeLast()
                if isGone == true {
                    forgetDropped(dropping)
                    gone.append(dropping.id)
                } else {
                    faulted.insert(dropping.id)
                    _ = try leavingFaults { try takeBack(dropping, session) }
                }
            }
        }
        // After an error, files of these stay.
        for dropping in noted { try? takeBack(dropping, session) }
        try session.syncAndRemoveTakenOut(gone)
        try outcome.get()
        return (gone, faulted)
    }

    /// - Returns: `nil` after an error that concerns one item alone: what cannot be dropped stays here.
    private func leavingFaults<Result>(_ body: () throws -> Result) throws -> Result? {
        let fault: ItemError
        do {
            return try body()
        } catch let error as FileError {
            fault = .file(error)
        } catch let error as ItemError {
            fault = error
        } catch {
            return nil
        }
        if fault.concernsTheDisk { throw fault }
        return nil
    }

    private func takeBack(_ dropping: Dropping, _ session: WriteSession) throws {
        if let earlier = dropping.earlier, !earlier.isEmpty || earlier.isKept {
            try session.note(earlier, of: dropping.id)
        } else {
            session.forgetAway(of: dropping.id)
        }
    }

    private func forgetDropped(_ dropping: Dropping) {
        for component in [Component.page, .document] {
            let files = dropping.files.map(\.file).filter { Component(of: $0) == component }
                .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            KnownStates(store)?.forgetFiles(files, of: dropping.id)
        }
    }

    /// What of an item may go: what the exchange's copy, which is read for that, has with the hash of the one here.
    ///
    /// - Parameter stays: files that do not go. A page goes as a whole or not at all.
    private func dropping(
        _ id: ItemID, in folder: String, stays: Set<Version.File> = []
    ) throws -> (outcome: Dropped, files: Dropping?) {
        var outcome = Dropped()
        guard let stored = try store.item(id, in: folder),
            let live = try store.live(id, in: folder, known: KnownStates(store)?.read(id).files ?? [])
        else { return (outcome, nil) }
        // The record is written again, without what a program replaced.
        try keepReplaced(of: id, in: stored.folder)
        let replaced = try replacedElsewhere(stored)
        var record = try store.awayFiles(of: stored).adding(replaced)
        var files: [AwayFiles.File] = []
        for component in [Component.page, .document] {
            let all = live.files.filter { Component(of: $0) == component }
            let here = all.filter { !live.away.contains($0.path) }
            if here.isEmpty || stays.isSuperset(of: here) { continue }
            let path = component == .page ? Layout.pageFile : here[0].path
            if component == .document, let other = record.document, other.file.path != path {
                outcome.left.append((path, .otherIsAway(other.file.path)))
                continue
            }
            if let other = replaced.files(of: component).first {
                let isRemoved = isInRemovedExchange(replaced, component, of: id)
                outcome.left.append((path, isRemoved ? .inRemovedExchange : .otherIsAway(other.file.path)))
                continue
            }
            guard let held = held(component, all, of: id, live) else {
                outcome.left.append((path, refusal(component, path, of: id)))
                continue
            }
            if let fault = try verify(held, component) {
                noteLack(fault.path)
                outcome.left.append((path, .object(fault.path, fault.reason)))
                continue
            }
            record.isKept = false
            if component == .page { (record.page, record.bundle) = (held.page, held.bundle) }
            if component == .document { record.document = held.document }
            let paths = Set(here.map(\.path))
            files += held.all.filter { paths.contains($0.file.path) }
        }
        if files.isEmpty { return (outcome, nil) }
        outcome.byteCount = files.reduce(0) { $0 + $1.file.size }
        return (outcome, Dropping(stored: stored, files: files, record: record, earlier: store.awayRecord(of: id)))
    }

    /// The files of a component as the exchange holds them; `nil` if it does not hold those that are here.
    private func held(
        _ component: Component, _ files: [Version.File], of id: ItemID, _ live: LiveState
    ) -> AwayFiles? {
        guard let state = state(of: id) else { return nil }
        let held = state.files.filter {
            component == .page ? PackedState.bundle(of: $0.path)?.isEmpty == true : PackedState.isDocument($0.path)
        }
        guard Set(files).isSubset(of: held.map(\.version)) else { return nil }
        var away = AwayFiles()
        // The times are those of the files here: a file that comes back is as it was.
        func file(_ file: Version.File) -> AwayFiles.File {
            .init(file, modified: live.statuses[file.path]?.modified ?? 0)
        }
        if component == .document {
            guard files.count == 1, !state.leftOut.contains(where: { $0.path == files[0].path }) else { return nil }
            away.document = file(files[0])
            return away
        }
        guard held.count == files.count, let bundle = state.bundles.first(where: { $0.folder.isEmpty }) else {
            return nil
        }
        away.page = files.map(file)
        away.bundle = bundle.sha256
        return away
    }

    private func refusal(_ component: Component, _ path: String, of id: ItemID) -> DropReport.Reason {
        let name = component == .page ? "" : path
        let isLarge = state(of: id)?.leftOut.contains { $0.path == name && $0.reason == .tooLarge } ?? false
        return isLarge ? .tooLarge : .notInExchange
    }

    /// Lets the next sync write an item again, though its files look as they did: other devices do not know all of them.
    func forgetKnown(_ id: ItemID) throws {
        load(id.shard)
        known[id.shard]?[id] = nil
        changedShards.insert(id.shard)
        try saveKnown()
    }
}
