import Files
import Glibc

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
