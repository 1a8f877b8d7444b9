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
