import Files
import Items
import Synchronization

@testable import StuffBucket

/// A daemon that runs in a thread of its own until the test ends it.
final class RunningDaemon: Sendable {
    private let daemon: LibraryDaemon
    private let events = Events()
    private let end = Mutex<Result<LibraryDaemon.End, any Error>?>(nil)

    init(_ library: Library, _ works: [any RunningWork], socket: String) throws {
        var options = Follower.quick
        options.socketPath = socket
        daemon = try LibraryDaemon(library, options, works: works.map { work in DaemonWork { work } }) { [events] in
            events.add($0)
        }
        try BackgroundThread.start { [self] in
            let result = Result { try daemon.run() }
            end.withLock { $0 = result }
        }
    }

    private final class Events: Sendable {
        let all = Mutex<[DaemonEvent]>([])
        func add(_ event: DaemonEvent) { all.withLock { $0.append(event) } }
    }

    /// What a work did altogether.
    func done(_ work: String) -> Int {
        events.all.withLock { all in
            all.reduce(0) { sum, event in
                if case .done(work, let count) = event { sum + count } else { sum }
            }
        }
    }

    /// How often a work failed.
    func failures(_ work: String) -> Int {
        events.all.withLock { all in all.count { if case .failed(work, _) = $0 { true } else { false } } }
    }

    /// Waits for something.
    ///
    /// - Returns: whether it came within a long time.
    func wait(for isSo: () throws -> Bool) async throws -> Bool {
        for _ in 0..<15_000 {
            if try isSo() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try isSo()
    }

    /// Ends the daemon and waits for its end.
    func stop() async throws -> Result<LibraryDaemon.End, any Error>? {
        daemon.stop()
        for _ in 0..<15_000 {
            if let end = end.withLock({ $0 }) { return end }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
