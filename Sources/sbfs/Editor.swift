import Glibc
import StuffBucket

/// The person's text editor.
enum Editor {
    /// Runs the editor on a file and waits until it ends.
    ///
    /// The editor is the `editor` setting, `$VISUAL`, `$EDITOR`, else `vi`. The shell runs it, as in git, so that it
    /// may have arguments.
    ///
    /// - Throws: `CommandFailure` if it cannot be run or fails.
    static func open(_ path: String) throws {
        let settings = try LocalSettings.read()
        let editor =
            [settings["editor"], Environment["VISUAL"], Environment["EDITOR"]]
            .compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
        // The editor may use Ctrl-C itself; it must not end this program.
        let interrupt = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interrupt) }
        let status = try run(["/bin/sh", "-c", editor + " \"$@\"", editor, path])
        if status != 0 {
            throw CommandFailure(
                .failed, "the editor \"\(editor)\" ended with status \(status); the text is kept in \(path)")
        }
    }

    private static func run(_ words: [String]) throws -> Int32 {
        var start = ProgramStart(words)
        start.signals = .interrupt
        // Standard input may contain ids, but the editor needs the terminal.
        let terminal = isatty(0) == 0 ? Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC) : -1
        if terminal >= 0 {
            close(terminal)
            start.input = .file("/dev/tty", O_RDWR)
        }
        let process: pid_t
        do throws(ProgramStart.Failure) {
            process = try start.run()
        } catch {
            throw CommandFailure(.failed, "cannot start the editor: \(error.reason)")
        }
        guard let status = ProcessEnd.wait(for: process) else {
            throw CommandFailure(.failed, "the editor process was lost: \(String(cString: strerror(errno)))")
        }
        return status
    }
}

/// A person's file, edited outside the library. It survives a crash, a closed terminal and a restart.
///
/// Its folder is locked as long as this object lives, so that two editors never write one draft: a second edit of the
/// same item gets another folder, `<key>-2`.
final class Draft {
    private static let limit = 1 << 30

    let folder: String
    let name: String
    private let parent: Directory
    private let slot: Slot

    /// A draft's folder and the lock on it.
    private struct Slot: ~Copyable {
        let name: String
        let lock: FileLock
    }

    /// - Parameters:
    ///   - library: drafts of one library are never offered in another one or in a copy.
    ///   - key: what is edited; the same key finds an unfinished draft again.
    ///   - name: the file name that the editor shows.
    init(of library: Library, key: String, name: String) throws {
        let key = SHA256.hex(Array((FilePath.real(library.path) ?? library.path).utf8)).prefix(8) + "-" + key
        let drafts = Environment.stateFolder + "/drafts"
        try Directory.makePrivate(path: drafts, below: Environment.stateFolder)
        let parent = try Directory(path: drafts)
        slot = try Self.slot(key, name, in: parent)
        folder = drafts + "/" + slot.name
        self.name = name
        self.parent = parent
    }

    /// The first folder with an unfinished draft, else the first free one.
    private static func slot(_ key: String, _ name: String, in parent: borrowing Directory) throws -> Slot {
        func folder(_ number: Int) -> String { number == 1 ? key : "\(key)-\(number)" }
        var number = 1
        while try parent.statusIfPresent(of: folder(number)) != nil {
            if try parent.statusIfPresent(of: folder(number) + "/" + name) != nil,
                let lock = try FileLock.acquireFolder(folder(number), in: parent)
            {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
        number = 1
        while true {
            try parent.makeDirectory(folder(number), permissions: 0o700)
            if let lock = try FileLock.acquireFolder(folder(number), in: parent) {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
    }

    var path: String { folder + "/" + name }

    /// The text of an unfinished edit; `nil` if there is none.
    func leftOver() throws -> [UInt8]? { try contents(name) }

    /// The version on which the unfinished edit is based; `nil` if there is none.
    func base() throws -> [UInt8]? { try contents(name + ".base") }

    private func contents(_ file: String) throws -> [UInt8]? {
        try parent.contentsIfPresent(of: slot.name + "/" + file, limit: Self.limit)?.bytes
    }

    /// Writes the version to edit, and a copy as the base.
    func begin(_ bytes: [UInt8]) throws {
        let folder = try parent.directory(slot.name)
        try folder.writeFile(name + ".base", bytes, permissions: 0o600)
        try folder.writeFile(name, bytes, permissions: 0o600)
    }

    /// Writes another spelling of the same version as the base.
    func keepBase(_ bytes: [UInt8]) throws {
        try parent.directory(slot.name).writeFile(name + ".base", bytes, permissions: 0o600)
    }

    func read() throws -> [UInt8] { try parent.contents(of: slot.name + "/" + name, limit: Self.limit).bytes }

    func remove() { try? parent.removeTree(slot.name) }
}
