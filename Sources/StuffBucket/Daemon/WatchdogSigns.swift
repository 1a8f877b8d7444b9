internal import Files
internal import Synchronization

/// Tells the service manager that the watch lives, in a thread of its own: works may take longer than the manager waits.
final class WatchdogSigns: Sendable {
    private let ending: Waker
    private let isEnded = Atomic<Bool>(false)

    /// - Parameter interval: half the time that the service manager waits.
    init(_ watch: LibraryWatch, every interval: Duration) throws(FileError) {
        ending = try Waker()
        try BackgroundThread.start { [self] in
            while !isEnded.load(ordering: .relaxed) {
                // A watch that hangs gives no sign, and the service manager starts the daemon again.
                if watch.isResponding(within: interval) { ServiceManager.tell("WATCHDOG=1") }
                if WaitForInput.on([ending.number], timeout: interval) == [true] { return }
            }
        }
    }

    func stop() {
        isEnded.store(true, ordering: .relaxed)
        ending.wake()
    }
}
