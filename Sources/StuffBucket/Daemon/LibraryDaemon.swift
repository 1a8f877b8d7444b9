internal import Files
internal import Items
internal import Synchronization
internal import Time

/// Keeps a library live: its index follows the files, other programs ask it on a socket, and works run when changes ask for them.
///
/// One process at a time runs a daemon for a library.
public final class LibraryDaemon: Sendable {
    private let library: Library
    private let options: WatchOptions
    private let works: [any RunningWork]
    private let tell: @Sendable (DaemonEvent) -> Void
    private let waker: Waker
    private let monitor = Monitor()

    private struct State {
        /// Why `run` must end; `nil` while it goes on.
        var end: End?
        var watch: LibraryWatch?
    }

    private let state = Mutex(State())

    /// After a failure of a work.
    private static let pause = Duration.seconds(60)

    /// Makes a daemon.
    ///
    /// - Parameters:
    ///   - library: the library, which nothing else in this process may change meanwhile.
    ///   - options: of the watch; without a socket path, the usual one is taken.
    ///   - works: what runs beside the index, in the order of importance.
    ///   - tell: called from the thread of `run`.
    /// - Throws: `FileError` if the system has no more descriptors.
    public init(
        _ library: Library, _ options: WatchOptions = WatchOptions(), works: [DaemonWork] = [],
        tell: @escaping @Sendable (DaemonEvent) -> Void = { _ in }
    ) throws {
        self.library = library
        self.options = options
        self.works = try works.map { try $0.make() }
        self.tell = tell
        waker = try Waker()
    }

    /// Ends `run` soon, from any thread.
    public func stop() { stop(.stopped) }

    /// Ends `run` soon, from any thread, because another daemon follows in this process.
    public func reload() { stop(.reloadAsked) }

    private func stop(_ end: End) {
        let watch = state.withLock { state in
            state.end = state.end ?? end
            return state.watch
        }
        monitor.cancel()
        // A first comparison of all files takes a while.
        if watch?.status.phase == .starting { watch?.stop() }
        waker.wake()
    }

    private var askedEnd: End? { state.withLock { $0.end } }

    /// How long a daemon runs.
    public enum Extent: Sendable {
        /// Until `stop`.
        case untilStopped
        /// Until everything that is due now is done.
        case once
    }

    /// Why `run` ended.
    public enum End: Sendable {
        /// `stop` was called, or everything was done once.
        case stopped
        /// library.json changed: open the library again to have its settings.
        case settingsChanged
        /// `reload` was called.
        case reloadAsked
    }

    /// Runs the daemon in this thread.
    ///
    /// - Throws: `DaemonFault.running`; `WatchEnd` if the library is gone; `FileError`.
    @discardableResult
    public func run(_ extent: Extent = .untilStopped) throws -> End {
        guard let place = library.index?.place else { throw WatchEnd.noIndex(path: library.path) }
        guard let lock = try place.lockWatching() else { throw DaemonFault.running(process: place.watchingProcess) }
        defer { withExtendedLifetime(lock) {} }
        var options = options
        if options.socketPath == nil { options.socketPath = try library.watchSocketPath() }
        options.keepsSaves = true
        let watch = try library.watch(options)
        defer {
            watch.stop()
            try? watch.waitUntilEnd()
        }
        let buffer = watch.hub.join { [waker] in waker.wake() }
        defer { _ = watch.hub.leave(buffer) }
        state.withLock { $0.watch = watch }
        if askedEnd != nil { watch.stop() }
        try watch.waitUntilReady()
        if let end = askedEnd { return end }
        let status = watch.status
        tell(.ready(status))
        ServiceManager.tell("READY=1\nSTATUS=items watched: \(status.watchedItems)")
        let signs = try ServiceManager.watchdogInterval.map { try WatchdogSigns(watch, every: $0 / 2) }
        var end: End?
        defer {
            signs?.stop()
            // Of a service that goes on with new settings, its manager expects no end.
            switch end {
            case .settingsChanged, .reloadAsked: ServiceManager.tell("STATUS=the settings are read again")
            case .stopped, nil: ServiceManager.tell("STOPPING=1")
            }
            monitor.cancel()
            for work in works { work.finish() }
        }
        // Works compare what they keep with the library once; from then on they follow the changes.
        for work in works { work.note([.everything]) }
        end = try loop(watch, buffer, extent)
        return end ?? .stopped
    }

    private func loop(_ watch: LibraryWatch, _ buffer: ChangeBuffer, _ extent: Extent) throws -> End {
        var pauses: [String: ContinuousClock.Instant] = [:]
        var statuses: [WorkStatus] = works.map { WorkStatus($0.name) }
        while true {
            if let end = askedEnd { return end }
            let (changes, end) = buffer.takeNow()
            for change in changes { tell(.change(change)) }
            for work in works { work.note(changes) }
            if changes.contains(where: { if case .settings = $0 { true } else { false } }) { return .settingsChanged }
            if changes.isEmpty, let end {
                try end.get()
                return .stopped
            }
            let now = ContinuousClock.now
            var next: ContinuousClock.Instant?
            var hasRun = false
            for (number, work) in works.enumerated() {
                guard var due = work.nextRun(now) else { continue }
                if let pause = pauses[work.name] { due = max(due, pause) }
                if due <= now {
                    pauses[work.name] = run(work, &statuses[number]) ? nil : .now + Self.pause
                    show(statuses, on: watch)
                    hasRun = true
                    break
                }
                next = min(next ?? due, due)
            }
            if hasRun { continue }
            if extent == .once { return .stopped }
            _ = WaitForInput.on([waker.number], timeout: next.map { max(.zero, $0 - .now) })
            waker.clear()
        }
    }

    private func show(_ statuses: [WorkStatus], on watch: LibraryWatch) {
        let told = statuses.filter { $0.doneAt != nil || $0.problem != nil }
        let pages = works.lazy.compactMap(\.pages).first
        watch.show {
            $0.works = told
            $0.pages = pages
        }
    }

    /// - Returns: false if the work failed.
    private func run(_ work: any RunningWork, _ status: inout WorkStatus) -> Bool {
        do {
            let count = try work.run(library, monitor)
            status.problem = nil
            if count > 0 {
                status.doneAt = .now
                status.count = count
                tell(.done(work: work.name, count: count))
            }
            return true
        } catch {
            if monitor.isCancelled { return true }
            status.problem = WatchProblem(error)
            tell(.failed(work: work.name, error: error))
            return false
        }
    }
}
