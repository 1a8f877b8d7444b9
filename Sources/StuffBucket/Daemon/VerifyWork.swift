internal import Files
internal import Items
internal import Synchronization
internal import Time

/// Reads all files within 30 days, to find damage that neither size nor time shows. `Library.verificationStatus` says how far it is.
///
/// It reads in a thread of its own, a part each second.
public final class VerifyWork: DaemonWork {
    /// `verify`.
    public let name = "verify"
    private let settings: @Sendable () -> BackgroundSettings
    /// Woken once, at the end.
    private let ending: Waker
    private let isStarted = Atomic<Bool>(false)
    private let isRunning = Atomic<Bool>(false)

    /// How long the thread waits on battery, and where nothing is due.
    private static let pause = Duration.seconds(600)

    /// - Parameter settings: what the person lets background work do; read from time to time.
    /// - Throws: `FileError` if the system has no more descriptors.
    public init(settings: @escaping @Sendable () -> BackgroundSettings) throws {
        self.settings = settings
        ending = try Waker()
    }

    /// Nothing: time alone decides.
    public func note(_ changes: [LibraryChange]) {}

    /// Once, to start the thread.
    public func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isStarted.load(ordering: .relaxed) ? nil : now
    }

    /// - Returns: 0.
    public func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        if isStarted.exchange(true, ordering: .relaxed) { return 0 }
        isRunning.store(true, ordering: .relaxed)
        do {
            try BackgroundThread.start { [self] in
                read(library, monitor)
                isRunning.store(false, ordering: .relaxed)
            }
        } catch {
            isRunning.store(false, ordering: .relaxed)
            throw error
        }
        return 0
    }

    private func read(_ library: Library, _ monitor: Monitor) {
        guard let verifier = library.verifier() else { return }
        wait(.seconds(60))
        while !monitor.isCancelled {
            guard settings().verifies, !PowerSupply.isOnBattery(),
                let turn = try? verifier.run(byteBudget: Verifier.bytesPerSecond, monitor)
            else {
                verifier.rest()
                wait(Self.pause)
                continue
            }
            if case .now = turn.next {
                wait(.seconds(1))
            } else {
                verifier.rest()
                wait(Self.pause)
            }
        }
        verifier.rest()
    }

    /// Waits, but not longer than until the end.
    private func wait(_ duration: Duration) {
        _ = WaitForInput.on([ending.number], timeout: duration)
    }

    /// Waits for the end of the thread; the daemon has cancelled it.
    public func finish() {
        ending.wake()
        for _ in 0..<200 where isRunning.load(ordering: .relaxed) {
            _ = WaitForInput.on([], timeout: .milliseconds(50))
        }
    }
}
