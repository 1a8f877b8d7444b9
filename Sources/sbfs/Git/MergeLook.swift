import StuffBucket

/// What a merge left out that git made without sbfs, as on a forge: Documentation/Merge.md § 6.
struct MergeLook {
    /// A file that lacks something of one side.
    struct File {
        /// Relative to the library's folder.
        let path: String
        /// The file as it is now.
        let seen: [UInt8]
        /// What it lacks.
        let again: MergeAgain
    }

    private(set) var files: [File] = []
    /// Files that cannot be looked at, with the reason.
    private(set) var left: [(path: String, why: String)] = []

    private let git: Git
    private let folder: LocalFolder
    private let merge: MergeCommit
    private let bases: [String]

    private static let limit = 64 << 20
    /// So many commits since the merge that changed a file are looked at.
    private static let laterLimit = 100

    /// - Throws: `CommandFailure` if git fails.
    init(_ tree: GitWorkTree, _ merge: MergeCommit) throws {
        git = tree.git
        folder = LocalFolder(tree.folder)
        self.merge = merge
        bases = try merge.bases(git)
        if bases.isEmpty, try git.line("rev-parse", "--is-shallow-repository") == "true" {
            left.append(
                (merge.shown, "what both sides came from is not in this clone; git fetch --unshallow brings it"))
            return
        }
        let commits = bases + merge.parents + [merge.name]
        var paths = try merge.paths(git, since: bases.first)
        let sizes = try GitObjects(git: git).sizes(paths.flatMap { path in commits.map { Self.name($0, path) } })
        for (place, path) in paths.enumerated().reversed() {
            let own = sizes[(place * commits.count)..<((place + 1) * commits.count)]
            if own.contains(where: { $0.map { $0 > Self.limit } ?? false }) {
                left.append((path, "a version of it is larger than \(Self.limit >> 20) MB"))
                paths.remove(at: place)
            }
        }
        var versions: [[UInt8]?] = []
        try GitObjects(git: git).read(paths.flatMap { path in commits.map { Self.name($0, path) } }) { place, bytes in
            versions.append(bytes)
            if versions.count < commits.count { return }
            try look(at: paths[place / commits.count], versions)
            versions = []
        }
    }

    private static func name(_ commit: String, _ path: String) -> [UInt8] { Array("\(commit):\(path)".utf8) }

    private mutating func look(at path: String, _ found: [[UInt8]?]) throws {
        let sides = found.suffix(3).map { $0 }
        guard let kind = FileJoin.Kind(path: path), let ours = sides[0], let theirs = sides[1] else { return }
        let live: [UInt8]?
        do {
            live = try folder.contents(of: path, limit: Self.limit)
        } catch {
            left.append((path, error.description))
            return
        }
        // A person who removed it, in the merge or since, decided.
        guard let merged = sides[2], let live else { return }
        let known: [[UInt8]?] = [found[0], ours, theirs]
        let isRead = Self.isRead(merged, kind, besides: known)
        let isAsMerged = !isRead && live == merged
        if !isAsMerged, !Self.isRead(live, kind, besides: known) {
            left.append((path, "it has conflict markers, or is no JSON object; correct it, then run this again"))
            return
        }
        do {
            let bases = bases.isEmpty ? [nil] : Array(found.prefix(bases.count))
            var versions = MergeAgain.Versions(
                base: bases[0], ours: ours, theirs: theirs, merged: isRead ? merged : nil)
            guard var again = try MergeAgain(kind, versions, live: isAsMerged ? nil : live) else { return }
            for base in bases.dropFirst() where base != bases[0] {
                versions = MergeAgain.Versions(base: base, ours: ours, theirs: theirs, merged: versions.merged)
                guard let other = try MergeAgain(kind, versions, live: isAsMerged ? nil : live) else { return }
                if other != again {
                    left.append((path, "the two sides have several merge bases, in which it differs"))
                    return
                }
                again = other
            }
            let isJoined = try !isAsMerged && again.bytes != live && wasJoined(path, kind, versions)
            // Other files than those of items have no conflicts.
            let isOfItem = path.hasPrefix("items/")
            let isAsked = try again.conflicts.isEmpty || isOfItem && isBySbfs(path)
            let undecided = isAsked ? [] : try again.conflicts.filter { try !wasCommitted($0, beside: path) }
            if !isOfItem, let first = undecided.first {
                left.append((path, "both sides changed \(first.field), and one value stands"))
            }
            // The driver may have kept the conflict in the work tree, where no commit has it yet.
            let open = isOfItem ? try undecided.filter { try !$0.isKnown(beside: path, in: folder.path) } : []
            let rest = MergeAgain(bytes: isJoined ? live : again.bytes, conflicts: open)
            if rest.bytes == live, rest.conflicts.isEmpty { return }
            files.append(File(path: path, seen: live, again: rest))
        } catch let error as FileJoin.Failure {
            left.append((path, "\(error)"))
        } catch let error as FileError {
            left.append((path, error.description))
        }
    }

    /// Whether a file can be read: a JSON object, or a text without conflict markers. A text may show markers of its own, which another
    /// version has, too.
    private static func isRead(_ bytes: [UInt8], _ kind: FileJoin.Kind, besides others: [[UInt8]?]) -> Bool {
        if kind != .text { return (try? FileJoin(kind, base: nil, ours: bytes, theirs: bytes)) != nil }
        let known = Set(others.compactMap { $0 }.flatMap { MarkerBlock.all(in: $0) }.map { Array($0.bytes) })
        return MarkerBlock.all(in: bytes).allSatisfy { known.contains(Array($0.bytes)) }
    }

    /// Whether a commit since the merge has all that the merge left out: what is missing now was taken out after that.
    private func wasJoined(_ path: String, _ kind: FileJoin.Kind, _ versions: MergeAgain.Versions) throws -> Bool {
        let words = ["rev-list", "--full-history", "--max-count=\(Self.laterLimit)", "\(merge.name)..HEAD"]
        let commits = (try git.output(words + ["--", ":(top,literal)" + path]) ?? []).split(separator: 0x0A)
        var isJoined = false
        try GitObjects(git: git).read(
            commits.map { Self.name(String(decoding: $0, as: UTF8.self), path) }
        ) { _, bytes in
            guard let bytes, !isJoined else { return }
            do {
                isJoined = try MergeAgain(kind, versions, live: bytes).map { $0.bytes == bytes } ?? true
            } catch is FileJoin.Failure {}
        }
        return isJoined
    }

    /// Whether sbfs joined or changed an item in the merge: its item.json is later than that of both sides. A conflict was then asked
    /// there, and may have been resolved before the commit.
    private func isBySbfs(_ path: String) throws -> Bool {
        let item = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) + "/item.json"
        var times: [Timestamp?] = []
        try GitObjects(git: git).read((merge.parents + [merge.name]).map { Self.name($0, String(item)) }) { _, bytes in
            times.append(bytes.flatMap(FileJoin.updatedAt))
        }
        guard times.count == 3, let merged = times[2] else { return false }
        return times.prefix(2).allSatisfy { $0.map { $0 < merged } ?? true }
    }

    /// Whether a commit since the merge base has a conflict.
    private func wasCommitted(_ conflict: FileJoin.Conflict, beside path: String) throws -> Bool {
        guard let slash = path.lastIndex(of: "/"), path.hasPrefix("items/") else { return false }
        let names = conflict.names.map { ":(top,literal)" + path[..<slash] + "/conflicts/" + $0 }
        let words = ["rev-list", "--full-history", "-n", "1", "HEAD"] + bases.map { "^" + $0 } + ["--"] + names
        return try git.output(words)?.isEmpty == false
    }
}
