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
        let status = try run(["/bin/sh", "-c", editor + " \"$@\"", editor, path])
        if status != 0 {
            throw CommandFailure(
                .failed, "the editor \"\(editor)\" ended with status \(status); the text is kept in \(path)")
        }
    }

    /// Runs the person's merge tool: the `mergetool` setting, a line for the shell with the variables of git's
    /// `mergetool.<tool>.cmd` (git-mergetool(1)).
    ///
    /// - Parameters:
    ///   - files: the paths of the first value, what both came from, the second value, and the result.
    /// - Returns: false if no tool is set.
    /// - Throws: `CommandFailure` if it cannot be run or fails.
    static func merge(_ files: (local: String, base: String, remote: String, merged: String)) throws -> Bool {
        let tool = try LocalSettings.read()[LocalSettings.Key.mergeTool.rawValue] ?? ""
        if tool.isEmpty { return false }
        let start = "LOCAL=$1 BASE=$2 REMOTE=$3 MERGED=$4; export LOCAL BASE REMOTE MERGED; "
        let status = try run(
            ["/bin/sh", "-c", start + tool, "mergetool", files.local, files.base, files.remote, files.merged])
        if status != 0 {
            throw CommandFailure(
                .failed,
                "the merge tool \"\(tool)\" ended with status \(status); nothing was changed. Its result is kept in "
                    + files.merged)
        }
        return true
    }

    private static func run(_ words: [String]) throws -> Int32 {
        // The program may use Ctrl-C itself; it must not end this one.
        let interrupt = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interrupt) }
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
            throw CommandFailure(.failed, "cannot start the editor: \(error)")
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
    private let parent: LocalFolder
    private let slot: Slot

    /// A draft's folder and the lock on it.
    private struct Slot: ~Copyable {
        let name: String
        let lock: LocalFolder.Lock
    }

    /// - Parameters:
    ///   - library: drafts of one library are never offered in another one or in a copy.
    ///   - key: what is edited; the same key finds an unfinished draft again.
    ///   - name: the file name that the editor shows.
    init(of library: Library, key: String, name: String) throws {
        let key = SHA256.hex(Array((FilePath.real(library.path) ?? library.path).utf8)).prefix(8) + "-" + key
        let drafts = Environment.stateFolder + "/drafts"
        let parent = LocalFolder(drafts)
        try parent.makePrivate(from: Environment.stateFolder)
        slot = try Self.slot(key, name, in: parent)
        folder = drafts + "/" + slot.name
        self.name = name
        self.parent = parent
    }

    /// The first folder with an unfinished draft, else the first free one.
    private static func slot(_ key: String, _ name: String, in parent: LocalFolder) throws -> Slot {
        func folder(_ number: Int) -> String { number == 1 ? key : "\(key)-\(number)" }
        var number = 1
        while try parent.status(of: folder(number)) != nil {
            if try parent.status(of: folder(number) + "/" + name) != nil,
                let lock = try parent.lock(folder(number))
            {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
        number = 1
        while true {
            _ = try parent.makeFolder(folder(number))
            if let lock = try parent.lock(folder(number)) {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
    }

    var path: String { folder + "/" + name }

    /// Opens the text in the editor and waits until that ends.
    ///
    /// An unfinished edit that the person closes without saving it is applied only if the person says so: perhaps it was left
    /// on purpose.
    ///
    /// - Parameters:
    ///   - isContinued: whether the draft holds an unfinished edit that was not saved since; false afterwards.
    ///   - command: the command that goes on with the draft, and takes `--discard`.
    /// - Returns: what to say if the editor ended sooner than a person reads, and nothing was saved: perhaps it goes on by
    ///   itself, and saves later. The draft must stay for that.
    /// - Throws: `CommandFailure` if the editor fails, or the unfinished edit is not to be applied; the draft stays.
    func edit(_ isContinued: inout Bool, _ command: String) throws -> String? {
        let before = try status()
        let start = Self.seconds
        try Editor.open(path)
        if try status() != before {
            isContinued = false
            return nil
        }
        if isContinued {
            isContinued = false
            if Prompt.confirm("You did not save the unfinished edit now. Apply it as it is?") == true { return nil }
            throw CommandFailure(
                .failed,
                "nothing was changed; the unfinished edit is kept in \(path). \"\(command)\" goes on with it, and applies it "
                    + "when you save it; with --discard it begins from the start")
        }
        if Self.seconds - start > 2 { return nil }
        return "the editor ended at once. If it is still open, set EDITOR to a command that waits for it, as "
            + "\"code --wait\" or \"gvim -f\"; \"\(command)\" goes on with what you save in \(path)"
    }

    private func status() throws -> FileStatus? { try parent.status(of: slot.name + "/" + name) }

    /// Seconds of a clock that nobody sets.
    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The text of an unfinished edit; `nil` if there is none.
    func leftOver() throws -> [UInt8]? { try contents(name) }

    /// The version on which the unfinished edit is based; `nil` if there is none.
    func base() throws -> [UInt8]? { try contents(name + ".base") }

    private func contents(_ file: String) throws -> [UInt8]? {
        try parent.contents(of: slot.name + "/" + file, limit: Self.limit)
    }

    /// Writes the version to edit, and a copy as the base.
    func begin(_ bytes: [UInt8]) throws {
        let folder = LocalFolder(folder)
        try folder.write(bytes, to: name + ".base")
        try folder.write(bytes, to: name)
    }

    /// Writes another spelling of the same version as the base.
    func keepBase(_ bytes: [UInt8]) throws {
        try LocalFolder(folder).write(bytes, to: name + ".base")
    }

    func read() throws -> [UInt8] { try FilePath.contents(path, limit: Self.limit) }

    /// Writes another file beside the text, and returns its path.
    func writeBeside(_ name: String, _ bytes: [UInt8]) throws -> String {
        try LocalFolder(folder).write(bytes, to: name)
        return folder + "/" + name
    }

    /// Adds to the text without reading it.
    func append(_ bytes: [UInt8]) throws { try LocalFolder(folder).append(bytes, to: name) }

    func remove() { try? parent.remove(slot.name) }
}
