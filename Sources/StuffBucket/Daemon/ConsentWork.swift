internal import Items
internal import Synchronization

/// Tells a person, once, what waits for their consent.
package final class ConsentWork: RunningWork {
    /// `consent`.
    package let name = "consent"
    private let settings: @Sendable () -> BackgroundSettings
    private let tell: @Sendable (Consent) -> Bool
    private let due: Mutex<ContinuousClock.Instant>

    /// How often it is looked for what waits.
    private static let interval = Duration.seconds(3600)

    /// - Parameters:
    ///   - settings: what the person lets background work do; read before each look.
    ///   - delay: the time from the start to the first look.
    ///   - tell: tells a person; returns false if that failed.
    package init(
        settings: @escaping @Sendable () -> BackgroundSettings, delay: Duration = .seconds(120),
        tell: @escaping @Sendable (Consent) -> Bool
    ) {
        self.settings = settings
        self.tell = tell
        due = Mutex(.now + delay)
    }

    /// Nothing: time alone decides.
    package func note(_ changes: [LibraryChange]) {}

    /// Every hour.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? { due.withLock { $0 } }

    /// - Returns: 0.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        due.withLock { $0 = .now + Self.interval }
        let settings = settings()
        if settings.notifies { try library.tellOnce(of: library.waiting(settings), tell) }
        return 0
    }
}
