import Dispatch
import Glibc
import TestSupport

/// The program under test.
enum Sbfs {
    static let binary = BuiltProgram.path("sbfs")

    /// The beginning of a shell's line that runs a program without root's right to pass over permissions (capabilities(7)).
    static let bound = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : ""
}

/// How a program ended, and its output.
struct Run: CustomStringConvertible {
    let words: [String]
    /// The exit code, or 128 and the signal's number if it was killed.
    let status: Int32
    let outBytes: [UInt8]
    let errBytes: [UInt8]
    /// The terminal's output, if it had one.
    let terminal: String

    var out: String { String(decoding: outBytes, as: UTF8.self) }
    var err: String { String(decoding: errBytes, as: UTF8.self) }

    /// Lines of standard output.
    var lines: [String] { out.split(separator: "\n").map(String.init) }

    var description: String {
        "\(words.joined(separator: " ")) -> \(status)\nout: \(out.debugDescription)\nerr: \(err.debugDescription)"
            + (terminal.isEmpty ? "" : "\nterminal: \(terminal.debugDescription)")
    }
}

/// A program to start in a new session, so that it never uses the terminal of the person who runs the tests.
struct Launch {
    /// Which streams are a terminal.
    enum Screen {
        /// No terminal.
        case none
        /// A terminal for questions; the streams are files.
        case asking
        /// Standard input, output and error.
        case whole
    }

    let words: [String]
    let environment: [String: String]
    let folder: String
    var input: [UInt8] = []
    var screen = Screen.none
    /// Text typed into the terminal.
    var typed = ""
    /// Actions at the terminal before that.
    var conversation: ((PseudoTerminal) throws -> Void)?

    /// Longer than anything here takes, even on a busy machine: a hanging program is killed.
    private static let patience = DispatchTimeInterval.seconds(120)
    /// A conversation has many steps.
    private static let longPatience = DispatchTimeInterval.seconds(1200)

    func run() throws -> Run {
        let output = try PlainFile(in: folder), errors = try PlainFile(in: folder), source = try PlainFile(in: folder)
        try source.write(input)
        let terminal = screen == .none ? nil : try PseudoTerminal()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes the session's own. Descriptor 9 keeps it
        // open, so that its output ends when the program ends.
        if let terminal { posix_spawn_file_actions_addopen(&actions, 9, terminal.name, O_RDWR, 0) }
        if screen == .whole {
            for number: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, 9, number) }
        } else {
            posix_spawn_file_actions_adddup2(&actions, source.number, 0)
            posix_spawn_file_actions_adddup2(&actions, output.number, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.number, 2)
        }
        let process = try spawn(&actions)
        let watchdog = DispatchWorkItem { kill(process, SIGKILL) }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + (conversation == nil ? Self.patience : Self.longPatience), execute: watchdog)
        if let terminal { try conversation?(terminal) }
        let shown = try terminal?.converse(typed) ?? ""
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        watchdog.cancel()
        return Run(
            words: words, status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
            outBytes: try output.contents(), errBytes: try errors.contents(), terminal: shown)
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // The test's thread may block signals; a shell that cannot see SIGCHLD waits endlessly.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID of glibc's spawn.h
        posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        // Uses the shell, because Swift does not see glibc's function for changing the folder.
        let all = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + words
        var arguments: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, all[0], &actions, &attributes, &arguments, &variables)
        if failure != 0 { throw LaunchError(call: "posix_spawn \(all[0])", number: failure) }
        return process
    }
}

/// A file without a name, large enough for any output.
private final class PlainFile {
    let number: Int32

    init(in folder: String) throws {
        let path = folder + "/." + String(UInt64.random(in: .min ... .max), radix: 36)
        let low = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Above the descriptors of the started process: one of them would take its place before it is copied there.
        number = fcntl(low, F_DUPFD_CLOEXEC, 32)
        close(low)
        if number < 0 { throw LaunchError(call: "open \(path)", number: errno) }
        unlink(path)
    }

    deinit { close(number) }

    func write(_ bytes: [UInt8]) throws {
        if Glibc.write(number, bytes, bytes.count) != bytes.count { throw LaunchError(call: "write", number: errno) }
        lseek(number, 0, SEEK_SET)
    }

    func contents() throws -> [UInt8] {
        let count = lseek(number, 0, SEEK_END)
        lseek(number, 0, SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let result = read(number, &bytes, bytes.count)
        if result != bytes.count { throw LaunchError(call: "read", number: errno) }
        return bytes
    }
}

/// The test's own preparation failed.
struct LaunchError: Error, CustomStringConvertible {
    let description: String

    init(call: String, number: Int32) { description = "\(call): \(String(cString: strerror(number)))" }
}
