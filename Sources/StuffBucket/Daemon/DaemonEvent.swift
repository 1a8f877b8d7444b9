/// What a daemon says while it runs.
public enum DaemonEvent: Sendable {
    /// The index follows all files.
    case ready(WatchStatus)
    /// Something changed in the library.
    case change(LibraryChange)
    /// A piece of work did something.
    case done(work: String, count: Int)
    /// A piece of work failed; it is tried again.
    case failed(work: String, error: any Error)
}

/// Why a daemon cannot run.
public enum DaemonFault: Error, Sendable, Equatable {
    /// Another process watches the library already; its number, if it says so.
    case running(process: Int32?)
}

extension DaemonFault: CustomStringConvertible {
    /// Why it cannot run, as a clause for a person.
    public var description: String {
        switch self {
        case .running(let process): "the library is watched already" + (process.map { " by process \($0)" } ?? "")
        }
    }
}
