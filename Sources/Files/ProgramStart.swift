internal import CSystem
internal import Glibc

/// Starts another program, with all rights of this one.
public struct ProgramStart: Sendable {
    /// The target of a standard stream.
    public enum Stream: Sendable {
        case ours
        case descriptor(Int32)
        /// A file, opened with these flags of `open`.
        case file(String, Int32)
    }

    /// The session and process group of the program.
    public enum Family: Sendable {
        case ours
        case ownGroup
        /// A new session, without our terminal.
        case ownSession
    }

    /// The program and its arguments.
    public var words: [String]
    /// Whether to search PATH for a program without a slash.
    public var isOnPath = false
    /// Its standard input.
    public var input = Stream.ours
    /// Its standard output.
    public var output = Stream.ours
    /// Its standard error.
    public var errors = Stream.ours
    /// The session and process group of the program.
    public var family = Family.ours
    /// Signals that the program must not ignore even if this process does.
    public var signals: Signals = .none

    /// Sets of signals by purpose.
    public enum Signals: Sendable {
        case none, interrupt, all
    }

    /// Why the program could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// An errno.
        public let number: Int32
        /// The system's message for it.
        public var description: String { String(cString: strerror(number)) }
    }

    /// - Parameter words: the program and its arguments; not empty.
    public init(_ words: [String]) { self.words = words }

    /// Starts the program.
    ///
    /// - Returns: the process; wait for it with `ProcessEnd`.
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
        // A program that outlives this one keeps none of its files open.
        if case .ownSession = family { _ = csystem_spawn_close_from(&actions, 3) }
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
            // POSIX_SPAWN_SETSID of glibc 2.26, which Swift's module omits.
            flags |= 0x80
        }
        posix_spawnattr_setflags(&attributes, flags)
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: Int32 = 0
        let number =
            isOnPath
            ? posix_spawnp(&process, words[0], &actions, &attributes, arguments, Glibc.environ)
            : posix_spawn(&process, words[0], &actions, &attributes, arguments, Glibc.environ)
        if number != 0 { throw Failure(number: number) }
        return process
    }
}

/// How a child of this process ended.
public enum ProcessEnd: Sendable {
    /// Waits until it ends; call it once for each child.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that ended it; `nil` with errno if it is no
    ///   child.
    public static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        return uninterrupted { waitpid(process, &status, 0) } == -1 ? nil : code(status)
    }

    /// The exit code in a status of `wait`, or 128 and the number of the signal.
    package static func code(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
