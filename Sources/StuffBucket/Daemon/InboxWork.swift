package import Items
internal import Synchronization
internal import Time

/// Takes in the inbox whenever something in it changes, and when files there have settled.
package final class InboxWork: RunningWork {
    /// `inbox`.
    package let name = "inbox"
    private let makeWorker: @Sendable () -> CaptureWorker?
    private let options: InboxOptions
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - options: as for `Library.takeInbox`.
    ///   - makeWorker: starts the worker that reads saved pages; asked for each run that needs it. Pages wait without one.
    package init(_ options: InboxOptions = InboxOptions(), makeWorker: @escaping @Sendable () -> CaptureWorker?) {
        self.options = options
        self.makeWorker = makeWorker
    }

    /// Takes note of changes of the inbox.
    package func note(_ changes: [LibraryChange]) {
        let concerns = changes.contains { change in
            switch change {
            case .inbox, .everything: true
            default: false
            }
        }
        if concerns { next.withLock { $0 = min($0 ?? .now, .now) } }
    }

    /// At the next change, or when a file there has settled.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { next.withLock { $0 } }

    /// - Returns: the number of files that left the inbox.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        next.withLock { $0 = nil }
        do {
            // A worker is a process: it is started only for files that need one.
            let waiting = try library.inbox(options, using: nil)
            let needsWorker = waiting.contains { if case .needsWorker = $0.state { true } else { false } }
            let worker = needsWorker ? makeWorker() : nil
            defer { worker?.end() }
            let report = try library.takeInbox(
                using: worker, options, as: StepHeader(command: "watch: inbox"), monitor)
            if let look = report.nextLook {
                let wait = max(0, look.milliseconds - options.clock().milliseconds)
                next.withLock { $0 = min($0 ?? .now + .seconds(86_400), .now + .milliseconds(wait)) }
            }
            return report.entries.count { if case .failed = $0.outcome { false } else { true } }
        } catch {
            // What was in the inbox is still there.
            next.withLock { $0 = .now }
            throw error
        }
    }
}
