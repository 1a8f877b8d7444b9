import Files
import Glibc

/// The person's text editor.
enum Editor {
    /// Runs the editor on a file and waits until it is closed.
    ///
    /// The `editor` setting, `$VISUAL`, `$EDITOR`, else `vi`; run by the shell, as git does, so that it may hold
    /// arguments.
    ///
    /// - Throws: `CommandFailure` if it cannot be run or fails.
    static func open(_ path: String) throws {
        let settings = try LocalSettings.read()
        let editor =
            [settings["editor"], Environment["VISUAL"], Environment["EDITOR"]]
            .compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
        // The editor may use Ctrl-C itself; it must not end us meanwhile.
        let interrupt = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interrupt) }
        let status = try run(["/bin/sh", "-c", editor + " \"$@\"", editor, path])
        if status != 0 {
            throw CommandFailure(
                .failed, "the editor \"\(editor)\" ended with status \(status); the text is kept in \(path)")
        }
    }

    private static func run(_ words: [String]) throws -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var process: pid_t = 0
        let failure = posix_spawn(&process, words[0], nil, &attributes, arguments, environ)
        if failure != 0 {
            throw CommandFailure(.failed, "cannot start the editor: \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            if errno != EINTR {
                throw CommandFailure(.failed, "the editor was lost: \(String(cString: strerror(errno)))")
            }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

/// A file of the person's being edited outside the library: it outlives a crash, a closed terminal and a restart.
struct Draft {
    let folder: String
    let name: String

    /// - Parameters:
    ///   - key: what is edited; the same key finds the same draft again.
    ///   - name: the file name that the editor sees.
    init(key: String, name: String) {
        folder = Environment.stateFolder + "/drafts/" + key
        self.name = name
    }

    var path: String { folder + "/" + name }

    /// What an earlier, unfinished edit left, or `nil`.
    func leftOver() throws -> [UInt8]? {
        try (try? Directory(path: folder))?.contentsIfPresent(of: name, limit: 1 << 30)?.bytes
    }

    func write(_ bytes: [UInt8]) throws {
        try Directory.make(path: folder)
        try Directory(path: folder).writeFile(name, bytes, permissions: 0o600)
    }

    func read() throws -> [UInt8] { try Directory(path: folder).contents(of: name, limit: 1 << 30).bytes }

    func remove() {
        guard let slash = folder.lastIndex(of: "/"), let parent = try? Directory(path: String(folder[..<slash])) else {
            return
        }
        try? parent.removeTree(String(folder[folder.index(after: slash)...]))
    }
}
