import Glibc

/// One run of another program, timed from outside.
struct ProcessRun {
    let seconds: Double
    /// Largest resident set in KiB.
    let residentKiB: Int
    let status: Int32

    /// Runs a program and waits for it; standard output is thrown away.
    ///
    /// - Parameter input: a file for standard input.
    init(_ words: [String], input: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process: pid_t = 0
        let start = ContinuousClock.now
        let failure = posix_spawn(&process, words[0], &actions, nil, arguments, environ)
        if failure != 0 {
            throw BenchmarkError(description: "cannot start \(words[0]): \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) == -1, errno == EINTR {}
        let elapsed = ContinuousClock.now - start
        seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        residentKiB = Int(usage.ru_maxrss)
        self.status = status
    }
}
