import StuffBucket

/// How a command ended; `sbfs help exit-codes` lists the codes.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case nothingFound = 3
    case partlyDone = 4
    case conflict = 5
    case locked = 6
    case tooLarge = 7
    case network = 8

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed; nothing was changed, or the message says what"
        case .usage: "the command line was not understood"
        case .nothingFound: "nothing found"
        case .partlyDone: "partly done: some items could not be handled"
        case .conflict: "another program changed the same thing; both versions are kept"
        case .locked: "another sbfs holds the library"
        case .tooLarge: "a file is above the size limit"
        case .network: "the network failed"
        }
    }

    /// Only this function turns errors into exit codes.
    init(for error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case let failure as CommandFailure: self = failure.status
        case ViewError.busy: self = .locked
        case ViewError.noView, ViewError.notAdoptable: self = .nothingFound
        case SyncError.isBusy: self = .locked
        case SyncError.cloud(_, .failed), SyncError.cloud(_, .silent), SyncError.cloud(_, .answer): self = .network
        case PruneError.noDevice: self = .nothingFound
        case AIError.network, AIError.rateLimited, AIError.server: self = .network
        case AIError.tooLarge: self = .tooLarge
        case let error as ItemError:
            switch error {
            case .conflict, .overtaken, .changedSince, .fileChangedSince: self = .conflict
            case .file(let error) where error.reason == .busy: self = .locked
            case .locked: self = .locked
            case .tooLarge: self = .tooLarge
            case .noItem: self = .nothingFound
            default: self = .failed
            }
        default: self = .failed
        }
    }
}

/// The command line cannot be understood.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    /// The command whose help the message mentions.
    var command: String?

    init(_ description: String, command: String? = nil) {
        self.description = description
        self.command = command
    }
}

/// A command ends with a message and a specific status.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String
    /// Whether the answer could not be written, after what was asked for was perhaps done.
    let isOfOutput: Bool

    init(_ status: ExitStatus, _ description: String, isOfOutput: Bool = false) {
        self.status = status
        self.description = description
        self.isOfOutput = isOfOutput
    }
}
