import StuffBucket

/// A merge of two commits in the history of HEAD.
struct MergeCommit {
    /// The commit, in hexadecimal digits.
    let name: String
    /// The commits that it joins.
    let parents: [String]

    /// The name as messages have it.
    var shown: String { "the merge \(name.prefix(10))" }

    /// - Parameter words: a line of `git rev-list --parents`.
    private init?(_ words: [Substring]) {
        guard words.count == 3 else { return nil }
        name = String(words[0])
        parents = words.dropFirst().map(String.init)
    }

    /// A commit that a person names.
    ///
    /// - Throws: `CommandFailure` if git does not know it, or it is no merge of two commits.
    init(_ git: Git, named name: String) throws {
        guard let found = try git.line("rev-parse", "-q", "--verify", "--end-of-options", name + "^{commit}") else {
            throw CommandFailure(.failed, "git knows no commit \(name)")
        }
        let words = Git.line(try git.output(["rev-list", "--parents", "-n", "1", found]) ?? []).split(separator: " ")
        guard let merge = MergeCommit(words) else {
            let parents = words.count == 2 ? "1 parent" : "\(words.count - 1) parents"
            throw CommandFailure(.failed, "\(name) is no merge of two commits; it has \(parents)")
        }
        self = merge
    }

    /// Merges, and how many were passed over.
    struct List {
        /// The oldest first.
        var merges: [MergeCommit] = []
        /// Merges of more than two commits.
        var octopusCount = 0
    }

    /// The merges in the history of a commit.
    ///
    /// - Parameters:
    ///   - head: the commit, in hexadecimal digits.
    ///   - looked: a commit whose history was looked at already.
    static func all(_ git: Git, of head: String, after looked: String?) throws -> List {
        var list = List()
        var words = ["rev-list", "--merges", "--parents", "--topo-order", "--reverse", head]
        if let looked, try git.line("rev-parse", "-q", "--verify", looked + "^{commit}") != nil {
            words.append("^" + looked)
        }
        for line in (try git.output(words) ?? []).split(separator: 0x0A) {
            if let merge = MergeCommit(String(decoding: line, as: UTF8.self).split(separator: " ")) {
                list.merges.append(merge)
            } else {
                list.octopusCount += 1
            }
        }
        return list
    }

    /// The commits that both sides came from; mostly one.
    func bases(_ git: Git) throws -> [String] {
        (try git.output(["merge-base", "--all"] + parents, unless: 1) ?? []).split(separator: 0x0A).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The files that both sides changed since their base, or have without one, and that sbfs joins.
    ///
    /// - Parameter base: `nil` if they have none.
    /// - Returns: paths relative to the library's folder, sorted. A file that a side removed, or has as no regular file, is none of them.
    func paths(_ git: Git, since base: String?) throws -> [String] {
        let sides = try parents.map { try Self.changed(git, base, $0) }
        return sides[0].filter { path, blob in sides[1][path].map { $0 != blob } ?? false }.keys.sorted()
    }

    /// The regular files that a commit has and another one has not, or in another form, with the names of their blobs.
    private static func changed(_ git: Git, _ base: String?, _ commit: String) throws -> [String: String] {
        var found: [String: String] = [:]
        func add(_ mode: Substring, _ blob: Substring, _ path: ArraySlice<UInt8>) {
            let path = String(decoding: path, as: UTF8.self)
            // A name in another encoding is none of a file that sbfs writes.
            if mode.hasPrefix("100"), Library.completes(path), !path.utf8.contains(0x0A) { found[path] = String(blob) }
        }
        if let base {
            let words = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", base, commit]
            // :MODE MODE BLOB BLOB STATUS NUL PATH NUL
            let parts = (try git.output(words) ?? []).split(separator: 0, omittingEmptySubsequences: false)
            for place in stride(from: 0, to: parts.count - 1, by: 2) {
                let words = String(decoding: parts[place], as: UTF8.self).split(separator: " ")
                if words.count == 5 { add(words[1], words[3], parts[place + 1]) }
            }
        } else {
            // MODE "blob" BLOB TAB PATH NUL
            for entry in (try git.output(["ls-tree", "-r", "-z", "--full-tree", commit]) ?? []).split(separator: 0) {
                guard let tab = entry.firstIndex(of: 0x09) else { continue }
                let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
                if words.count == 3 { add(words[0], words[2], entry[(tab + 1)...]) }
            }
        }
        return found
    }
}
