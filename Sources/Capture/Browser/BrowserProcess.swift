internal import CSystem
internal import Glibc

/// A running program with a socket on its descriptors 3 and 4, in a process group of its own.
///
/// Ended by `end()`, which kills the whole group; done also when the last reference goes away. If we die without that,
/// the other end of the socket closes, at which the browser ends by itself.
final class BrowserProcess {
    let channel: DevToolsChannel
    private let leader: pid_t
    private var isOver = false

    private init(leader: pid_t, channel: DevToolsChannel) {
        self.leader = leader
        self.channel = channel
    }

    deinit { end() }

    /// The process group's number.
    var group: Int { Int(leader) }

    /// - Parameter words: the program's absolute path and its arguments.
    static func start(_ words: [String], environment: [String]) throws(BrowserFailure) -> BrowserProcess {
        let messages = try pair()
        let errors: (ours: Int32, theirs: Int32)
        do throws(BrowserFailure) {
            errors = try pair()
        } catch {
            close(messages.ours)
            close(messages.theirs)
            throw error
        }
        defer {
            close(messages.theirs)
            close(errors.theirs)
        }
        Socket.stopBlocking(messages.ours)
        Socket.stopBlocking(errors.ours)
        // Their end too: a browser that has much to say loses it rather than waits for us to read it.
        Socket.stopBlocking(errors.theirs)
        let channel = DevToolsChannel(socket: messages.ours, errors: errors.ours)
        let leader = try spawn(words, environment: environment, socket: messages.theirs, errors: errors.theirs)
        return BrowserProcess(leader: leader, channel: channel)
    }

    /// Two connected sockets that are closed at exec. Theirs has a number above those that the child's are made from: a
    /// dup2 of 3 onto 3 would leave it to be closed.
    private static func pair() throws(BrowserFailure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        if socketpair(AF_UNIX, Socket.stream | Socket.closedAtExec, 0, &ends) != 0 {
            throw .system(call: "socketpair", number: errno)
        }
        let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        let number = errno
        close(ends[1])
        if theirs < 0 {
            close(ends[0])
            throw .system(call: "fcntl", number: number)
        }
        return (ends[0], theirs)
    }

    private static func spawn(
        _ words: [String], environment: [String], socket: Int32, errors: Int32
    ) throws(BrowserFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        posix_spawn_file_actions_adddup2(&actions, socket, 3)
        posix_spawn_file_actions_adddup2(&actions, socket, 4)
        csystem_spawn_close_from(&actions, 5)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // The calling thread may block signals; a shell that cannot see SIGCHLD waits for ever.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
        if failure != 0 { throw .didNotStart(path: words[0], said: String(cString: strerror(failure))) }
        return process
    }

    /// Kills the group and takes leave of its leader.
    func end() {
        if isOver { return }
        isOver = true
        // The leader is not waited for yet, so that its number cannot be another's.
        kill(-leader, SIGKILL)
        kill(leader, SIGKILL)
        var status: Int32 = 0
        while waitpid(leader, &status, 0) == -1, errno == EINTR {}
    }
}
