import Glibc
import StuffBucket

/// The rows of this terminal's last list, so that `@3` names the third.
///
/// One small file for each session in `$XDG_STATE_HOME/sbfs/rows`, never synced: without it, a person lists again.
struct RowMemory {
    private static let limit = 10_000

    private static var folder: String { Environment.stateFolder + "/rows" }

    /// The terminal's session and the start time of its leader, so that a later terminal with the same number
    /// differs. `nil` if the system does not tell, for example without /proc: otherwise rows of an older terminal
    /// could be used.
    private static var name: String? {
        let session = getsid(0)
        guard let status = try? LocalFolder("/proc/\(session)").contents(of: "stat", limit: 4096) else {
            return nil
        }
        // Field 22 of proc(5) is the start time; the second field, in parentheses, may contain anything.
        let text = String(decoding: status, as: UTF8.self)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return fields.count > 20 ? "session-\(session)-\(fields[20])" : nil
    }

    /// Removes the files of sessions that ended long ago.
    private static func tidy(_ folder: LocalFolder) {
        guard let names = try? folder.names(), names.count > 50 else { return }
        let yesterday = Timestamp.now.adding(seconds: -86_400)
        for name in names {
            guard let status = try? folder.status(of: name), status.modified / 1_000_000 < yesterday.milliseconds else {
                continue
            }
            try? folder.remove(name)
        }
    }

    static func remember(_ rows: [Row], of library: Library) {
        guard let name else { return }
        let lines = [library.settings.id.description] + rows.prefix(limit).map(\.id.description)
        do {
            let folder = LocalFolder(folder)
            try folder.makePrivate(from: Environment.stateFolder)
            try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: name, .lazy)
            tidy(folder)
        } catch {
            // Tidying may fail without harm.
        }
    }

    /// Ids of the rows; none if the last list was of another library.
    static func rows(of library: Library) -> [String] { remembered(of: library) ?? [] }

    /// Ids of the rows of the last list; `nil` if there was none, or it was of another library.
    private static func remembered(of library: Library) -> [String]? {
        guard let name else { return nil }
        let bytes = try? LocalFolder(folder).contents(of: name, limit: 1 << 20)
        let lines = (bytes ?? []).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        return lines.first == library.settings.id.description ? Array(lines.dropFirst()) : nil
    }

    /// Replaces `@3` and `@2-5` by ids; other names stay.
    ///
    /// - Throws: `CommandFailure` if there is no such row.
    static func expand(_ names: [String], of library: Library) throws -> [String] {
        guard names.contains(where: { $0.hasPrefix("@") }) else { return names }
        let remembered = remembered(of: library)
        return try names.flatMap { name -> [String] in
            guard let range = range(name) else { return [name] }
            if Self.name == nil {
                throw CommandFailure(
                    .failed,
                    "\(name): sbfs cannot tell which rows this terminal showed (/proc does not say when it started); "
                        + "name the item by its id")
            }
            guard let rows = remembered else {
                throw CommandFailure(.nothingFound, "\(name): this terminal has shown no list of this library yet")
            }
            if rows.isEmpty {
                throw CommandFailure(.nothingFound, "\(name): the last list in this terminal was empty; list again")
            }
            guard range.upperBound <= rows.count else {
                throw CommandFailure(.nothingFound, "\(name): the last list in this terminal had \(rows.count) rows")
            }
            return Array(rows[range.lowerBound - 1..<range.upperBound])
        }
    }

    /// The rows that a word such as `@3` or `@2-5` means; `nil` for any other word.
    static func range(_ name: String) -> ClosedRange<Int>? {
        guard name.hasPrefix("@") else { return nil }
        let parts = name.dropFirst().split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard let first = parts.first, let last = parts.last, parts.count <= 2, first >= 1, last >= first else {
            return nil
        }
        return first...last
    }
}
