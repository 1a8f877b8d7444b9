public import Items

/// Work that a daemon does beside keeping the index current. Pieces of all works run one after the other.
///
/// Works that ask for settings ask before each piece, so that a change of the settings needs no restart.
public struct DaemonWork: Sendable {
    package let make: @Sendable () throws -> any RunningWork

    package init(_ make: @escaping @Sendable () throws -> any RunningWork) { self.make = make }

    /// Takes in the inbox whenever something in it changes, and when files there have settled.
    ///
    /// - Parameters:
    ///   - options: as for `Library.takeInbox`.
    ///   - makeWorker: starts the worker that reads saved pages; asked for each run that needs it. Pages wait without
    ///     one.
    public static func inbox(
        _ options: InboxOptions = InboxOptions(), makeWorker: @escaping @Sendable () -> CaptureWorker?
    ) -> DaemonWork {
        DaemonWork { InboxWork(options, makeWorker: makeWorker) }
    }

    /// Notes what other programs changed, and joins what other devices brought, as soon as it is seen.
    public static var versions: DaemonWork { DaemonWork { VersionWork() } }

    /// Keeps the views of the library up to date.
    public static var views: DaemonWork { DaemonWork { ViewWork() } }

    /// Saves waiting pages, each in a thread of its own, so that slow sites hold up nothing else.
    ///
    /// - Parameters:
    ///   - settings: what the person lets background work do.
    ///   - isOffline: whether the network must not be used.
    ///   - options: how pages are saved.
    ///   - makeWorker: starts a worker for one page; `nil` saves none.
    public static func pages(
        _ settings: @escaping @Sendable () -> BackgroundSettings, isOffline: Bool = false,
        _ options: ArchiveOptions = ArchiveOptions(), makeWorker: @escaping @Sendable () -> CaptureWorker?
    ) -> DaemonWork {
        DaemonWork { PageWork(settings: settings, isOffline: isOffline, options, makeWorker: makeWorker) }
    }

    /// Purges what is due in the trash.
    ///
    /// - Parameter settings: what the person lets background work do.
    public static func trash(_ settings: @escaping @Sendable () -> BackgroundSettings) -> DaemonWork {
        DaemonWork { TrashWork(settings: settings) }
    }

    /// Tells a person, once, what waits for their consent.
    ///
    /// - Parameters:
    ///   - settings: what the person lets background work do.
    ///   - tell: tells the person; returns false if that failed.
    public static func consent(
        _ settings: @escaping @Sendable () -> BackgroundSettings, tell: @escaping @Sendable (Consent) -> Bool
    ) -> DaemonWork {
        DaemonWork { ConsentWork(settings: settings, tell: tell) }
    }

    /// Syncs with exchanges: with a folder soon after it or the library changed, with a cloud every 15 minutes and half a minute
    /// after a change.
    ///
    /// - Parameters:
    ///   - remotes: the exchanges.
    ///   - settings: what the person lets background work do.
    ///   - isOffline: whether the network must not be used: clouds are left out.
    ///   - makeWorker: starts the worker that packs and unpacks; without one nothing is synced.
    ///   - tell: told of each sync that did something, and of each that failed. Called from a thread of the work.
    public static func sync(
        _ remotes: SyncRemotes, _ settings: @escaping @Sendable () -> BackgroundSettings, isOffline: Bool = false,
        makeWorker: @escaping @Sendable () -> CaptureWorker?,
        tell: @escaping @Sendable (ExchangeFolder, Result<SyncReport, any Error>) -> Void = { _, _ in }
    ) -> DaemonWork {
        DaemonWork {
            try SyncWork(remotes, settings: settings, isOffline: isOffline, makeWorker: makeWorker, tell: tell)
        }
    }

    /// Merges segments of the index when nothing has changed for half a minute.
    public static var index: DaemonWork { DaemonWork { IndexWork() } }

    /// Reads all files within 30 days, to find damage that neither size nor time shows. `Library.verificationStatus`
    /// tells how much is read.
    ///
    /// - Parameters:
    ///   - settings: what the person lets background work do.
    ///   - tell: told of each item with faults, and of each that is sound again, with no findings. Called from a thread
    ///     of the work.
    public static func verification(
        _ settings: @escaping @Sendable () -> BackgroundSettings,
        tell: @escaping @Sendable (ItemID, [Finding]) -> Void = { _, _ in }
    ) -> DaemonWork {
        DaemonWork { try VerifyWork(settings: settings) { tell($0.id, $0.findings) } }
    }
}
