internal import Files
public import Items

extension Library {
    /// Joins another copy of this library into this one: every edit of both is here then.
    ///
    /// Items that only the copy has are added; items that both have are joined field by field and paragraph by paragraph;
    /// what cannot be joined is in conflicts/. What was purged in either stays away, unless it was edited in the other. The
    /// copy is only read. Items that were added are one step of the journal; a join is undone by taking a version back.
    ///
    /// - Parameters:
    ///   - path: the folder of the copy.
    ///   - header: the step's name.
    ///   - monitor: is told the number of items done and of all, and cancels; what was joined stays.
    /// - Throws: `MergeRefusal`, `ItemError`, `ItemError.stepIsOpen` within another step, `.cancelled`; `MergeStopped` with one
    ///   of these if something was joined before.
    public func merge(
        _ path: String, as header: StepHeader = StepHeader(command: "merge"), _ monitor: Monitor = Monitor()
    ) throws -> MergeReport {
        try merge(path, as: header, only: nil, monitor)
    }

    /// - Parameter only: the items that are joined; `nil` for all.
    private func merge(
        _ path: String, as header: StepHeader, only: Set<ItemID>?, _ monitor: Monitor
    ) throws -> MergeReport {
        let other = try copy(at: path)
        try takeInChanges(monitor, .areNoted)
        var header = header
        header.bringsItems = true
        guard let lock = ForeignChanges(store)?.lock() else { throw MergeRefusal.isBusy }
        let step = try begin(header)
        let outcome = Result { try join(other, only: only, monitor) }
        // The end of the step looks at versions, and would wait for the lock.
        _ = consume lock
        if let report = try? outcome.get() { step.noteJoined(report) }
        step.end()
        return try outcome.get()
    }

    private func join(_ other: ItemStore, only: Set<ItemID>?, _ monitor: Monitor) throws -> MergeReport {
        var merge = CopyMerge(self, other, isDry: false, only: only, monitor)
        do {
            var report = try merge.run()
            report.ownFiles = try OwnFiles(of: other).missing(in: store)
            return report
        } catch {
            if merge.report.hasNothing { throw error }
            throw MergeStopped(path: self.path, report: merge.report, cause: error)
        }
    }

    /// Joins another copy into this one, and then this one into the other: both hold the same afterwards.
    ///
    /// - Parameters:
    ///   - path: the folder of the copy, which is written.
    ///   - header: the name of the step in both.
    ///   - monitor: as for `merge`; counts from the beginning for the second direction.
    /// - Returns: what happened here, and in the other copy. `takeNotices` gives the notices of both.
    /// - Throws: as `merge`.
    public func mergeBoth(
        _ path: String, as header: StepHeader = StepHeader(command: "merge"), _ monitor: Monitor = Monitor()
    ) throws -> (here: MergeReport, there: MergeReport) {
        _ = try copy(at: path)
        var options = LibraryOptions()
        options.source = source
        let other = try Library(path: path, options)
        // The person who asked for this is told of both.
        defer { for notice in other.takeNotices() { store.tell(.inCopy(path: path, notice)) } }
        // Its own memory knows best what was edited there.
        try other.takeInChanges(monitor, .areNoted)
        var here = try merge(path, as: header, monitor)
        var there = try other.merge(self.path, as: header, monitor)
        // What the other copy kept of its own, such as a page that lost, or brought again, is not here yet. And it has the
        // tombstones of this one now: they also list an item that a tool brought back here.
        if !there.joined.isEmpty || !there.purgedThere.isEmpty {
            var rest = try merge(path, as: header, only: Set(there.joined), monitor)
            rest.sameCount = 0
            rest.newer = []
            let told = Set(here.left.map(\.path))
            rest.left.removeAll { told.contains($0.path) }
            // Those that neither the first join changed nor the other copy lacked were counted as equal.
            here.sameCount -=
                Set(rest.purgedThere).subtracting(here.joined).subtracting(here.newer).subtracting(there.added).count
            here.newer.removeAll(where: (rest.purgedThere + rest.joined).contains)
            here.joined.removeAll(where: rest.purgedThere.contains)
            here.add(rest)
        }
        there.leaveOut(toldBy: here)
        return (here, there)
    }

    /// What `merge` would do: joins in memory, and writes nothing.
    ///
    /// - Parameters:
    ///   - path: the folder of the copy.
    ///   - monitor: as for `merge`.
    /// - Throws: as `merge`.
    public func mergePreview(_ path: String, _ monitor: Monitor = Monitor()) throws -> MergeReport {
        let other = try copy(at: path)
        // What programs changed here since the last command. The merge would note it first.
        let changed = Set((try? index?.differing(monitor)) ?? [])
        var merge = CopyMerge(self, other, isDry: true, changed: changed, monitor)
        var report = try merge.run()
        report.ownFiles = try OwnFiles(of: other).missing(in: store)
        return report
    }

    /// What `mergeBoth` would do. Writes nothing into either copy. What the other copy would take of what comes here first
    /// is told as if nothing had come.
    ///
    /// - Throws: as `merge`.
    public func mergeBothPreview(
        _ path: String, _ monitor: Monitor = Monitor()
    ) throws -> (here: MergeReport, there: MergeReport) {
        var here = try mergePreview(path, monitor)
        let other = Library(try copy(at: path), nil)
        var there = try other.mergePreview(self.path, monitor)
        there.leaveOut(toldBy: here)
        for id in there.purgedThere where !here.purgedThere.contains(id) && !here.joined.contains(id) {
            // A tool brought it back here beside its tombstone.
            if try store.folder(of: id) == nil { continue }
            here.purgedThere.append(id)
            if here.newer.contains(id) { here.newer.removeAll { $0 == id } } else { here.sameCount -= 1 }
        }
        return (here, there)
    }

    /// Notes what other programs changed and brought, and joins what met. Each step does so when it ends.
    ///
    /// - Parameter monitor: is told items done and in all, and cancels; what was joined stays.
    /// - Throws: `ItemError`, also where the library cannot be written, `.cancelled`, and `FileError` if the index cannot be
    ///   written.
    public func takeInChanges(_ monitor: Monitor = Monitor()) throws { try takeInChanges(monitor, .wait) }

    func takeInChanges(_ monitor: Monitor, _ arrivals: Replicas.Arrivals) throws {
        try requireWritable()
        _ = try index?.sweep(monitor)
        try replicas.settle(monitor, arrivals)
        try replicas.joinCopies(withTombstones: true)
        settle()
    }

    /// The number of items that other programs changed or brought, and that the next step takes in. Only what the index has
    /// noticed counts, nothing that waits for its version, which `waitingJoins` names, and nothing of `brokenChanges`.
    public var changesToTakeIn: Int {
        guard let states = KnownStates(store) else { return 0 }
        return changedIDs.count { !states.read($0).isHolding && !isBroken($0) }
    }

    /// The changed items of which a folder with files is there, and no item.json that can be read as JSON, sorted: no step takes them in,
    /// and `repair` brings back those that have versions.
    public var brokenChanges: [ItemID] { changedIDs.filter(isBroken) }

    private var changedIDs: [ItemID] { ForeignChanges(store)?.read()?.ids ?? [] }

    private func isBroken(_ id: ItemID) -> Bool {
        let folder = Layout.itemFolder(id)
        guard let entries = try? store.root.directory(folder).entries(), !entries.isEmpty else { return false }
        if ((try? store.root.statusIfPresent(of: folder + "/" + Layout.itemFile)) ?? nil) == nil { return true }
        do throws(ItemError) {
            _ = try store.item(id)
            return false
        } catch {
            return error.concernsJSON
        }
    }

    func copy(at path: String) throws -> ItemStore {
        let other: ItemStore
        do throws(ItemError) {
            other = try ItemStore(reading: path)
        } catch {
            if case .noLibrary = error { throw MergeRefusal.noLibrary(path: path) }
            throw error
        }
        let (one, two) = (FilePath.real(store.root.path), FilePath.real(path))
        if let one, let two, one == two || two.hasPrefix(one + "/") || one.hasPrefix(two + "/") {
            throw MergeRefusal.sameFolder(path: path)
        }
        if other.settings.id != store.settings.id { throw MergeRefusal.otherLibrary(path: path) }
        return other
    }
}
