/// What a person lets background work do on this device. All of it, unless a person says otherwise.
public struct BackgroundSettings: Equatable, Sendable {
    /// Whether waiting pages are saved.
    public var archives = true
    /// Whether expired items are purged.
    public var purges = true
    /// Whether files are read to find damage.
    public var verifies = true
    /// Whether remotes are synced.
    public var syncs = true
    /// Whether the desktop shows a notification when something waits for consent.
    public var notifies = true
    /// Pages that are saved at once, from 1 to `pageLimit`.
    public var pagesAtOnce = 2

    /// The largest number of pages that are saved at once.
    public static let pageLimit = 16

    /// Makes the usual settings.
    public init() {}
}
