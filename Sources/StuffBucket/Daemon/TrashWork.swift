internal import Items
internal import Synchronization
internal import Time

/// Purges what is due in the trash, once a day.
package final class TrashWork: RunningWork {
    /// `trash`.
    package let name = "trash"
    private let settings: @Sendable () -> BackgroundSettings
    private let due: Mutex<ContinuousClock.Instant>

    /// How often the trash is looked at.
    private static let interval = Duration.seconds(6 * 3600)

    /// - Parameters:
    ///   - settings: what the person lets background work do; read before each look.
    ///   - delay: the time from the start to the first look.
    package init(settings: @escaping @Sendable () -> BackgroundSettings, delay: Duration = .seconds(60)) {
        self.settings = settings
        due = Mutex(.now + delay)
    }

    /// Nothing: time alone decides.
    package func note(_ changes: [LibraryChange]) {}

    /// Four times a day.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { due.withLock { $0 } }

    /// - Returns: the number of purged items.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        due.withLock { $0 = .now + Self.interval }
        guard settings().purges else { return 0 }
        guard case .purged(let ids, let failures) = try library.purgeExpired(command: "watch: purge", monitor) else {
            return 0
        }
        if ids.isEmpty, let failure = failures.first { throw failure.error }
        return ids.count
    }
}
