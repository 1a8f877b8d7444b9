import Glibc
import StuffBucket

/// Another program that a command hands over to: a pager, a desktop's opener, the worker.
enum Program {
    /// Runs it with our streams and waits for it; found on PATH if it has no slash.
    ///
    /// - Parameter isDetached: whether it gets a session of its own, without our streams, and is not waited for.
    /// - Returns: its exit code, 0 if it is not waited for; `nil` if it cannot be started.
    @discardableResult
    static func run(_ words: [String], isDetached: Bool = false) -> Int32? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isDetached {
            // POSIX_SPAWN_SETSID of glibc 2.26, which Swift's module leaves out.
            posix_spawnattr_setflags(&attributes, 0x80)
            for stream: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process: pid_t = 0
        guard posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ) == 0 else { return nil }
        if isDetached { return 0 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Runs it with a pipe on its standard input and one on its standard output, which it may fill when it has read all.
    ///
    /// - Parameter feed: given what writes to it; bytes that it does not want any more are dropped.
    /// - Returns: `nil` if it cannot be started.
    static func filter(
        _ words: [String], _ feed: ((([UInt8]) -> Void)) throws -> Void
    ) throws -> (status: Int32, output: [UInt8])? {
        var input: [Int32] = [-1, -1], output: [Int32] = [-1, -1]
        guard pipe(&input) == 0, pipe(&output) == 0 else { return nil }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(output[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process: pid_t = 0
        let failure = posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
        close(input[0])
        close(output[1])
        if failure != 0 {
            close(input[1])
            return nil
        }
        let handler = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, handler) }
        let result = Result { try feed { bytes in writeAll(bytes, to: input[1]) } }
        close(input[1])
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output[0], &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] } else if count == 0 || errno != EINTR { break }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        try result.get()
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, bytes)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if count < 0, errno != EINTR { return }
            done += max(0, count)
        }
    }

    /// Becomes it; only returns if that fails.
    static func become(_ words: [String]) {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        execv(words[0], arguments)
    }

    /// Where this program is, for a shell that is to run it again; the name to look for on PATH if that is not known.
    static var ownPath: String { RunningProgram.path ?? "sbfs" }

    /// This program again, for work that nobody waits for.
    static func runSelfDetached(_ words: [String]) { run([ownPath] + words, isDetached: true) }
}
