import StuffBucket

/// A merge that git made without sbfs, as on a forge, and what sbfs makes of the same two sides: Documentation/Merge.md § 6.
struct Rejoin {
    /// A file of which the merge has other bytes than the join.
    struct File {
        let path: String
        /// The bytes for the work tree.
        let bytes: [UInt8]
        /// The conflicts of these bytes.
        let joins: [FileJoin]
    }

    /// The merge commit, in hexadecimal digits.
    let commit: String
    private(set) var files: [File] = []
    /// Files that are not joined, with the reason.
    private(set) var left: [(path: String, why: String)] = []

    private static let limit = 64 << 20

    /// - Parameters:
    ///   - tree: the library's.
    ///   - name: the commit, as a person names it; `nil` for the last merge.
    /// - Throws: `CommandFailure` if there is no such merge, or if git fails.
    init(_ tree: GitWorkTree, _ name: String?) throws {
        let git = tree.git
        if let name {
            guard let found = try git.line("rev-parse", "-q", "--verify", "--end-of-options", name + "^{commit}") else {
                throw CommandFailure(.failed, "git knows no commit \(name)")
            }
            commit = found
        } else {
            let found = try git.line("rev-list", "--merges", "-n", "1", "HEAD") ?? ""
            if found.isEmpty { throw CommandFailure(.nothingFound, "there is no merge in the history of HEAD") }
            commit = found
        }
        let parents = Git.line(try git.output(["rev-list", "--parents", "-n", "1", commit]) ?? []).split(separator: " ")
            .dropFirst().map(String.init)
        guard parents.count == 2 else {
            throw CommandFailure(
                .failed,
                "\(commit.prefix(12)) is no merge of two commits, but has \(parents.count) \(parents.count == 1 ? "parent" : "parents")"
            )
        }
        // Without a commit that both came from, all of both is new.
        let base = try git.line("merge-base", parents[0], parents[1])
        let sides = try parents.map { try Self.changed(base, $0, git) }
        let paths = sides[0].intersection(sides[1]).filter { FileJoin.Kind(path: $0) != nil }.sorted()
        try look(at: paths, base, parents, git, tree.folder)
    }

    /// The files that a side changed, added or removed.
    private static func changed(_ base: String?, _ side: String, _ git: Git) throws -> Set<String> {
        let words =
            base.map { ["diff", "--name-only", "--no-renames", "-z", $0, side] } ?? [
                "ls-tree", "-r", "--name-only", "-z", side,
            ]
        return Set((try git.output(words) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    private mutating func look(
        at paths: [String], _ base: String?, _ parents: [String], _ git: Git, _ folder: String
    ) throws {
        let commits = [base ?? parents[0]] + parents + [commit]
        var versions: [[UInt8]?] = []
        var blobs: [[[UInt8]?]] = []
        let names = paths.flatMap { path in commits.map { Array("\($0):\(path)".utf8) } }
        try GitObjects(git: git).read(names) { _, bytes in
            versions.append(bytes)
            if versions.count == commits.count {
                blobs.append(versions)
                versions = []
            }
        }
        for (path, blobs) in zip(paths, blobs) {
            let merged = blobs[3]
            guard let kind = FileJoin.Kind(path: path), let ours = blobs[1], let theirs = blobs[2] else {
                left.append((path, "one side removed it, and the other one changed it"))
                continue
            }
            do {
                let base = base == nil ? nil : blobs[0]
                let join = try FileJoin(kind, base: base, ours: ours, theirs: theirs)
                let isOfItem = path.hasPrefix("items/")
                if !isOfItem, let first = join.conflicts.first {
                    if join.bytes != merged { left.append((path, "both sides changed \(first.field)")) }
                    continue
                }
                let isWhole =
                    try Self.wereCommitted(join, beside: path, git)
                    || (try? join.hasConflicts(of: path, in: folder)) ?? false
                if join.bytes == merged, isWhole { continue }
                guard let live = (try? FilePath.contents(folder + "/" + path, limit: Self.limit)) ?? nil else {
                    left.append((path, "it is not here any more"))
                    continue
                }
                if live == join.bytes, isWhole { continue }
                if live == merged || live == join.bytes {
                    files.append(File(path: path, bytes: join.bytes, joins: [join]))
                    continue
                }
                // Somebody changed or mended it since.
                let now = try Self.join(kind, [merged, base], live, join.bytes)
                if now.bytes != live { files.append(File(path: path, bytes: now.bytes, joins: [join, now])) }
            } catch let error as FileJoin.Failure {
                left.append((path, "\(error)"))
            }
        }
    }

    /// Whether each conflict of a join was in a commit since: the merge was joined by sbfs, whose conflicts come with a later commit.
    private static func wereCommitted(_ join: FileJoin, beside path: String, _ git: Git) throws -> Bool {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/") + "/conflicts/"
        return try join.conflicts.allSatisfy { conflict in
            try git.line(
                words: ["rev-list", "-n", "1", "HEAD", "--"] + conflict.names.map { ":(literal)" + folder + $0 })?
                .isEmpty
                == false
        }
    }

    /// Joins what is here now with the join of both sides. What is here came from the merge, or, where that cannot be read, from the base.
    private static func join(
        _ kind: FileJoin.Kind, _ bases: [[UInt8]?], _ live: [UInt8], _ joined: [UInt8]
    ) throws(FileJoin.Failure) -> FileJoin {
        if let merged = bases[0], MarkerBlock.all(in: merged).isEmpty,
            let join = try? FileJoin(kind, base: merged, ours: live, theirs: joined)
        {
            return join
        }
        return try FileJoin(kind, base: bases[1], ours: live, theirs: joined)
    }

    /// Writes the files into the work tree, and their conflicts.
    ///
    /// - Returns: the conflicts: paths relative to the library.
    func write(in folder: String) throws -> [String] {
        var kept: Set<String> = []
        for file in files {
            if file.path.hasPrefix("items/") {
                for join in file.joins { kept.formUnion(try join.keepConflicts(of: file.path, in: folder)) }
            }
            let parts = file.path.split(separator: "/").map(String.init)
            try LocalFolder(folder + "/" + parts.dropLast().joined(separator: "/")).write(
                file.bytes, to: parts[parts.count - 1], permissions: 0o644)
        }
        return kept.sorted()
    }
}
