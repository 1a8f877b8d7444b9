import Synchronization

@testable import StuffBucket

/// Follows the changes of a library, and waits for those that a test expects.
final class Follower: Sendable {
    private let seen = Mutex<[LibraryChange]>([])
    private let end = Mutex<Result<Void, any Error>?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter options: of the watch; quick for tests.
    init(_ library: Library, _ options: WatchOptions = quick) async throws {
        let watch = try library.watch(options)
        try watch.waitUntilReady()
        let changes = library.changes
        let following = Task { [self] in await follow(changes) }
        task.withLock { $0 = following }
        while watch.hub.followerCount == 0, end.withLock({ $0 == nil }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func follow(_ changes: LibraryChanges) async {
        do {
            for try await change in changes { seen.withLock { $0.append(change) } }
            end.withLock { $0 = .success(()) }
        } catch {
            end.withLock { $0 = .failure(error) }
        }
    }

    /// Settles in a tenth of the usual time.
    static var quick: WatchOptions {
        var options = WatchOptions()
        options.quiet = .milliseconds(20)
        options.longestWait = .milliseconds(200)
        options.absence = .milliseconds(400)
        return options
    }

    var changes: [LibraryChange] { seen.withLock { $0 } }

    /// Waits for changes.
    ///
    /// - Returns: whether they came within a long time.
    func wait(for isEnough: ([LibraryChange]) -> Bool) async throws -> Bool {
        for _ in 0..<15_000 {
            if isEnough(changes) { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return isEnough(changes)
    }

    /// Waits for the end.
    func waitForEnd() async throws -> Result<Void, any Error>? {
        for _ in 0..<15_000 {
            if let end = end.withLock({ $0 }) { return end }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    func forget() { seen.withLock { $0 = [] } }
    func stop() { task.withLock { $0?.cancel() } }
}
