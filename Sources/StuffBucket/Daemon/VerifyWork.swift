internal import Files
internal import Items
internal import Synchronization
internal import Time

/// Reads all files within 30 days, to find damage that neither size nor time shows. `Library.verificationStatus` says how far it is.
///
/// It reads in a thread of its own, a part each second.
package final class VerifyWork: RunningWork {
    /// `verify`.
    package let name = "verify"
    private let settings: @Sendable () -> BackgroundSettings
    private let delay: Duration
    private let powerFolder: String
    private let tell: @Sendable (VerificationTurn.Result) -> Void
    /// Woken at the end, and when a faulty item changed.
    private let waker: Waker
    /// Items with faults, and whether they changed since they were read.
    private let faulty = Mutex<[ItemID: Bool]>([:])
    private let isStarted = Atomic<Bool>(false)
    private let isRunning = Atomic<Bool>(false)

    /// How long the thread waits on battery, and where nothing is due.
    private static let pause = Duration.seconds(600)

    /// - Parameters:
    ///   - settings: what the person lets background work do; read from time to time.
    ///   - delay: the time from the start to the first reading.
    ///   - powerFolder: as for `PowerSupply.isOnBattery`.
    ///   - tell: told of each item with faults, and of each that is sound again; called from the thread that reads.
    /// - Throws: `FileError` if the system has no more descriptors.
    package init(
        settings: @escaping @Sendable () -> BackgroundSettings, delay: Duration = .seconds(60),
        powerFolder: String = PowerSupply.usualFolder,
        tell: @escaping @Sendable (VerificationTurn.Result) -> Void = { _ in }
    ) throws {
        self.settings = settings
        self.delay = delay
        self.powerFolder = powerFolder
        self.tell = tell
        waker = try Waker()
    }

    /// A faulty item that changed is read again; for all others, time alone decides.
    package func note(_ changes: [LibraryChange]) {
        let isConcerned = faulty.withLock { faulty in
            if faulty.isEmpty { return false }
            for id in changes.compactMap(\.item) where faulty[id] != nil { faulty[id] = true }
            return faulty.values.contains(true)
        }
        if isConcerned { waker.wake() }
    }

    /// Once, to start the thread.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        isStarted.load(ordering: .relaxed) ? nil : now
    }

    /// - Returns: 0.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
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
        wait(delay)
        while !monitor.isCancelled {
            readAgain(verifier)
            guard settings().verifies, !PowerSupply.isOnBattery(below: powerFolder),
                let turn = try? verifier.run(byteBudget: Verifier.bytesPerSecond, monitor)
            else {
                verifier.rest()
                wait(Self.pause)
                continue
            }
            for result in turn.results { take(result) }
            if case .now = turn.next {
                wait(.seconds(1))
            } else {
                verifier.rest()
                wait(Self.pause)
            }
        }
        verifier.rest()
    }

    private func take(_ result: VerificationTurn.Result) {
        faulty.withLock { $0[result.id] = result.findings.isEmpty ? nil : false }
        tell(result)
    }

    private func readAgain(_ verifier: Verifier) {
        let changed = faulty.withLock { faulty in
            let changed = faulty.filter(\.value).map(\.key)
            for id in changed { faulty[id] = false }
            return changed
        }
        for id in changed { verifier.readAgain(id) }
    }

    /// Waits, but not longer than until something wakes the thread.
    private func wait(_ duration: Duration) {
        _ = WaitForInput.on([waker.number], timeout: duration)
        waker.clear()
    }

    /// Waits for the end of the thread; the daemon has cancelled it.
    package func finish() {
        waker.wake()
        for _ in 0..<200 where isRunning.load(ordering: .relaxed) {
            _ = WaitForInput.on([], timeout: .milliseconds(50))
        }
    }
}
