import StuffBucket

/// Files of a library of which git's index has several versions: a merge that nobody has ended.
struct UnmergedFiles {
    /// Those that sbfs joins and nobody has edited since: they have git's markers.
    private var joinable: [String] = []
    /// Other files with git's markers.
    private var marked: [String] = []
    private let library: String

    private static let toldLimit = 5

    /// - Returns: `nil` if the library's folder is not the top of a work tree, or git cannot be asked.
    init?(_ library: String) {
        guard (try? LocalFolder(library).status(of: ".git")) ?? nil != nil else { return nil }
        self.library = library
        Git.forgetRepository()
        guard let listing = (try? Git(folder: library).output(["ls-files", "-u", "-z"])) ?? nil else { return nil }
        var stages: [String: Set<UInt8>] = [:]
        for entry in listing.split(separator: 0) {
            // MODE OBJECT STAGE, a tab and the path.
            let parts = entry.split(separator: 0x09, maxSplits: 1)
            guard parts.count == 2, let stage = parts[0].last else { continue }
            stages[String(decoding: parts[1], as: UTF8.self), default: []].insert(stage)
        }
        for (path, found) in stages.sorted(by: { $0.key < $1.key }) {
            guard let bytes = try? FilePath.contents(library + "/" + path, limit: Self.limit),
                !MarkerBlock.all(in: bytes).isEmpty
            else { continue }
            let hasBoth = found.isSuperset(of: [UInt8(ascii: "2"), UInt8(ascii: "3")])
            if hasBoth, FileJoin.Kind(path: path) != nil { joinable.append(path) } else { marked.append(path) }
        }
    }

    private static let limit = 64 << 20

    /// What to do, as sentences.
    var advice: [String] {
        var lines: [String] = []
        if !joinable.isEmpty {
            let files = joinable.count == 1 ? "1 file" : "\(joinable.count) files"
            let setup = CloneCheck.hasDriver(library) ? "" : "sbfs git setup && "
            lines.append(
                "git merged \(files) without sbfs and left its markers; to have sbfs join, run: \(setup)\(command)")
        }
        for path in marked.prefix(Self.toldLimit) {
            lines.append("\(Printable.line(path)) has git's conflict markers; edit it, then: git add \(word(path))")
        }
        if marked.count > Self.toldLimit {
            let rest = marked.count - Self.toldLimit
            lines.append("\(rest) more files have git's conflict markers; git status names them")
        }
        return lines
    }

    /// Has git merge the files again, now with the driver.
    private var command: String {
        let git = "git -C " + word(library)
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
