internal import Files
internal import Items
internal import Synchronization

/// Keeps a library live: its index follows the files, other programs ask it on a socket, and works run when changes ask for them.
///
/// One process at a time runs a daemon for a library.
public final class LibraryDaemon: Sendable {
    private let library: Library
    private let options: WatchOptions
    private let works: [any DaemonWork]
    private let tell: @Sendable (DaemonEvent) -> Void
    private let waker: Waker
    private let isStopped = Atomic<Bool>(false)
    private let monitor = Monitor()

    /// After a failure of a work.
    private static let pause = Duration.seconds(60)

    /// Makes a daemon.
    ///
    /// - Parameters:
    ///   - library: the library, which nothing else in this process may change meanwhile.
    ///   - options: of the watch; without a socket path, the usual one is taken.
    ///   - works: what runs beside the index, in the order of importance.
    ///   - tell: called from the thread of `run`.
    public init(
        _ library: Library, _ options: WatchOptions = WatchOptions(), works: [any DaemonWork] = [],
        tell: @escaping @Sendable (DaemonEvent) -> Void = { _ in }
    ) throws {
        self.library = library
        self.options = options
        self.works = works
        self.tell = tell
        waker = try Waker()
    }

    /// Ends `run` soon, from any thread.
    public func stop() {
        isStopped.store(true, ordering: .relaxed)
        monitor.cancel()
        waker.wake()
    }

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
        let watch = try library.watch(options)
        defer {
            watch.stop()
            try? watch.waitUntilEnd()
        }
        let buffer = watch.hub.join { [waker] in waker.wake() }
        defer { _ = watch.hub.leave(buffer) }
        try watch.waitUntilReady()
        let status = watch.status
        tell(.ready(status))
        ServiceManager.tell("READY=1\nSTATUS=items watched: \(status.watchedItems)")
        defer { ServiceManager.tell("STOPPING=1") }
        // Works compare what they keep with the library once; from then on they follow the changes.
        for work in works { work.note([.everything]) }
        defer {
            monitor.cancel()
            for work in works { work.finish() }
        }
        return try loop(watch, buffer, extent)
    }

    private func loop(_ watch: LibraryWatch, _ buffer: ChangeBuffer, _ extent: Extent) throws -> End {
        let watchdog = ServiceManager.watchdogInterval.map { $0 / 2 }
        var nextSign = ContinuousClock.now
        var pauses: [String: ContinuousClock.Instant] = [:]
        while !isStopped.load(ordering: .relaxed) {
            let (changes, end) = buffer.takeNow()
            for change in changes { tell(.change(change)) }
            for work in works { work.note(changes) }
            if changes.contains(where: { if case .settings = $0 { true } else { false } }) { return .settingsChanged }
            if changes.isEmpty, let end {
                try end.get()
                return .stopped
            }
            let now = ContinuousClock.now
            if let watchdog, now >= nextSign {
                // A loop that hangs does not answer, and the service manager starts the daemon again.
                if watch.isResponding(within: watchdog) { ServiceManager.tell("WATCHDOG=1") }
                nextSign = now + watchdog
            }
            var next = watchdog == nil ? nil : Optional(nextSign)
            var hasRun = false
            for work in works {
                guard var due = work.nextRun(now) else { continue }
                if let pause = pauses[work.name] { due = max(due, pause) }
                if due <= now {
                    pauses[work.name] = run(work) ? nil : .now + Self.pause
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
        return .stopped
    }

    /// - Returns: false if the work failed.
    private func run(_ work: any DaemonWork) -> Bool {
        do {
            let count = try work.run(library, monitor)
            if count > 0 { tell(.done(work: work.name, count: count)) }
            return true
        } catch {
            if monitor.isCancelled { return true }
            tell(.failed(work: work.name, error: error))
            return false
        }
    }
}
