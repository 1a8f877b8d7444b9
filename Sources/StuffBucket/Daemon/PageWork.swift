internal import Files
package import Items
internal import Synchronization
internal import Time

/// Saves waiting pages, each in a thread of its own, so that slow sites hold up nothing else.
package final class PageWork: RunningWork {
    /// `pages`.
    package let name = "pages"
    private let settings: @Sendable () -> BackgroundSettings
    private let options: ArchiveOptions
    private let isOffline: Bool
    private let powerFolder: String
    private let makeWorker: @Sendable () -> CaptureWorker?

    private struct State {
        var schedule = ArchiveSchedule()
        /// Whether the schedule knows all waiting pages.
        var isListed = false
        var changed: Set<ItemID> = []
        var due: ContinuousClock.Instant? = .now
        var ended: [(page: WaitingPage, attempt: PageAttempt)] = []
        var running = 0
        var status = PagesStatus()
    }

    private let state = Mutex(State())
    /// How often conditions that nothing announces, such as power and space, are looked at again.
    private static let heldPause = Duration.seconds(300)
    /// How soon the end of a page is noticed.
    private static let runningPause = Duration.seconds(1)

    /// - Parameters:
    ///   - settings: what the person lets background work do; read before each page.
    ///   - isOffline: whether the network must not be used.
    ///   - options: how pages are saved.
    ///   - limits: of the schedule; `watch.pages` decides how many at once.
    ///   - powerFolder: as for `PowerSupply.isOnBattery`.
    ///   - makeWorker: starts a worker for one page; `nil` saves none.
    package init(
        settings: @escaping @Sendable () -> BackgroundSettings, isOffline: Bool, _ options: ArchiveOptions,
        limits: ArchiveSchedule.Limits = ArchiveSchedule.Limits(), powerFolder: String = PowerSupply.usualFolder,
        makeWorker: @escaping @Sendable () -> CaptureWorker?
    ) {
        self.settings = settings
        self.isOffline = isOffline
        self.options = options
        self.powerFolder = powerFolder
        state.withLock { $0.schedule.limits = limits }
        self.makeWorker = makeWorker
    }

    /// Takes note of changes of items.
    package func note(_ changes: [LibraryChange]) {
        state.withLock { state in
            for change in changes {
                if case .everything = change { state.isListed = false }
                if let id = change.item { state.changed.insert(id) }
            }
            if !changes.isEmpty { state.due = .now }
        }
    }

    /// After a change, and when the schedule says so.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { state.withLock { $0.due } }

    /// - Returns: the number of pages whose attempt ended.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        let (changed, isListed, ended) = state.withLock { state in
            defer {
                state.changed = []
                state.ended = []
                state.due = nil
            }
            return (state.changed, state.isListed, state.ended)
        }
        let now = Timestamp.now
        if isListed {
            for id in changed {
                let page = try library.waitingPage(id, at: now)
                state.withLock { $0.schedule.update(id, page) }
            }
        } else {
            let waiting = try library.waitingPages(at: now)
            state.withLock { state in
                state.schedule.replace(waiting)
                state.isListed = true
            }
        }
        state.withLock { state in
            for (page, attempt) in ended { state.schedule.ended(page, attempt, at: now) }
        }
        try saveDuePages(library, monitor)
        return ended.count
    }

    private func saveDuePages(_ library: Library, _ monitor: Monitor) throws {
        let settings = settings()
        var conditions = ArchiveSchedule.Conditions()
        conditions.isSwitchedOn = settings.archives
        conditions.isOffline = isOffline
        conditions.isOnBattery = PowerSupply.isOnBattery(below: powerFolder)
        conditions.freeByteCount = library.freeByteCount
        conditions.consent = library.archiveConsent
        while !monitor.isCancelled {
            let turn = state.withLock { state in
                state.schedule.limits.pagesAtOnce = settings.pagesAtOnce
                return state.schedule.next(at: .now, conditions)
            }
            guard case .save(let page) = turn else {
                let pause: Duration? =
                    switch turn {
                    case .save: nil
                    case .wait(let time):
                        time.map { .milliseconds(max(0, $0.milliseconds - Timestamp.now.milliseconds)) }
                    case .held: Self.heldPause
                    }
                state.withLock { state in
                    state.status = Self.status(of: state.schedule, turn)
                    let next = [pause, state.running > 0 ? Self.runningPause : nil].compactMap { $0 }.min()
                    if let next { state.due = min(state.due ?? .now + next, .now + next) }
                }
                return
            }
            state.withLock { $0.running += 1 }
            do {
                try BackgroundThread.start { [self] in save(page, library, monitor) }
            } catch {
                finish(page, PageAttempt(.failure(error), next: page))
            }
        }
    }

    private static func status(of schedule: ArchiveSchedule, _ turn: ArchiveSchedule.Turn) -> PagesStatus {
        var status = PagesStatus()
        status.pendingCount = schedule.pendingCount
        status.savingCount = schedule.runningCount
        switch turn {
        case .save: break
        case .wait(let time): status.next = time
        case .held(let hold, let time):
            status.hold = hold
            status.next = time
        }
        return status
    }

    /// What is done about the pages that wait.
    package var pages: PagesStatus? { state.withLock { $0.status } }

    private func save(_ page: WaitingPage, _ library: Library, _ monitor: Monitor) {
        guard let worker = makeWorker() else {
            finish(page, PageAttempt(.failure(CaptureWorker.Failure.noPath), next: page))
            return
        }
        defer { worker.end() }
        finish(page, library.saveWaitingPage(page, options, worker, monitor, command: "watch: archive"))
    }

    private func finish(_ page: WaitingPage, _ attempt: PageAttempt) {
        state.withLock { state in
            state.running -= 1
            state.ended.append((page, attempt))
        }
    }

    /// Waits for the pages that are being saved; the daemon has cancelled them.
    package func finish() {
        for _ in 0..<200 where state.withLock({ $0.running > 0 }) {
            _ = WaitForInput.on([], timeout: .milliseconds(50))
        }
    }
}
