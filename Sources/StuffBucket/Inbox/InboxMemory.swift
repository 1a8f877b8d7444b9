internal import Files
internal import Time

/// Files whose times are later than the clock, and since when this process knows that version of them.
///
/// A file of another machine, or one from before the clock was set back, settles like any other.
struct InboxMemory {
    private struct Known {
        let status: FileStatus
        let since: Timestamp
    }

    private var known: [[UInt8]: Known] = [:]
    private var seen: [[UInt8]: Known] = [:]

    /// The time from which on a file counts as unchanged.
    ///
    /// - Parameters:
    ///   - path: below inbox/.
    ///   - now: the time of the look.
    ///   - quiet: for how long it must not have changed, in milliseconds.
    mutating func settled(
        _ status: FileStatus, at path: () -> [UInt8], now: Timestamp, quiet: Int64
    ) -> Timestamp {
        let changed = Timestamp(nanoseconds: max(status.modified, status.changed))
        var since = changed
        if changed > now {
            let path = path()
            let entry = known[path].flatMap { $0.status == status ? $0 : nil } ?? Known(status: status, since: now)
            seen[path] = entry
            since = entry.since
        }
        return Timestamp(milliseconds: since.milliseconds + quiet)
    }

    /// Forgets what the look did not meet.
    mutating func endLook() {
        known = seen
        seen = [:]
    }
}
