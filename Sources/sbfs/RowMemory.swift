import Files
import Glibc
import Items
import StuffBucket

/// The rows of this terminal's last list, so that `@3` names the third.
///
/// One small file a terminal in `$XDG_STATE_HOME/sbfs/rows`, never synced: losing it costs a new list.
struct RowMemory {
    private static let limit = 10_000

    private static var folder: String { Environment.stateFolder + "/rows" }

    /// The terminal's device number, or the session where there is none.
    private static var name: String {
        for descriptor: Int32 in 0..<3 {
            var status = stat()
            if isatty(descriptor) == 1, fstat(descriptor, &status) == 0 { return "tty-\(status.st_rdev)" }
        }
        return "session-\(getsid(0))"
    }

    static func remember(_ rows: [Row], of library: Library) {
        let lines = [library.store.settings.id.description] + rows.prefix(limit).map(\.id.description)
        do {
            try Directory.make(path: folder)
            let directory = try Directory(path: folder)
            let temporary = ".\(name)-\(getpid())"
            let file = try directory.createFile(temporary, permissions: 0o600)
            try file.write(Array((lines.joined(separator: "\n") + "\n").utf8))
            try directory.replace(temporary, to: directory, as: name)
        } catch {
            // Nothing depends on it.
        }
    }

    /// Turns `@3` and `@2-5` into ids; other names pass.
    ///
    /// - Throws: `CommandFailure` if there is no such row.
    static func expand(_ names: [String], of library: Library) throws -> [String] {
        guard names.contains(where: { $0.hasPrefix("@") }) else { return names }
        let contents = try? Directory(path: folder).contentsIfPresent(of: name, limit: 1 << 20)
        let lines = (contents?.bytes ?? []).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let rows = lines.first == library.store.settings.id.description ? Array(lines.dropFirst()) : []
        return try names.flatMap { name -> [String] in
            guard let range = range(name) else { return [name] }
            if rows.isEmpty { throw CommandFailure(.nothingFound, "\(name): this terminal has shown no list yet") }
            guard range.upperBound <= rows.count else {
                throw CommandFailure(.nothingFound, "\(name): the last list in this terminal had \(rows.count) rows")
            }
            return Array(rows[range.lowerBound - 1..<range.upperBound])
        }
    }

    private static func range(_ name: String) -> ClosedRange<Int>? {
        guard name.hasPrefix("@") else { return nil }
        let parts = name.dropFirst().split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard let first = parts.first, let last = parts.last, parts.count <= 2, first >= 1, last >= first else {
            return nil
        }
        return first...last
    }
}
