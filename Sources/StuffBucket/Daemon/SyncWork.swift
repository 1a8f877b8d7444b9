internal import Files
internal import Items
internal import Synchronization
internal import Time

/// Syncs with exchanges: a folder soon after it or the library changed, a cloud on a schedule.
///
/// It syncs in a thread of its own, so that a slow disk or network holds up nothing else.
package final class SyncWork: RunningWork {
    /// `sync`.
    package let name = "sync"
    private let remotes: SyncRemotes
    private let settings: @Sendable () -> BackgroundSettings
    private let isOffline: Bool
    private let makeWorker: @Sendable () -> CaptureWorker?
    private let tell: @Sendable (ExchangeFolder, Result<SyncReport, any Error>) -> Void
    private let waker: Waker
    private let isChanged = Atomic<Bool>(false)
    private let isStarted = Atomic<Bool>(false)
    private let isRunning = Atomic<Bool>(false)

    /// Changes, and files of an exchange, that come together are synced together.
    private static let pause = Duration.milliseconds(100)
    /// How often a folder is looked at of which the kernel tells nothing, such as a share; what waits in it may have arrived.
    private static let folderInterval = Duration.seconds(300)
    /// How often a cloud is looked at, and the shortest time between two looks.
    private static let cloudInterval = Duration.seconds(900)
    private static let cloudPause = Duration.seconds(30)
    /// While something of a pack has not arrived: at first, and at most.
    private static let patience = (first: Duration.seconds(1), last: Duration.seconds(300))

    package init(
        _ remotes: SyncRemotes, settings: @escaping @Sendable () -> BackgroundSettings, isOffline: Bool,
        makeWorker: @escaping @Sendable () -> CaptureWorker?,
        tell: @escaping @Sendable (ExchangeFolder, Result<SyncReport, any Error>) -> Void
    ) throws {
        self.remotes = remotes
        self.settings = settings
        self.isOffline = isOffline
        self.makeWorker = makeWorker
        self.tell = tell
        waker = try Waker()
    }

    /// A change of the library is written soon.
    package func note(_ changes: [LibraryChange]) {
        let isConcerned = changes.contains { change in
            switch change {
            case .everything, .added, .changed, .trashed, .restored, .removed, .names, .settings: true
            case .inbox, .fault, .faultGone: false
            }
        }
        if !isConcerned { return }
        isChanged.store(true, ordering: .relaxed)
        waker.wake()
    }

    /// Once, to start the thread.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isStarted.load(ordering: .relaxed) ? nil : now
    }

    /// - Returns: 0; `tell` is told of each sync.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        if isStarted.exchange(true, ordering: .relaxed) { return 0 }
        isRunning.store(true, ordering: .relaxed)
        let path = library.path
        do {
            try BackgroundThread.start { [self] in
                sync(path, monitor)
                isRunning.store(false, ordering: .relaxed)
            }
        } catch {
            isRunning.store(false, ordering: .relaxed)
            throw error
        }
        return 0
    }

    // MARK: The thread

    /// An exchange, and when it is synced next.
    private struct Plan {
        var folder: ExchangeFolder
        var due = ContinuousClock.now
        var last: ContinuousClock.Instant?
        /// The watch of its heads; `nil` where the kernel watches nothing.
        var watch: Int32?
        var wait = SyncWork.patience.first

        var isCloud: Bool { folder.cloud != nil }

        mutating func hasten(_ now: ContinuousClock.Instant) {
            var soon = now + SyncWork.pause
            if isCloud, let last { soon = max(soon, last + SyncWork.cloudPause) }
            due = min(due, soon)
        }
    }

    private func sync(_ path: String, _ monitor: Monitor) {
        guard let events = try? Inotify() else { return }
        var plans: [String: Plan] = [:]
        var list: Int32 = -1
        var isListed = false
        while !monitor.isCancelled {
            if !isListed {
                list = (try? events.watch(remotes.folder, for: .names)) ?? -1
                follow(&plans, events)
                isListed = true
            }
            let now = ContinuousClock.now
            if isChanged.exchange(false, ordering: .relaxed) {
                for key in plans.keys where plans[key]?.folder.isReadOnly == false { plans[key]?.hasten(now) }
            }
            if let key = plans.filter({ $0.value.due <= now }).min(by: { $0.value.due < $1.value.due })?.key,
                var plan = plans[key]
            {
                sync(&plan, path, monitor)
                plans[key] = plan
                continue
            }
            // A missing folder of settings is looked at again.
            let limit = list < 0 ? now + .seconds(60) : nil
            let next = [plans.values.map(\.due).min(), limit].compactMap { $0 }.min()
            _ = WaitForInput.on([waker.number, events.number], timeout: next.map { max(.zero, $0 - .now) })
            waker.clear()
            if list < 0 { isListed = false }
            while let isMore = try? events.read({ event in
                if event.watch == list || event.kinds.contains(.overflow) { isListed = false }
                for key in plans.keys where plans[key]?.watch == event.watch { plans[key]?.hasten(.now) }
            }), isMore {}
        }
    }

    /// Plans for the remotes as they are now.
    private func follow(_ plans: inout [String: Plan], _ events: borrowing Inotify) {
        let folders = settings().syncs ? remotes.list() : []
        let wanted = Set(folders.map(\.path))
        for (key, plan) in plans where !wanted.contains(key) {
            if let watch = plan.watch { events.end(watch) }
            plans[key] = nil
        }
        for folder in folders where !(isOffline && folder.cloud != nil) {
            var plan = plans[folder.path] ?? Plan(folder: folder)
            plan.folder = folder
            if plan.watch == nil, !plan.isCloud {
                plan.watch = try? events.watch(folder.path + "/" + ExchangeLayout.heads, for: .names)
            }
            plans[folder.path] = plan
        }
    }

    private func sync(_ plan: inout Plan, _ path: String, _ monitor: Monitor) {
        let interval = plan.isCloud ? Self.cloudInterval : Self.folderInterval
        defer {
            plan.last = .now
            if plan.due <= .now { plan.due = .now + interval }
        }
        plan.due = .now
        guard settings().syncs, let worker = makeWorker() else { return }
        do {
            // Another object than the daemon's: a sync is a step of its own.
            let library = try Library(path: path)
            var header = StepHeader(command: "watch: sync")
            header.isBackground = true
            let report = try library.sync(with: plan.folder, worker, as: header, monitor)
            if report.left.isEmpty {
                plan.wait = Self.patience.first
                plan.due = .now + interval
            } else {
                plan.due = .now + plan.wait
                plan.wait = min(plan.wait * 2, Self.patience.last)
            }
            if !report.hasNothing { tell(plan.folder, .success(report)) }
        } catch SyncError.isBusy {
            plan.due = .now + .seconds(1)
        } catch {
            if monitor.isCancelled { return }
            plan.due = .now + .seconds(60)
            if let next = (try? Library(path: path))?.lastSync(with: plan.folder, isBrief: true).nextAttempt {
                plan.due = .now + .milliseconds(max(1_000, next.milliseconds - Timestamp.now.milliseconds))
            }
            tell(plan.folder, .failure(error))
        }
    }

    /// Waits for the end of the thread; the daemon has cancelled it.
    package func finish() {
        waker.wake()
        for _ in 0..<200 where isRunning.load(ordering: .relaxed) {
            _ = WaitForInput.on([], timeout: .milliseconds(50))
        }
    }
}

/// The exchanges with which a daemon syncs.
public struct SyncRemotes: Sendable {
    /// The folder of the file that lists them: a change in it is a reason to ask again.
    public var folder: String
    /// The exchanges as they are now.
    public var list: @Sendable () -> [ExchangeFolder]

    /// Makes a value; nothing is read.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file that lists the exchanges.
    ///   - list: the exchanges as they are now; asked at the start and after a change in the folder.
    public init(in folder: String, list: @escaping @Sendable () -> [ExchangeFolder]) {
        self.folder = folder
        self.list = list
    }
}
