internal import Items
internal import Synchronization

/// Notes what other programs changed, and joins what other devices brought.
package final class VersionWork: RunningWork {
    /// `versions`.
    package let name = "versions"

    /// The first run is at the start: what other programs changed before is waiting.
    private let due = Mutex<ContinuousClock.Instant?>(.now)
    /// Changes that come together are looked at together.
    private static let pause = Duration.milliseconds(100)

    /// Makes the work.
    package init() {}

    /// Takes note of changes of items, and of small files, which may have got a conflict copy.
    package func note(_ changes: [LibraryChange]) {
        let isConcerned = changes.contains { change in
            switch change {
            case .everything, .added, .changed, .trashed, .restored, .names, .settings: true
            case .removed, .inbox, .fault, .faultGone: false
            }
        }
        if isConcerned { due.withLock { $0 = $0 ?? .now + Self.pause } }
    }

    /// Shortly after a change.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { due.withLock { $0 } }

    /// - Returns: the number of items that were looked at.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        due.withLock { $0 = nil }
        let count = try library.replicas.settle(monitor, saves: library.index?.watch.withLock { $0?.saves })
        try library.replicas.joinCopies(withTombstones: true)
        library.settle()
        return count
    }
}
