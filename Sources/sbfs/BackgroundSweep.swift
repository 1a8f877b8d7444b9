import Glibc

/// A process of this program that compares the files with the index while nobody waits for it.
enum BackgroundSweep {
    /// Starts it, in a session of its own, without streams; where it cannot be started, the next search tries again.
    static func start(library: String) {
        let words = ["/proc/self/exe", "--library", library, "reindex", "--background"]
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID of glibc 2.26, which Swift's module leaves out.
        posix_spawnattr_setflags(&attributes, 0x80)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process: pid_t = 0
        _ = posix_spawn(&process, words[0], &actions, &attributes, arguments, environ)
    }
}
