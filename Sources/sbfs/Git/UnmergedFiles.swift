import StuffBucket

/// Files of a library of which git's index has several versions: a merge that nobody has ended.
struct UnmergedFiles {
    /// Those that sbfs joins and nobody has edited since: they have git's markers.
    private var joinable: [String] = []
    /// Other files with git's markers.
    private var marked: [String] = []
    /// Files without markers, of which git kept one version.
    private var undecided: [String] = []
    /// Those of them that sbfs joins: it was not started, or left them to git.
    private var unjoined: Set<String> = []
    /// Files without markers that are as neither side has them: somebody joined or edited them.
    private var edited: [String] = []
    /// The folders of items that one side purged and the other changed, with the commit that has them.
    private var halves: [String: String] = [:]
    private let library: String

    private static let toldLimit = 5

    /// - Returns: `nil` if the library's folder is in no work tree, or git cannot be asked.
    init?(_ library: String) {
        guard let top = Self.repository(around: library) else { return nil }
        self.library = library
        // sbfs joins only in a repository that is the library's own.
        let isOwn = top == library
        Git.forgetRepository()
        let git = Git(folder: library)
        guard let listing = (try? git.output(["ls-files", "-u", "-z"])) ?? nil else { return nil }
        let versions = StagedMerge.unmerged(listing)
        let other = versions.isEmpty ? nil : (try? StagedMerge.heads(git).first) ?? nil
        var unmarked: [(path: String, stages: [String: ArraySlice<UInt8>])] = []
        for (path, stages) in versions.sorted(by: { $0.key < $1.key }) {
            let hasBoth = stages["2"] != nil && stages["3"] != nil
            if let folder = StagedMerge.folder(path), !hasBoth, let other {
                let (side, without) = stages["2"] == nil ? (other, "HEAD") : ("HEAD", other)
                if (try? StagedMerge.isPurged(folder, in: without, git)) ?? false {
                    halves[folder] = side
                    continue
                }
            }
            guard let bytes = try? FilePath.contents(library + "/" + path, limit: Self.limit),
                !MarkerBlock.all(in: bytes).isEmpty
            else {
                if hasBoth { unmarked.append((path, stages)) } else { undecided.append(path) }
                continue
            }
            if hasBoth, isOwn, FileJoin.Kind(path: path) != nil { joinable.append(path) } else { marked.append(path) }
        }
        let hashes = Self.hashes(of: unmarked.map(\.path), git)
        for (path, stages) in unmarked {
            let hash = hashes[path]
            let isOfOneSide = ["2", "3"].contains { hash == nil || stages[$0].map(Array.init) == hash }
            if isOfOneSide { undecided.append(path) } else { edited.append(path) }
            if isOfOneSide, isOwn, FileJoin.Kind(path: path) != nil { unjoined.insert(path) }
        }
        undecided.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The hashes that git would give to files, in hexadecimal digits; those of files that cannot be read are left out.
    private static func hashes(of paths: [String], _ git: Git) -> [String: [UInt8]] {
        let readable = paths.filter { path in
            ((try? LocalFolder(git.folder ?? ".").status(of: path)) ?? nil)?.kind == .regular
        }
        var hashes: [String: [UInt8]] = [:]
        for first in stride(from: 0, to: readable.count, by: Self.callSize) {
            let part = readable[first..<min(first + Self.callSize, readable.count)]
            let lines = ((try? git.output(["hash-object", "--"] + part)) ?? nil)?.split(separator: 0x0A) ?? []
            if lines.count == part.count { for (path, line) in zip(part, lines) { hashes[path] = Array(line) } }
        }
        return hashes
    }

    /// So many files are named in one call of git.
    private static let callSize = 500

    /// What to do first about a text that has git's markers; `nil` if the merge of it has ended, or it has none.
    ///
    /// - Parameter path: relative to the library's folder.
    func advice(for path: String) -> String? {
        if joinable.contains(path) {
            return
                "to have sbfs join it, run: \(setup)\(git) checkout --merge -- \(word(path)) && \(git) add \(word(path))"
        }
        return marked.contains(path) ? "edit it, then: \(git) add \(word(path))" : nil
    }

    private static let limit = 64 << 20

    /// The nearest folder with a repository: the library's, or one above it.
    private static func repository(around library: String) -> String? {
        var folder = library
        while true {
            if (try? LocalFolder(folder.isEmpty ? "/" : folder).status(of: ".git")) ?? nil != nil { return folder }
            guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            folder = String(folder[..<slash])
        }
    }

    /// What to do, as sentences.
    var advice: [String] {
        var lines: [String] = []
        if !joinable.isEmpty {
            let files = joinable.count == 1 ? "1 file" : "\(joinable.count) files"
            lines.append(
                "git merged \(files) without sbfs and left its markers; to have sbfs join, run: \(setup)\(command)")
        }
        for path in marked.prefix(Self.toldLimit) {
            lines.append("\(Printable.line(path)) has git's conflict markers; edit it, then: \(git) add \(word(path))")
        }
        if marked.count > Self.toldLimit {
            let rest = marked.count - Self.toldLimit
            lines.append("\(rest) more files have git's conflict markers; git status names them")
        }
        for (folder, side) in halves.sorted(by: { $0.key < $1.key }).prefix(Self.toldLimit) {
            lines.append("\(Printable.line(folder)): " + StagedMerge.advice(for: folder, in: side, git))
        }
        for path in undecided.prefix(Self.toldLimit) {
            let choice = "choose with git checkout --ours or --theirs, then: \(git) add \(word(path))"
            let advice =
                unjoined.contains(path)
                ? "to have sbfs join both, run: \(setup)\(git) checkout --merge -- \(word(path)); if it stays as it is, \(choice)"
                : choice
            lines.append("\(Printable.line(path)): git kept one version; \(advice)")
        }
        for path in edited.prefix(Self.toldLimit) {
            lines.append(
                "\(Printable.line(path)): it was joined or edited, and is as neither side has it; look at it, then: \(git) add \(word(path))"
            )
        }
        let rest =
            max(edited.count - Self.toldLimit, 0) + max(halves.count - Self.toldLimit, 0)
            + max(undecided.count - Self.toldLimit, 0)
        if rest > 0 { lines.append("\(rest) more are not merged; git status names them") }
        return lines
    }

    private var git: String { "git -C " + word(library) }

    /// It ends with 4 where the clone has hooks of its own, and has the driver all the same.
    private var setup: String {
        CloneCheck.hasDriver(library) ? "" : "sbfs --library \(word(library)) git setup; "
    }

    /// Has git merge the files again, now with the driver.
    private var command: String {
        if joinable.count <= Self.toldLimit {
            let names = joinable.map(word).joined(separator: " ")
            return "\(git) checkout --merge -- \(names) && \(git) add -A"
        }
        let patterns = GitAttributes.joined.map { word(":(glob)" + $0.dropFirst()) }.joined(separator: " ")
        return "\(git) diff --name-only --diff-filter=U -z -- \(patterns) "
            + "| xargs -0 \(git) checkout --merge -- && \(git) add -A"
    }

    private func word(_ text: String) -> String { TypedLine.quoted(text) }
}
