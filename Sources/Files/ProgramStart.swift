internal import Glibc

/// Starts another program. A browser, which gets fewer rights, is started by CConfinement.
public struct ProgramStart {
    /// What one of its standard streams is.
    public enum Stream: Sendable {
        case ours
        case descriptor(Int32)
        /// A file that is opened with flags of `open`.
        case file(String, Int32)
    }

    /// To whose session and process group it belongs.
    public enum Family: Sendable {
        case ours
        case ownGroup
        /// Without our terminal.
        case ownSession
    }

    /// The program and its arguments.
    public var words: [String]
    /// Whether a program without a slash is looked for on PATH.
    public var isOnPath = false
    /// Its standard input.
    public var input = Stream.ours
    /// Its standard output.
    public var output = Stream.ours
    /// Its standard error.
    public var errors = Stream.ours
    /// The session and process group that it gets.
    public var family = Family.ours
    /// Signals that are not ignored any more, though this process may ignore them.
    public var signals: Signals = .none

    /// Signals by what they are needed for.
    public enum Signals: Sendable {
        case none, interrupt, all
    }

    /// Why it could not be started.
    public struct Failure: Error {
        /// An errno.
        public let number: Int32
        /// What the system says of it.
        public var reason: String { String(cString: strerror(number)) }
    }

    /// - Parameter words: the program and its arguments; not empty.
    public init(_ words: [String]) { self.words = words }

    /// Starts it.
    ///
    /// - Returns: the process, to be waited for with `ProcessEnd`.
    /// - Throws: `Failure` if it cannot be started.
    public func run() throws(Failure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in zip([0, 1, 2] as [Int32], [input, output, errors]) {
            switch stream {
            case .ours: break
            case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
            case .file(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var set = sigset_t()
        sigemptyset(&set)
        switch signals {
        case .none: break
        case .interrupt: sigaddset(&set, SIGINT)
        case .all: sigfillset(&set)
        }
        posix_spawnattr_setsigdefault(&attributes, &set)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF)
        switch family {
        case .ours: break
        case .ownGroup:
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int16(POSIX_SPAWN_SETPGROUP)
        case .ownSession:
            // POSIX_SPAWN_SETSID of glibc 2.26, which Swift's module leaves out.
            flags |= 0x80
        }
        posix_spawnattr_setflags(&attributes, flags)
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: Int32 = 0
        let number =
            isOnPath
            ? posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ)
            : posix_spawn(&process, words[0], &actions, &attributes, arguments, environ)
        if number != 0 { throw Failure(number: number) }
        return process
    }
}

/// How a child of this process ended.
public enum ProcessEnd {
    /// Waits until it has ended; once for each child.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that ended it; `nil` with errno if it is no child.
    public static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        return uninterrupted { waitpid(process, &status, 0) } == -1 ? nil : code(status)
    }

    /// The exit code of a status of `wait`, or 128 and the number of the signal.
    public static func code(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
