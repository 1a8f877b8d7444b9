import StuffBucket

/// Up to which commit the merges of a clone were looked at: the file `sbfs-merges` in the repository's folder, with the commit's name.
struct MergeMemory {
    /// The commit, in hexadecimal digits; `nil` if none was looked at.
    let looked: String?
    let folder: LocalFolder
    /// The file's name in the folder.
    let file: String

    /// - Throws: `CommandFailure` if git fails.
    init(_ tree: GitWorkTree) throws {
        let path = tree.full(Git.line(try tree.git.output(["rev-parse", "--git-path", "sbfs-merges"]) ?? []))
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        folder = LocalFolder(String(path[..<slash]))
        file = String(path[slash...].dropFirst())
        let bytes = (try? folder.contents(of: file, limit: 1 << 10)) ?? nil
        let name = bytes.map { Git.line($0) } ?? ""
        looked = [40, 64].contains(name.utf8.count) && name.allSatisfy(\.isHexDigit) ? name : nil
    }

    /// - Parameter commit: its name; nothing is remembered without one, or where the folder cannot be written.
    func remember(_ commit: String?) {
        if let commit, commit != looked { try? folder.write(Array((commit + "\n").utf8), to: file, permissions: 0o644) }
    }
}
