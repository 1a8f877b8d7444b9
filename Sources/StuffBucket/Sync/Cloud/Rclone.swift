internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// The program rclone, as the person has set it up: its configuration, its remotes, its encryption.
///
/// One call is one process. It never asks a question, and is killed when it hangs.
struct Rclone {
    /// The folder as rclone names it: `REMOTE:PATH`.
    let target: String
    /// The exchange as the person named it.
    let path: String
    let monitor: Monitor
    /// rclone is ended when it wrote nothing for so long.
    let patience: Duration
    /// Whether it must not be started.
    let isOffline: Bool

    init(_ target: String, _ folder: ExchangeFolder, _ monitor: Monitor) {
        self.target = target
        self.monitor = monitor
        (path, patience, isOffline) = (folder.path, folder.patience, folder.isOffline)
    }

    private static let program = "rclone"
    /// It writes a line every five seconds, so silence means that it hangs.
    private static let options = [
        "--stats", "5s", "--stats-one-line", "--stats-log-level", "NOTICE", "--ask-password=false", "--retries", "2",
        "--low-level-retries", "3", "--contimeout", "20s", "--timeout", "60s",
    ]

    /// A file of a listing.
    struct Entry: Equatable {
        /// Relative to the folder that was listed.
        let path: String
        let byteCount: Int
        /// As the cloud spells it; it is only compared.
        let modified: String
        var time: Timestamp? { Timestamp(modified) }
    }

    /// Where rclone reports that a folder or a file is not there.
    private static let isAbsent: Set<Int32> = [3, 4]

    /// The path of a file in the exchange, as rclone names it.
    func full(_ path: String) -> String {
        if path.isEmpty { return target }
        return target + (target.hasSuffix("/") || target.hasSuffix(":") ? "" : "/") + path
    }

    /// Lists files of the exchange.
    ///
    /// - Parameters:
    ///   - folder: relative to the exchange.
    ///   - options: what to list.
    /// - Returns: `nil` if the folder is not there.
    func list(_ folder: String, _ options: [String]) throws -> [Entry]? {
        let outcome = try run(["lsjson", "--no-mimetype"] + options + [full(folder)])
        if Self.isAbsent.contains(outcome.status) { return nil }
        try check(outcome)
        guard let json = try? JSONDocument(parsing: outcome.output), json.kind(json.root) == .array else {
            throw SyncError.cloud(path: path, .answer)
        }
        return json.elements(json.root).compactMap { entry in
            guard json.kind(entry) == .object, let path = json.member("Path", of: entry).flatMap({ json.string($0) })
            else { return nil }
            return Entry(
                path: path, byteCount: json.member("Size", of: entry).flatMap { json.count($0) } ?? 0,
                modified: json.member("ModTime", of: entry).flatMap { json.string($0) } ?? "")
        }
    }

    /// Whether the top of the remote has names that rclone cannot decrypt: those of another password, or of files that a remote of the
    /// type crypt did not write. rclone passes over them, and says so at its level of most detail alone.
    func hasSealedNames() throws -> Bool {
        let top = target.prefix { $0 != ":" } + ":"
        let outcome = try run(["lsf", "--max-depth", "1", "--log-level", "DEBUG", String(top)])
        return String(decoding: outcome.errors, as: UTF8.self).contains(text: "undecryptable")
    }

    /// Copies files from the exchange into a folder, at the same paths.
    ///
    /// A file that is not there, that breaks off, or that a remote of the type crypt cannot decrypt, is left out without an error.
    ///
    /// - Returns: what rclone says of files that it could not copy, though they are there; see `failure`.
    func bring(_ list: String, into folder: String) throws -> [String] {
        let outcome = try run(["copy", "--files-from-raw", list, "--no-traverse", "--ignore-times", target, folder])
        // Some files of the list may be there.
        if outcome.status != 0, try Directory(path: folder).entries().isEmpty, !isMissing(outcome),
            !isSealed(outcome)
        {
            try check(outcome)
        }
        return outcome.status == 0 ? [] : failedLines(outcome)
    }

    /// Copies files into the exchange. A file that is there with the same size stays, unless it is replaced.
    func send(_ list: String, from folder: String, replacing: Bool) throws {
        var words = ["copy", "--files-from-raw", list, "--no-traverse", folder, target]
        if replacing { return try check(run(words + ["--ignore-times"])) }
        words.append("--size-only")
        let outcome = try run(words + ["--immutable"])
        if outcome.status == 0 { return }
        // One that is there with another size is a part of the same object, or was packed by another version of zstd.
        try check(String(decoding: outcome.errors, as: UTF8.self).contains(text: "immutable") ? run(words) : outcome)
    }

    /// Replaces one file.
    func replace(_ path: String, from file: String) throws {
        try check(run(["copyto", "--ignore-times", file, full(path)]))
    }

    /// Deletes files of a list.
    func delete(_ list: String) throws {
        try check(run(["delete", "--files-from-raw", list, target]))
    }

    private func isMissing(_ outcome: WatchedProgram.Outcome) -> Bool {
        if Self.isAbsent.contains(outcome.status) { return true }
        // Without a configuration, no remote is known: that is no missing file.
        return String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").contains { line in
            line.contains(text: "not found") && !line.contains(text: "Config file")
        }
    }

    /// Whether a remote of the type crypt found files that it did not write, or that lost bytes (rclone, backend/crypt/cipher.go).
    private func isSealed(_ outcome: WatchedProgram.Outcome) -> Bool {
        let errors = String(decoding: outcome.errors, as: UTF8.self)
        return ["file is too short to be encrypted", "file has truncated block header", "bad magic string"].contains {
            errors.contains(text: $0)
        }
    }

    private static let failedMark = ": Failed to copy: "

    /// The lines about files that are there and that could not be copied: `2026/11/23 10:15:00 ERROR : path: Failed to copy: why`.
    private func failedLines(_ outcome: WatchedProgram.Outcome) -> [String] {
        String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").map(String.init).filter {
            $0.contains(text: Self.failedMark) && !$0.contains(text: "not found")
        }
    }

    /// Why a file could not be copied, from the lines of a run.
    static func failure(of path: String, in lines: [String]) -> String? {
        let parts = lines.first { $0.contains(text: path + failedMark) }?.split(text: failedMark)
        return parts?.last.map { "rclone: " + $0 }
    }

    /// A line of rclone's log without the time at its beginning: `2026/11/23 10:15:00 `.
    private static func withoutTime(_ line: String) -> String {
        let form = "0000/00/00 00:00:00 ".utf8
        let isTime =
            line.utf8.count > form.count
            && zip(line.utf8, form).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
        return isTime ? String(Substring(line.utf8.dropFirst(form.count))) : line
    }

    private func run(_ words: [String]) throws -> WatchedProgram.Outcome {
        if isOffline { throw SyncError.cloud(path: path, .offline) }
        do {
            return try WatchedProgram([Self.program] + words + Self.options, patience: patience).run(monitor.check)
        } catch let failure as WatchedProgram.Failure {
            switch failure {
            case .notStarted: throw SyncError.cloud(path: path, .noProgram)
            case .silent: throw SyncError.cloud(path: path, .silent(seconds: Int(patience.components.seconds)))
            case .tooMuch: throw SyncError.cloud(path: path, .answer)
            }
        }
    }

    private func check(_ outcome: WatchedProgram.Outcome) throws {
        if outcome.status == 0 { return }
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").map(String.init)
        if lines.contains(where: { $0.contains(text: "didn't find section in config file") }) {
            throw SyncError.cloud(path: path, .noRemote)
        }
        // `2026/11/23 10:15:00 ERROR : what: why`
        let told =
            lines.last { $0.contains(text: "ERROR") || $0.contains(text: "Failed") || $0.contains(text: "CRITICAL") }
            ?? lines.last
        let words = told.map { line in
            line.firstRange(ofText: " : ").map { String(line[$0.upperBound...]) } ?? Self.withoutTime(line)
        }
        throw SyncError.cloud(
            path: path, .failed(status: Int(outcome.status), message: words.map { String($0.prefix(500)) } ?? ""))
    }
}
