import Glibc
import StuffBucket

/// Runs git.
struct Git {
    /// The folder in which it runs; `nil` for the working folder.
    let folder: String?

    /// Variables that name a repository, as git's own hooks have them: `-C` would not choose another one.
    private static let variables = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_CONFIG",
        "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
    ]

    /// Lets the folder alone decide which repository the programs that this process starts see.
    static func forgetRepository() {
        for name in variables { unsetenv(name) }
    }

    /// The words that start git with these.
    func words(_ words: [String]) -> [String] { ["git"] + (folder.map { ["-C", $0] } ?? []) + words }

    /// What it prints; `nil` if its exit code is `none`.
    ///
    /// - Throws: `CommandFailure` with git's own words if it has another exit code.
    func output(_ words: [String], unless none: Int32? = nil) throws -> [UInt8]? {
        let found = try result(words, .dropped)
        if found.status == 0 { return found.output }
        if found.status == none { return nil }
        throw try failure(words)
    }

    /// What it prints, without the last line end; `nil` if it fails.
    func line(_ words: String...) throws -> String? {
        let found = try result(words, .dropped)
        return found.status == 0 ? Self.line(found.output) : nil
    }

    static func line(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// Whether a rebase has stopped at a commit: REBASE_HEAD names it. git leaves that name behind when the rebase is done.
    func isRebasing() throws -> Bool {
        guard try line("rev-parse", "-q", "--verify", "REBASE_HEAD^{commit}") != nil else { return false }
        return try ["rebase-merge", "rebase-apply"].contains { name in
            guard let path = try line("rev-parse", "--git-path", name) else { return false }
            return access(path.hasPrefix("/") ? path : (folder ?? ".") + "/" + path, F_OK) == 0
        }
    }

    /// Runs it for its effect.
    ///
    /// - Throws: `CommandFailure` with git's own words.
    func run(_ words: String...) throws {
        let found = try result(words, .taken)
        if found.status != 0 { throw Self.failure(found) }
    }

    /// Runs words that fail again, to hear why: what git prints is else not mixed with its messages.
    func failure(_ words: [String]) throws -> CommandFailure { Self.failure(try result(words, .taken)) }

    private static func failure(_ found: (status: Int32, output: [UInt8])) -> CommandFailure {
        let lines = found.output.split { $0 == 0x0A || $0 == 0x0D }.map {
            String(decoding: $0, as: UTF8.self).trimmingSpace
        }.filter { !$0.isEmpty }
        // Advice follows the first line, and what to type follows a colon.
        let words = lines.prefix(3).reduce("") { $0 + ($0.isEmpty ? "" : $0.hasSuffix(":") ? " " : "; ") + $1 }
        return CommandFailure(.failed, words.isEmpty ? "git failed (exit \(found.status))" : "git says: \(words)")
    }

    private func result(_ words: [String], _ errors: Program.Errors) throws -> (status: Int32, output: [UInt8]) {
        guard let found = try Program.filter(self.words(words), errors: errors, { _ in }), found.status != 127 else {
            throw CommandFailure(.failed, "there is no program git; install it first")
        }
        return found
    }
}
