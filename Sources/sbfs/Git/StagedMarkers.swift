import StuffBucket

/// Staged files of any kind in which git left a conflict that nobody resolved.
///
/// A file may show markers on purpose. Those of a merge are in none of the commits that it joins.
struct StagedMarkers {
    private let git: Git
    private let files: [StagedFile]
    /// What is merged into the last commit: empty if git is in the middle of nothing.
    private let others: [String]

    /// - Throws: `CommandFailure` with git's own words.
    init(_ git: Git) throws {
        self.git = git
        // Before the first commit there is nothing that a merge could be of.
        guard try git.line("rev-parse", "-q", "--verify", "HEAD") != nil else {
            files = []
            others = []
            return
        }
        files = try StagedFile.all(git, "-G^<<<<<<<", "--no-textconv")
        others = try files.isEmpty ? [] : StagedMerge.heads(git)
    }

    /// The files with the line of the first marker.
    func faults() throws -> [(path: String, line: Int)] {
        let versions = try others.map(objects)
        var faults: [(path: String, line: Int)] = []
        for file in files {
            var names = [file.new]
            if !file.isAdded { names.append(file.old) }
            names += versions.compactMap { $0[file.path] }
            var staged: [UInt8] = [], last: [UInt8] = [], blocks: [MarkerBlock] = []
            var known: Set<ArraySlice<UInt8>> = []
            try GitObjects(git: git).read(names) { place, bytes in
                guard let bytes else { return }
                if place == 0 {
                    staged = bytes
                    blocks = MarkerBlock.all(in: bytes)
                } else if !blocks.isEmpty {
                    if place == 1, !file.isAdded { last = bytes }
                    known.formUnion(MarkerBlock.all(in: bytes).map(\.bytes))
                }
            }
            let new = blocks.filter { !known.contains($0.bytes) }
            let found = others.isEmpty ? Self.taken(new, from: last, into: staged) : new.first
            if let found { faults.append((file.path, found.line)) }
        }
        return faults
    }

    /// The first block with lines that a merge took from their place in the last commit: "git stash pop" leaves markers,
    /// and no sign of itself. Who writes of markers adds lines, and leaves those that are there.
    private static func taken(_ blocks: [MarkerBlock], from last: [UInt8], into staged: [UInt8]) -> MarkerBlock? {
        if blocks.isEmpty { return nil }
        var left: [ArraySlice<UInt8>: Int] = [:]
        for line in MarkerBlock.lines(last[...]) { left[line, default: 0] += 1 }
        for line in MarkerBlock.lines(staged[...]) { left[line, default: 0] -= 1 }
        for line in blocks.flatMap(\.lines) { left[line, default: 0] += 1 }
        return blocks.first { !$0.ours.isEmpty && $0.ours.allSatisfy { left[$0, default: 0] > 0 } }
    }

    /// The objects of the candidates in another commit, by path.
    private func objects(in commit: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for start in stride(from: 0, to: files.count, by: 500) {
            let paths = files[start..<min(start + 500, files.count)].map(\.path)
            let listing = try git.output(["ls-tree", "--full-tree", "-z", commit, "--"] + paths) ?? []
            for entry in listing.split(separator: 0) {
                // MODE TYPE OBJECT, a tab and the path.
                let parts = entry.split(separator: 0x09, maxSplits: 1)
                let words = parts[0].split(separator: 0x20)
                if parts.count == 2, words.count == 3 {
                    found[String(decoding: parts[1], as: UTF8.self)] = Array(words[2])
                }
            }
        }
        return found
    }
}
