/// A regular file that the next commit adds or changes.
struct StagedFile {
    let path: String
    /// The name of the object in the last commit; zeros for a new file.
    let old: [UInt8]
    /// The name of the object in git's index.
    let new: [UInt8]
    /// Whether the last commit does not have it.
    let isAdded: Bool

    /// Compares with the last commit; before the first one, with nothing.
    ///
    /// - Parameter options: of git-diff, which choose files.
    /// - Throws: `CommandFailure` with git's own words.
    static func all(_ git: Git, _ options: String...) throws -> [StagedFile] {
        let words = [
            "-c", "diff.relative=false", "diff", "--cached", "--raw", "-z", "--no-color", "--no-ext-diff",
            "--no-renames", "--no-abbrev", "--ignore-submodules", "--diff-filter=AMT",
        ]
        let parts = (try git.output(words + options) ?? []).split(separator: 0)
        return stride(from: 0, to: parts.count - 1, by: 2).compactMap { index in
            // :OLDMODE NEWMODE OLD NEW STATUS, and the path.
            let fields = parts[index].split(separator: UInt8(ascii: " "))
            guard fields.count == 5, fields[1].starts(with: "100".utf8) else { return nil }
            return StagedFile(
                path: String(decoding: parts[index + 1], as: UTF8.self), old: Array(fields[2]), new: Array(fields[3]),
                isAdded: fields[4].first == UInt8(ascii: "A"))
        }
    }
}
