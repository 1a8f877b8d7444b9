import Glibc
import StuffBucket

/// Another program that a command runs: a pager, a desktop's opener, the worker.
enum Program {
    /// Runs it with our streams and waits for it. A name without a slash is searched on PATH.
    ///
    /// - Parameter isDetached: whether it gets a new session without our streams, and is not waited for.
    /// - Returns: its exit code, 0 if it is not waited for; `nil` if it cannot be started.
    @discardableResult
    static func run(_ words: [String], isDetached: Bool = false) -> Int32? {
        var start = ProgramStart(words)
        start.isOnPath = true
        if isDetached {
            start.family = .ownSession
            for stream in [\ProgramStart.input, \.output, \.errors] {
                start[keyPath: stream] = .file("/dev/null", O_RDWR)
            }
        }
        guard let process = try? start.run() else { return nil }
        return isDetached ? 0 : ProcessEnd.wait(for: process) ?? 0
    }

    /// What becomes of a program's standard error.
    enum Errors {
        case ours
        /// Part of its output.
        case taken
        case dropped
    }

    /// Runs it with pipes for its standard input and output. It may write its output after it has read all input.
    ///
    /// - Parameters:
    ///   - errors: what becomes of what it writes to standard error.
    ///   - limit: the most bytes of output; a program that writes more is ended by SIGPIPE.
    ///   - feed: receives a function that writes to it; bytes that the program no longer reads are dropped.
    /// - Returns: `nil` if it cannot be started.
    static func filter(
        _ words: [String], errors: Errors = .ours, limit: Int = .max, _ feed: ((([UInt8]) -> Void)) throws -> Void
    ) throws -> (status: Int32, output: [UInt8])? {
        var input: [Int32] = [-1, -1], output: [Int32] = [-1, -1]
        guard pipe(&input) == 0, pipe(&output) == 0 else { return nil }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var start = ProgramStart(words)
        start.isOnPath = true
        start.input = .descriptor(input[0])
        start.output = .descriptor(output[1])
        switch errors {
        case .ours: break
        case .taken: start.errors = .descriptor(output[1])
        case .dropped: start.errors = .file("/dev/null", O_WRONLY)
        }
        let process = try? start.run()
        close(input[0])
        close(output[1])
        guard let process else {
            close(input[1])
            close(output[0])
            return nil
        }
        let handler = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, handler) }
        let stream = ByteStream(input[1], name: words[0])
        let result = Result { try feed { bytes in try? stream.write(bytes) } }
        close(input[1])
        var bytes: [UInt8] = []
        let answers = ByteStream(output[0], name: words[0])
        while bytes.count <= limit, let chunk = try? answers.read(), !chunk.isEmpty { bytes += chunk }
        close(output[0])
        let status = ProcessEnd.wait(for: process) ?? 0
        try result.get()
        return (status, bytes)
    }

    /// Replaces this process by the program; returns only if that fails.
    static func become(_ words: [String]) {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        execv(words[0], arguments)
    }

    /// The path of this program, for a shell that runs it again; if unknown, the name to search on PATH.
    static var ownPath: String { RunningProgram.path ?? "sbfs" }

    /// Runs this program again in the background.
    static func runSelfDetached(_ words: [String]) { run([ownPath] + words, isDetached: true) }
}
