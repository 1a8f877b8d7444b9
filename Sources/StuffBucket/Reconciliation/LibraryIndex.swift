internal import Files
internal import Items
internal import Search
internal import Synchronization
internal import Time

/// The search index of a library, and how it is kept equal to the files: SearchIndex.md § I2.
///
/// The files are the truth. Commands update the index as they write. A *sweep* compares all files with the index by
/// stat alone and finds the changes of other programs. Reading needs no lock. Items are read for the index only while
/// its lock is held, so that of two processes, the one that reads later also writes later.
final class LibraryIndex: Sendable {
    let store: ItemStore
    /// Changes of sessions that are not in the index yet.
    let changes = ChangeList()
    let place: IndexPlace
    /// Starts a sweep in another process; `nil` if the caller cannot start one.
    private let startSweep: (@Sendable () -> Void)?
    private let isSweepStarted = Atomic<Bool>(false)
    /// Threads of this process that wait to write the index: a merge makes room for them.
    private let waitingWriters = Atomic<Int>(0)
    /// The watch of this process.
    let watch = Mutex<LibraryWatch?>(nil)
    /// The socket of another process's watch; `nil` if the person has no folder for sockets.
    private let socket: WatchSocket?

    /// Libraries with fewer items are swept before each answer.
    let sweepLimit: Int
    /// Sweeping this many items takes 25 ms, which nobody notices.
    static let usualSweepLimit = 5000
    /// After a sweep this recent, in milliseconds, a larger library needs no other one.
    static let youth: Int64 = 2000

    /// - Returns: `nil` if no index can be written.
    init?(
        _ store: ItemStore, sweepLimit: Int = usualSweepLimit, socket: WatchSocket? = nil,
        startSweep: (@Sendable () -> Void)?
    ) {
        guard let place = IndexPlace.find(for: store) else { return nil }
        self.store = store
        self.place = place
        self.startSweep = startSweep
        self.sweepLimit = sweepLimit
        self.socket = socket ?? WatchSocket(for: store)
    }

    // MARK: Asking

    /// Calls `body` with an index that is fresh enough. Rebuilds a missing or damaged index first.
    ///
    /// - Parameters:
    ///   - waits: whether to compare the files first, whatever their number.
    ///   - startsSweep: whether a background process may be started to compare them.
    /// - Returns: `nil` if there is no index and none can be built now, for example because another process builds
    ///   it.
    func answer<Answer>(
        waits: Bool = false, startsSweep: Bool = true, monitor: Monitor = Monitor(),
        _ body: (IndexView) throws -> Answer
    ) throws -> Answer? {
        for attempt in 0..<2 {
            do {
                guard let view = try view(waits: waits, startsSweep: startsSweep, monitor) else { return nil }
                return try body(view)
            } catch let damage as IndexDamage {
                // A second failure in a row is a bug, not a bad disk.
                if attempt > 0 { return nil }
                store.tell(damage.notice)
                if try rebuild(monitor) == nil { return nil }
            } catch let error as FileError {
                // For example, the disk is full. The items can still be read.
                store.tell(.indexUnusable(error))
                return nil
            }
        }
        return nil
    }

    /// Calls `body` with the current index, even if the files have changed since. If there is no index, starts a
    /// process that builds it.
    ///
    /// - Returns: `nil` if there is no readable index.
    func glance<Answer>(_ body: (IndexSnapshot) throws -> Answer) -> Answer? {
        do {
            if let snapshot = try place.indexFolder().snapshot() { return try body(snapshot) }
        } catch {
            // The next query reports the damage and rebuilds the index.
            return nil
        }
        if !isSweepStarted.exchange(true, ordering: .relaxed) { startSweep?() }
        return nil
    }

    private func view(waits: Bool, startsSweep: Bool, _ monitor: Monitor) throws -> IndexView? {
        settle()
        let folder = try place.indexFolder()
        guard var snapshot = try folder.snapshot() else {
            guard let report = try rebuild(monitor, isNeeded: { try folder.snapshot() == nil }),
                let snapshot = try folder.snapshot()
            else { return nil }
            return IndexView(snapshot: snapshot, faults: report.faults, caveat: nil)
        }
        if try takePending(folder) { snapshot = try folder.snapshot() ?? snapshot }
        let state = SweepState.read(in: place)
        let watch = askWatch()
        if watch == .current {
            snapshot = try folder.snapshot() ?? snapshot
            return IndexView(
                snapshot: snapshot, faults: try SweepState.read(in: place)?.faults(store) ?? [], caveat: nil)
        }
        // A daemon that is too busy to answer is no reason to miss a change that it would have seen.
        if !waits, watch != .silence {
            if snapshot.documentCount >= sweepLimit, let state, let startSweep {
                let age = Timestamp.now.milliseconds - state.begunAt.milliseconds
                let isYoung = age >= 0 && age < Self.youth
                if !isYoung, startsSweep, !isSweepStarted.exchange(true, ordering: .relaxed) { startSweep() }
                return IndexView(
                    snapshot: snapshot, faults: try state.faults(store),
                    caveat: isYoung ? nil : .behind(seconds: Int(max(0, age / 1000))))
            }
        }
        let report = try Sweep(self, folder, snapshot, since: state).run(monitor)
        if report.isChanged { snapshot = try folder.snapshot() ?? snapshot }
        return IndexView(snapshot: snapshot, faults: report.faults, caveat: nil)
    }

    /// Has a watch, of this process or another one, bring the index up to date.
    private func askWatch() -> WatchSocket.Answer {
        if let watch = watch.withLock({ $0 }), watch.status.phase == .ready {
            return watch.catchUp(within: .seconds(2)) ? .current : .behind
        }
        return socket?.catchUp() ?? .nobody
    }

    // MARK: Keeping up

    /// Adds this process's changes to the index. Changes that cannot be added now are noted for the next query.
    ///
    /// - Parameter purged: items that this process purged.
    func settle(purged: [ItemID] = []) {
        let ids = changes.take()
        if ids.isEmpty { return }
        do {
            guard try place.directory.statusOfKnownPath(Layout.index + "/" + Self.manifest) != nil else {
                // The next query makes an index. If an editor changes an item before, it has to be known what it was.
                let lock = try FileLock.acquire(Layout.buildLock, in: place.directory, patience: .milliseconds(200))
                if lock != nil { KnownBytes(store)?.remember(ids, store, purged: purged) }
                return withExtendedLifetime(lock) {}
            }
            if try refresh(ids, in: place.indexFolder(), patience: .milliseconds(200)) { return }
        } catch {
            // A sweep finds the changes, and the next query finds the damage again.
        }
        try? PendingChanges(place: place).note(ids)
    }

    static let manifest = "manifest"

    private func takePending(_ folder: IndexFolder) throws -> Bool {
        let pending = PendingChanges(place: place)
        let (ids, byteCount) = pending.read()
        if byteCount == 0 { return false }
        guard try refresh(ids, in: folder, patience: .seconds(2)) else { return false }
        try? pending.forget(byteCount: byteCount)
        return true
    }

    /// Reads items again and updates the index. Removes items that no longer exist.
    ///
    /// - Returns: false if another process kept the index locked all the time.
    func refresh(_ ids: [ItemID], in folder: IndexFolder, patience: Duration) throws -> Bool {
        guard let writer = try openWriter(folder, patience: patience) else { return false }
        var update = IndexUpdate(store, writer)
        let snapshot = writer.snapshot
        for id in ids {
            let stored = try snapshot.stored(DocumentKey(id))
            let shard = stored?.withUnsafeBytes { ItemRecordView($0)?.shard }
            update.take(id, in: shard ?? id.shardNumber, isKnown: stored != nil)
        }
        try update.finish()
        return true
    }

    /// Compares all items with the index by content, even if their files look unchanged.
    func verify(_ monitor: Monitor) throws -> SweepReport? {
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return try rebuild(monitor) }
        return try Sweep(self, folder, snapshot, since: SweepState.read(in: place), trustsLooks: false).run(monitor)
    }

    /// Compares all files with the index, and builds an index if there is none.
    func sweep(_ monitor: Monitor) throws -> SweepReport? {
        settle()
        let folder = try place.indexFolder()
        let snapshot: IndexSnapshot?
        do {
            snapshot = try folder.snapshot()
        } catch let damage as IndexDamage {
            store.tell(damage.notice)
            snapshot = nil
        }
        guard let snapshot else { return try rebuild(monitor) }
        _ = try takePending(folder)
        let report = try Sweep(self, folder, try folder.snapshot() ?? snapshot, since: SweepState.read(in: place))
            .run(monitor)
        return report
    }

    /// The items whose files differ from the index, as a sweep finds them. Writes nothing; without an index there are none.
    func differing(_ monitor: Monitor) throws -> [ItemID] {
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return [] }
        return try Sweep(self, folder, snapshot, since: SweepState.read(in: place)).differing(monitor)
    }

    /// Opens the index for changes. A merge of this process ends early for that.
    ///
    /// - Returns: `nil` if another program holds it all the time.
    func openWriter(_ folder: IndexFolder, patience: Duration) throws -> IndexWriter? {
        waitingWriters.add(1, ordering: .relaxed)
        defer { waitingWriters.subtract(1, ordering: .relaxed) }
        return try IndexWriter.open(folder, patience: patience)
    }

    /// Merges segments if that is worthwhile. Meant for a background process.
    ///
    /// - Parameter monitor: cancels; so does another thread of this process that has to write the index.
    @discardableResult
    func tidy(_ monitor: Monitor = Monitor()) throws -> IndexCare {
        let folder = try place.indexFolder()
        // Without an index, there is nothing to merge, and none is begun.
        guard try folder.snapshot() != nil else { return .nothing }
        guard let writer = try IndexWriter.open(folder, patience: .zero) else { return .busy }
        guard writer.needsMerge else { return .nothing }
        do {
            try writer.merge(isCancelled: { [self] in
                monitor.isCancelled || waitingWriters.load(ordering: .relaxed) > 0
            })
        } catch is MergeCancelled {
            return .busy
        }
        return writer.needsMerge ? .more : .merged
    }

    /// The index of now; `nil` if there is none, or it is damaged.
    private func soundSnapshot() throws -> IndexSnapshot? {
        do {
            guard let snapshot = try place.indexFolder().snapshot() else { return nil }
            try snapshot.verify()
            return snapshot
        } catch is IndexDamage {
            return nil
        }
    }

    /// Rebuilds the index from all items. While a shard may not be read, the index of now stays, and all other items are compared with it
    /// by content.
    ///
    /// - Parameter isNeeded: asked when no other process builds the index any more.
    /// - Returns: `nil` if another process built it all the time.
    func rebuild(_ monitor: Monitor, isNeeded: () throws -> Bool = { true }) throws -> SweepReport? {
        guard let lock = try FileLock.acquire(Layout.buildLock, in: place.directory, patience: .seconds(10)) else {
            return nil
        }
        defer { withExtendedLifetime(lock) {} }
        if try !isNeeded() { return SweepReport(faults: try SweepState.read(in: place)?.faults(store) ?? []) }
        let changed = changes.take()
        do {
            let rebuild = Rebuild(store, place)
            let survey = try rebuild.survey(monitor)
            // The index of now has the items of a shard that may not be read, and a new one would not.
            if !survey.unread.isEmpty, let snapshot = try soundSnapshot() {
                let folder = try place.indexFolder()
                let report = try Sweep(
                    self, folder, snapshot, since: SweepState.read(in: place), trustsLooks: false
                ).run(monitor)
                if !report.isPostponed { return report }
                for id in changed { changes.note(id) }
                return nil
            }
            return try rebuild.run(survey, monitor)
        } catch {
            // The index is the one of before, and has not taken them in.
            for id in changed { changes.note(id) }
            throw error
        }
    }
}

/// An index ready for queries, with notices about it.
struct IndexView {
    let snapshot: IndexSnapshot
    /// Items that cannot be read.
    let faults: [ItemFault]
    let caveat: Caveat?

    /// The folder of an item, as the index knows it.
    func row(_ key: DocumentKey) throws -> Row {
        let id = ItemID(key)
        let row = try snapshot.stored(key)?.withUnsafeBytes { ItemRecordView($0)?.row(id) }
        return (row ?? nil) ?? Row(id: id, folder: Layout.itemFolder(id), isTrashed: false)
    }
}

/// The result of a sweep.
public struct SweepReport: Sendable {
    /// The number of items that exist now.
    public var count = 0
    /// Items added to the index.
    public var added = 0
    /// Items already in the index that were read again.
    public var changed = 0
    /// Items removed from the index.
    public var removed = 0
    /// Items that cannot be read.
    public var faults: [ItemFault] = []
    /// Whether all items were read, and not only those that look changed.
    public var isComplete = false

    /// Whether another process wrote the index all the time, so that nothing was changed.
    var isPostponed = false

    var isChanged: Bool { added + changed + removed > 0 || isComplete }
}
