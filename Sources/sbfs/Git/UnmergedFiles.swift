import StuffBucket

/// Files of a library of which git's index has several versions: a merge that nobody has ended.
struct UnmergedFiles {
    /// Those that sbfs joins and nobody has edited since: they have git's markers.
    private var joinable: [String] = []
    /// Other files with git's markers.
    private var marked: [String] = []
    /// Files without markers, of which git kept one version.
    private var undecided: [String] = []
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
                if hasBoth, Self.isEdited(path, stages, git) { edited.append(path) } else { undecided.append(path) }
                continue
            }
            if hasBoth, isOwn, FileJoin.Kind(path: path) != nil { joinable.append(path) } else { marked.append(path) }
        }
    }

    /// Whether a file has other bytes than both sides.
    private static func isEdited(_ path: String, _ stages: [String: ArraySlice<UInt8>], _ git: Git) -> Bool {
        guard let name = (try? git.output(["hash-object", "--", path])) ?? nil else { return false }
        let hash = name.filter { $0 != 0x0A }
        return ["2", "3"].allSatisfy { stage in !(stages[stage].map { hash.elementsEqual($0) } ?? false) }
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
            // It ends with 4 where the clone has hooks of its own, and has the driver all the same.
            let setup = CloneCheck.hasDriver(library) ? "" : "sbfs --library \(word(library)) git setup; "
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
            lines.append(
                "\(Printable.line(path)): git kept one version; choose with git checkout --ours or --theirs, then: \(git) add \(word(path))"
            )
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
