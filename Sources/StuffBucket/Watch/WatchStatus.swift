public import Time

/// What a watch does now.
public struct WatchStatus: Sendable, Equatable {
    /// The course of a watch.
    public enum Phase: String, Sendable {
        /// It sets watches and compares all files for the first time.
        case starting
        /// The index follows the files.
        case ready
        /// It has ended.
        case ended
    }

    /// Where the watch is.
    public var phase = Phase.starting
    /// The process that watches.
    public var process: Int32 = 0
    /// When the watch began.
    public var since = Timestamp.now
    /// Whether files are compared at intervals, because their file system has no events.
    public var isPolling = false
    /// Items whose changes the kernel reports.
    public var watchedItems = 0
    /// Items that are compared every minute instead, because the kernel has no more watches.
    public var unwatchedItems = 0
    /// The kernel's watches for the library.
    public var watches = 0
    /// Items with changes that are not in the index yet.
    public var waiting = 0
    /// The age of the oldest of those changes, in milliseconds.
    public var lag: Int64 = 0
    /// Items that cannot be read.
    public var faults = 0
    /// How often the kernel lost events.
    public var overflows = 0
    /// When the last comparison of all files ended; `nil` before the first.
    public var sweptAt: Timestamp?
    /// What the daemon does about pages that wait; `nil` if it saves none.
    public var pages: PagesStatus?
    /// What the daemon's works did; of those that did something, or failed.
    public var works: [WorkStatus] = []
    /// Why the index cannot be updated now; the changes wait. `nil` if it can.
    public var problem: WatchProblem?

    /// The status of a watch that has not begun.
    public init() {}
}
