import Glibc
import StuffBucket

/// What git left for a person to decide in a merge, and what a commit of the merge would hide.
struct StagedMerge {
    private let git: Git
    /// What is merged into the last commit; empty if git is in the middle of nothing.
    private let others: [String]

    /// - Throws: `CommandFailure` with git's own words.
    init(_ git: Git) throws {
        self.git = git
        others = try git.line("rev-parse", "-q", "--verify", "HEAD") == nil ? [] : Self.heads(git)
    }

    /// The names of the commits that git is about to join to the last one: mostly one, or none.
    static func heads(_ git: Git) throws -> [String] {
        try ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"].filter {
            try git.line("rev-parse", "-q", "--verify", $0 + "^{commit}") != nil
        } + (git.isRebasing() ? ["REBASE_HEAD"] : [])
    }

    /// What a person has to decide, as sentences, sorted.
    func faults() throws -> [String] {
        // A rebase makes commits by itself, and nobody is asked about their conflicts.
        guard let first = others.first else { return [] }
        return try Set(undecided()).union(first == "REBASE_HEAD" ? [] : forgotten()).union(halves()).sorted()
    }

    /// Items that one side purged and the other changed: what a merge that git commits by itself may hide, too.
    func halves() throws -> [String] {
        var faults: Set<String> = []
        for other in others {
            try faults.formUnion(halves("HEAD", without: other))
            try faults.formUnion(halves(other, without: "HEAD"))
        }
        return faults.sorted()
    }

    /// git keeps the changed files, and removes the others. Or it takes the item for one that was renamed to another one.
    private func halves(_ side: String, without other: String) throws -> [String] {
        let words = ["diff", "--cached", "--name-only", "--no-renames", "--diff-filter=D", "-z", side, "--", "items"]
        let folders = Set(paths(try git.output(words) ?? []).compactMap(Self.folder))
        if folders.isEmpty { return [] }
        let head = side == "HEAD" ? other : side
        let joined = head == "MERGE_HEAD" ? try git.line("merge-base", "HEAD", head) : head + "^"
        guard let base = joined else { return [] }
        let differ = ["diff", "--name-only", "--no-renames", "-z", base, side, "--", "items"]
        let changed = Set(paths(try git.output(differ) ?? []).compactMap(Self.folder))
        return try folders.compactMap { folder in
            guard try Self.isPurged(folder, in: other, git),
                try ![side, base].contains(where: { try Self.isPurged(folder, in: $0, git) })
            else { return nil }
            func list(_ option: String) throws -> [UInt8] {
                try git.output(["ls-files", option, "--full-name", "-z", "--", ":/" + folder]) ?? []
            }
            let name = Printable.line(folder) + ": "
            if try !list("--cached").isEmpty { return name + Self.advice(for: folder, in: side) }
            // A person who removed it decided, and git remembers the conflict.
            if try !changed.contains(folder) || !list("--resolve-undo").isEmpty { return nil }
            return name + Self.renamed
        }
    }

    /// git before 2.50 looks for renames whatever its settings say.
    private static let renamed =
        "one side purged this item, and the other changed it; git took it for another item, whose files may have the change now. "
        + "Run: git merge --abort, and then: git merge -s recursive COMMIT"

    static func isPurged(_ folder: String, in commit: String, _ git: Git) throws -> Bool {
        try git.line("rev-parse", "-q", "--verify", "\(commit):./\(folder)/item.json") == nil
    }

    /// What to do about an item that only this commit has.
    static func advice(for folder: String, in commit: String, _ git: String = "git") -> String {
        let word = TypedLine.quoted(folder)
        return
            "one side purged this item, and the other changed it; to keep all its files: \(git) checkout \(commit) -- \(word); "
            + "to purge it: \(git) rm -r -f \(word)"
    }

    /// The folder of an item's file: items/SHARD/ID.
    static func folder(_ path: String) -> String? {
        let parts = path.split(separator: "/", maxSplits: 3)
        return parts.count == 4 && parts[0].utf8.elementsEqual("items".utf8)
            ? parts[0...2].joined(separator: "/") : nil
    }

    /// Files that "git commit -a" stages as git left them, though nobody chose a side. That commit has an index of its own, and
    /// git's index still has all versions.
    private func undecided() throws -> [String] {
        guard let own = getenv("GIT_INDEX_FILE").map({ String(cString: $0) }) else { return [] }
        let staged = try git.output(["ls-files", "-s", "--full-name", "-z", "--", ":/"]) ?? []
        unsetenv("GIT_INDEX_FILE")
        defer { setenv("GIT_INDEX_FILE", own, 1) }
        let versions = Self.unmerged(try git.output(["ls-files", "-u", "--full-name", "-z", "--", ":/"]) ?? [])
        if versions.isEmpty { return [] }
        let new = Self.unmerged(staged)
        return versions.compactMap { path, stages in
            guard let object = new[path]?["0"], object == stages["2"] ?? stages["3"] else { return nil }
            return Printable.line(path)
                + ": both sides changed it, and git kept one; choose, and git add it, then commit without -a"
        }
    }

    /// The objects of each path by their stages, from `git ls-files -s`.
    static func unmerged(_ listing: [UInt8]) -> [String: [String: ArraySlice<UInt8>]] {
        var found: [String: [String: ArraySlice<UInt8>]] = [:]
        for entry in listing.split(separator: 0) {
            // MODE OBJECT STAGE, a tab and the path.
            let parts = entry.split(separator: 0x09, maxSplits: 1)
            let words = parts[0].split(separator: 0x20)
            guard parts.count == 2, words.count == 3 else { continue }
            let stage = String(decoding: words[2], as: UTF8.self)
            found[String(decoding: parts[1], as: UTF8.self), default: [:]][stage] = words[1]
        }
        return found
    }

    /// Conflicts that the driver wrote, and that the commit would leave out.
    private func forgotten() throws -> [String] {
        let words = [
            "ls-files", "-o", "--exclude-standard", "--full-name", "-z", "--", ":(top,glob)items/*/*/conflicts/*.json",
        ]
        return paths(try git.output(words) ?? []).map { Printable.line($0) + ": a conflict of this merge; git add it" }
    }

    private func paths(_ listing: [UInt8]) -> [String] {
        listing.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
