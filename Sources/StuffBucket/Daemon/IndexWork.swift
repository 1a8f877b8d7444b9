internal import Items
internal import Synchronization

/// Merges segments of the index when nothing has changed for a while.
package final class IndexWork: RunningWork {
    /// `index`.
    package let name = "index"
    private let due = Mutex<ContinuousClock.Instant?>(nil)

    private let quiet: Duration

    /// - Parameter quiet: how long nothing must change before segments are merged.
    package init(quiet: Duration = .seconds(30)) { self.quiet = quiet }

    /// Takes note of any change.
    package func note(_ changes: [LibraryChange]) {
        if !changes.isEmpty { due.withLock { $0 = .now + quiet } }
    }

    /// A while after the last change.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { due.withLock { $0 } }

    /// - Returns: 1 if segments were merged.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        due.withLock { $0 = nil }
        switch try library.careForIndex(monitor) {
        case .nothing: return 0
        case .merged: return 1
        case .more:
            due.withLock { $0 = $0 ?? .now }
            return 1
        case .busy:
            due.withLock { $0 = $0 ?? .now + quiet }
            return 0
        }
    }
}
