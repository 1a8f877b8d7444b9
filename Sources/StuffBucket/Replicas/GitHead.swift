internal import Files

/// What git wrote last of the commits at which a work tree was: `.git/logs/HEAD` (git-reflog(1)).
enum GitHead {
    private static let limit = 64 << 20

    /// Whether the command of git that wrote a file went back: a reset, a revert, or a stash, which resets. Another branch is no step back.
    ///
    /// - Parameter modified: when the file was written, in nanoseconds since 1970.
    static func wentBack(_ library: String, since modified: Int64) -> Bool {
        guard let folder = folder(of: library),
            let bytes = (try? FilePath.contents(folder + "/logs/HEAD", limit: limit)) ?? nil
        else { return false }
        var earliest = Int64.max, wentBack = false
        for line in bytes.split(separator: 0x0A).reversed() {
            // old new name <mail> seconds zone TAB action: …
            guard let tab = line.firstIndex(of: 0x09) else { return false }
            let words = line[..<tab].split(separator: 0x20)
            guard words.count > 2, let seconds = Int64(String(decoding: words[words.count - 2], as: UTF8.self))
            else { return false }
            // The line is written after the files.
            if seconds < modified / 1_000_000_000 { break }
            let action = String(decoding: line[(tab + 1)...].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            let isBack = action == "reset" || action == "revert"
            // Of several in one second, any may have written the file.
            wentBack = isBack || seconds == earliest && wentBack
            earliest = seconds
        }
        return wentBack
    }

    /// The repository's folder of this work tree; a linked work tree and a submodule name it in a file.
    private static func folder(of library: String) -> String? {
        let path = library + "/.git"
        guard let status = try? LocalFolder(library).status(of: ".git") else { return nil }
        if status.kind == .directory { return path }
        let prefix = "gitdir: "
        guard let line = ((try? FilePath.contents(path, limit: 1 << 16)) ?? nil)?.split(separator: 0x0A).first else {
            return nil
        }
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix(prefix) else { return nil }
        let named = String(text.dropFirst(prefix.count))
        return named.hasPrefix("/") ? named : library + "/" + named
    }
}
