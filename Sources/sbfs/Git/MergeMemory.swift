import StuffBucket

/// Which merges of a clone were looked at: the file `sbfs-merges` in the repository's folder. Its first line names the commit up to which
/// all were; each other one a merge that could not be compared whole, and is looked at again.
struct MergeMemory {
    /// The commit, in hexadecimal digits; `nil` if none was looked at.
    let looked: String?
    /// Merges that are looked at again.
    let open: [String]
    let folder: LocalFolder
    /// The file's name in the folder.
    let file: String

    private static let limit = 1 << 20

    /// - Throws: `CommandFailure` if git fails.
    init(_ tree: GitWorkTree) throws {
        let path = tree.full(Git.line(try tree.git.output(["rev-parse", "--git-path", "sbfs-merges"]) ?? []))
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        folder = LocalFolder(String(path[..<slash]))
        file = String(path[slash...].dropFirst())
        let bytes = (try? folder.contents(of: file, limit: Self.limit)) ?? nil
        let names = (bytes ?? []).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let valid = names.filter { [40, 64].contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }
        looked = valid.first
        open = Array(valid.dropFirst())
    }

    /// Remembers what was looked at; nothing where the folder cannot be written.
    ///
    /// - Parameters:
    ///   - commit: up to which all merges were looked at.
    ///   - open: those to look at again.
    func remember(_ commit: String, open: [String]) {
        if commit == looked, open == self.open { return }
        let lines = ([commit] + open).map { $0 + "\n" }.joined()
        try? folder.write(Array(lines.utf8), to: file, permissions: 0o644)
    }
}
