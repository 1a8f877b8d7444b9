/// How a library is watched.
public struct WatchOptions: Sendable {
    /// How long an item must be quiet before its change counts: 200 ms.
    package var quiet: Duration = .milliseconds(200)
    /// The longest wait for an item that changes all the time: 2 s.
    package var longestWait: Duration = .seconds(2)
    /// How long an item must be absent before it counts as gone: 1 s. Editors rename files away for a moment.
    package var absence: Duration = .seconds(1)
    /// How often all files are compared although no event asked for it: an hour.
    package var sweepInterval: Duration = .seconds(3600)
    /// How often all files are compared if some items have no watch, or the file system has no events: a minute.
    package var pollInterval: Duration = .seconds(60)
    /// The largest number of watches; `nil` for 80 % of what the kernel allows a person.
    package var watchLimit: Int?
    /// Whether what programs save is kept until its versions are noted: something takes it from the watch.
    var keepsSaves = false
    /// Whether to compare at intervals only, as on a file system without events.
    public var isPolling = false
    /// The path of a socket on which other programs ask: `Library.watchSocketPath`; `nil` for none.
    public var socketPath: String?

    /// The usual options.
    public init() {}
}
