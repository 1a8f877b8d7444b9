internal import Characters
internal import Files
internal import Items
internal import Search
internal import Time

/// The thread of a watch: waits for events, lets items settle, and has the index compared with them.
///
/// Events only say where to look; `Sweep` looks. What changed is the difference of the index of before and the index of
/// now, so it does not matter which process added a change to the index first.
final class WatchLoop {
    typealias Instant = ContinuousClock.Instant

    private let watch: LibraryWatch
    private let index: LibraryIndex
    private var files: WatchedFiles
    private let server: WatchServer?
    /// `nil` without /proc.
    private let mounts = try? MountTable()

    private var items: Settling<Sweep.Hint>
    private var others: Settling<Other>
    private var snapshot: IndexSnapshot
    private var faults = ToldFaults()
    private var losses = LossGuard()
    /// The next shard of a comparison of all files that is under way.
    private var sweepShard: Int?
    /// Whether the index was rebuilt, so that nobody knows which items it did not have before.
    private var needsWatches = false
    /// When all files are compared again.
    private var nextSweep: Instant
    /// Nothing is tried before, since the index could not be updated.
    private var retry: Instant?

    /// What may change beside items.
    private enum Other: Hashable {
        case settings, inbox
        case names(NamedFolder)
    }

    private var store: ItemStore { index.store }

    /// Shards that are compared before events are looked at again.
    private static let sliceSize = 16
    /// Items compared before events are looked at again.
    private static let groupSize = 2000
    /// After a failure to update the index.
    private static let retryInterval = Duration.seconds(5)

    /// Runs a watch to its end.
    static func run(_ watch: LibraryWatch) {
        do {
            try runLoop(watch)
            watch.finish(.success(()))
        } catch let end as WatchEnd {
            watch.finish(.failure(end))
        } catch ItemError.cancelled where watch.isStopped {
            watch.finish(.success(()))
        } catch {
            watch.show { $0.problem = WatchProblem(error) }
            watch.finish(.failure(.unreadable(path: watch.index.store.root.path, cause: error)))
        }
    }

    /// The loop's socket and watches are gone when this returns, so that a next watch can have them.
    private static func runLoop(_ watch: LibraryWatch) throws { try WatchLoop(watch).run() }

    private init(_ watch: LibraryWatch) throws {
        self.watch = watch
        index = watch.index
        let options = watch.options
        watch.show {
            $0.process = RunningProgram.processID
            $0.since = .now
        }
        items = Settling(quiet: options.quiet, limit: options.longestWait)
        others = Settling(quiet: options.quiet, limit: options.longestWait)
        server = try options.socketPath.map { path in try WatchServer(path, watch.hub) }
        files = WatchedFiles(
            watch.index.store, limit: options.watchLimit, isPolling: options.isPolling, saves: watch.saves)
        nextSweep = .now + options.sweepInterval
        let place = try watch.index.place.indexFolder()
        if try place.snapshot() == nil { _ = try watch.index.rebuild(watch.monitor) }
        guard let snapshot = try place.snapshot() else {
            throw WatchEnd.noIndex(path: watch.index.store.root.path)
        }
        self.snapshot = snapshot
    }

    // MARK: Running

    private func run() throws {
        try watchAll()
        try reconcile(.all)
        planSweep()
        // Who waits for the watch reads the status at once.
        showStatus()
        watch.show { $0.phase = .ready }
        while !watch.isStopped {
            showStatus()
            let timeout = nextDeadline().map { max(.zero, $0 - .now) }
            let server = server?.numbers ?? []
            var ready = WaitForInput.on(
                [files.number, watch.waker.number] + server, urgent: mounts?.number ?? -1, timeout: timeout)
            if ready.removeLast() { try stayInPlace() }
            watch.waker.clear()
            watch.giveSigns()
            do {
                try step(ready)
            } catch let error where Self.mayPass(error) {
                // What was seen may be lost: everything is looked at again.
                sweepShard = 0
                _ = postpone(error)
            }
        }
    }

    /// - Throws: `WatchEnd.libraryGone` if the library's path leads to another folder, or to none: a mount came or went.
    private func stayInPlace() throws {
        let path = store.root.path
        guard let there = try? Directory(path: path).status(), let own = try? store.root.status() else {
            throw WatchEnd.libraryGone(path: path)
        }
        if there.device != own.device || there.inode != own.inode { throw WatchEnd.libraryGone(path: path) }
    }

    /// Whether an error may be over at a later time: a file or folder cannot be read.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case is FileError: return true
        case ItemError.cancelled: return false
        case is ItemError: return true
        default: return false
        }
    }

    /// Takes in what happened, and does what is due.
    ///
    /// - Parameter ready: for the events, the waker and each descriptor of the server, whether it is ready.
    private func step(_ ready: [Bool]) throws {
        try drain()
        for question in watch.takeQuestions() { question.reply(try catchUp()) }
        if let server = self.server {
            try server.handle(Array(ready.dropFirst(2))) { request in try reply(to: request) }
        }
        try settle()
        try sweepSlice()
    }

    private func nextDeadline() -> Instant? {
        let now = Instant.now
        // Nothing is tried before the retry, so nothing is waited for that comes earlier.
        if let retry, retry > now { return retry }
        if sweepShard != nil || needsWatches { return now }
        return [items.next(after: now), others.next(after: now), nextSweep].compactMap { $0 }.min()
    }

    /// Reads all events that are queued.
    private func drain() throws {
        let now = Instant.now
        let found = try files.drain { hint in
            items.note(hint, at: now)
        } other: { event in
            switch event {
            case .settings: others.note(.settings, at: now)
            case .inbox: others.note(.inbox, at: now)
            case .names(let folder): others.note(.names(folder), at: now)
            }
        }
        switch found {
        case .nothingSpecial: break
        case .lost:
            // Events are missing, also those of new folders: everything is looked at again.
            watch.show { $0.overflows += 1 }
            try watchAll()
            sweepShard = 0
        case .gone: throw WatchEnd.libraryGone(path: store.root.path)
        case .deviceFolderGone: throw WatchEnd.deviceFolderGone(path: store.root.path + "/" + Layout.device)
        }
    }

    /// Compares what has settled.
    private func settle() throws {
        let now = Instant.now
        if let retry, retry > now { return }
        retry = nil
        try compare(items.due(at: now))
        var changes: [LibraryChange] = []
        for (other, _) in others.due(at: now) {
            switch other {
            case .settings:
                if try !hasSettings(now) { continue }
                changes.append(.settings)
            case .inbox: changes.append(.inbox)
            case .names(let folder): changes.append(.names(folder))
            }
        }
        send(changes)
    }

    private var settingsGoneSince: Instant?

    /// Whether library.json exists. An editor may replace it, so that it is waited for.
    private func hasSettings(_ now: Instant) throws -> Bool {
        if try store.root.statusIfPresent(of: Layout.libraryFile) != nil {
            settingsGoneSince = nil
            return true
        }
        let since = settingsGoneSince ?? now
        settingsGoneSince = since
        if now - since >= watch.options.absence { throw WatchEnd.libraryGone(path: store.root.path) }
        others.wait(.settings, until: now + watch.options.quiet, since: since)
        return false
    }

    /// Adds everything that was changed before this call to the index, settled or not.
    ///
    /// - Returns: false if the index may be behind.
    private func catchUp() throws -> Bool {
        if files.isPolling || files.hasUnwatched || sweepShard != nil || needsWatches || retry != nil { return false }
        try compare(items.all())
        return sweepShard == nil && retry == nil && files.isComplete
    }

    private func reply(to request: WatchRequest) throws -> WatchReply {
        switch request {
        case .catchUp: return .isCurrent(try catchUp())
        case .status:
            showStatus()
            return .status(watch.status)
        }
    }

    // MARK: Comparing

    private func compare(_ due: [(key: Sweep.Hint, first: Instant)]) throws {
        if due.isEmpty { return }
        let now = Instant.now
        var hints: [Sweep.Hint] = []
        for (hint, first) in due {
            // Editors rename item.json or text.md away, or delete it, and write it again: what is gone for a moment is not gone.
            if now - first < watch.options.absence, try isAbsent(hint) {
                items.wait(hint, until: first + watch.options.absence, since: first)
            } else {
                hints.append(hint)
            }
        }
        for start in stride(from: 0, to: hints.count, by: Self.groupSize) {
            let group = Array(hints[start..<min(start + Self.groupSize, hints.count)])
            if try !reconcile(.items(group)) {
                for hint in hints[start...] { items.note(hint, at: now) }
                return
            }
            // A new folder may have been filled before its watch was set.
            for hint in try files.watchNew(group) { items.note(hint, at: now) }
        }
    }

    private func isAbsent(_ hint: Sweep.Hint) throws -> Bool {
        let folder = Layout.itemFolder(hint.id, shard: hint.shard) + "/"
        guard let stored = try snapshot.stored(DocumentKey(hint.id)) else { return false }
        let hadText = stored.withUnsafeBytes { ItemRecordView($0)?.mark(of: .text) } != nil
        // An item that must not be looked at is not absent; reading it reports the fault.
        do throws(FileError) {
            if try store.root.statusIfPresent(of: folder + Layout.itemFile) == nil { return true }
            if !hadText { return false }
            return try store.root.statusIfPresent(of: folder + Layout.textFile) == nil
        } catch {
            return false
        }
    }

    /// Compares a part of the items, and tells what changed since the last comparison.
    ///
    /// - Returns: false if the index cannot be updated now.
    @discardableResult
    private func reconcile(_ scope: Sweep.Scope) throws -> Bool {
        do {
            let guardsLoss: Sweep.LossJudgement = { [self] in try losses.judge($0, added: $1, of: $2) }
            guard let (report, new) = try index.reconcile(scope, watch.monitor, guardsLoss: guardsLoss) else {
                return postpone(nil)
            }
            let changes = report.isComplete ? [.everything] : try IndexChanges.between(snapshot, new)
            snapshot = new
            try watchParts(of: changes)
            watch.show { $0.problem = nil }
            send(changes + faults.changes(report.faults, scope))
            return true
        } catch let error as FileError {
            return postpone(error)
        } catch let damage as IndexDamage {
            store.tell(damage.notice)
            guard try index.rebuild(watch.monitor) != nil, let new = try index.place.indexFolder().snapshot() else {
                return postpone(nil)
            }
            snapshot = new
            needsWatches = true
            send([.everything])
            return true
        }
    }

    /// Sets the watches that changed items need; for a document or versions, the index may not have known of them.
    private func watchParts(of changes: [LibraryChange]) throws {
        var hints: [Sweep.Hint] = []
        for change in changes {
            switch change {
            case .everything: needsWatches = true
            case .changed(let id, let details) where !details.files.isDisjoint(with: [.document, .history]):
                try hints.append(hint(id))
            case .added(let id): try hints.append(hint(id))
            default: continue
            }
        }
        for hint in try files.watchNew(hints) { items.note(hint, at: .now) }
    }

    private func hint(_ id: ItemID) throws -> Sweep.Hint {
        let record = try snapshot.stored(DocumentKey(id))
        let shard = record?.withUnsafeBytes { ItemRecordView($0)?.shard }
        return Sweep.Hint(id: id, shard: (shard ?? nil) ?? id.shardNumber)
    }

    private func postpone(_ error: (any Error)?) -> Bool {
        retry = .now + Self.retryInterval
        watch.show { $0.problem = error.map { WatchProblem($0) } }
        return false
    }

    private func send(_ changes: [LibraryChange]) {
        if changes.isEmpty { return }
        watch.hub.send(changes)
    }

    // MARK: Comparing everything

    /// Plans the next comparison of all files.
    private func planSweep() {
        sweepShard = nil
        let isPartial = files.isPolling || files.hasUnwatched
        nextSweep = .now + (isPartial ? watch.options.pollInterval : watch.options.sweepInterval)
        watch.show { $0.sweptAt = .now }
    }

    /// Compares some shards, if a comparison of all files is due. Events go first.
    private func sweepSlice() throws {
        if let retry, retry > .now { return }
        if needsWatches {
            try watchAll()
            sweepShard = 0
        }
        if sweepShard == nil, Instant.now >= nextSweep {
            // Without events, nothing else notices that the library is gone.
            if try !hasSettings(.now) {
                nextSweep = .now + min(watch.options.absence, watch.options.pollInterval)
                return
            }
            sweepShard = 0
        }
        guard let start = sweepShard else { return }
        let end = min(256, start + Self.sliceSize)
        if try !reconcile(.shards(start..<end)) { return }
        if end < 256 {
            sweepShard = end
        } else {
            planSweep()
        }
    }

    private func watchAll() throws {
        needsWatches = false
        try files.watchAll { [snapshot] count, room in try WatchPlan(snapshot, for: count, room: room) }
    }

    private func showStatus() {
        let now = Instant.now
        let (waiting, oldest) = (items.count, items.oldest)
        let (watched, unwatched, watches) = (files.watchedCount, files.unwatchedCount, files.watchCount)
        let (isPolling, faultCount) = (files.isPolling, faults.count)
        watch.show {
            $0.waiting = waiting
            $0.lag = oldest.map { Int64(($0.duration(to: now)) / .milliseconds(1)) } ?? 0
            $0.watchedItems = watched
            $0.unwatchedItems = unwatched
            $0.watches = watches
            $0.isPolling = isPolling
            $0.faults = faultCount
        }
    }
}
