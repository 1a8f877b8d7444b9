public import Files
internal import Items

extension FileJoin {
    /// Writes the conflicts into conflicts/ beside the joined file, before its bytes go anywhere. Durable when it returns.
    ///
    /// A file that is there already has the same bytes: its name comes from them. Symbolic links are not followed. A conflict that a
    /// version in the item's history/ ended comes under another name, as in a join of versions: the next command would remove it under
    /// that one. The values are in conflict again, as after a merge that was thrown away and made again.
    ///
    /// - Parameters:
    ///   - path: the joined file, relative to `root`.
    ///   - root: the path of the folder that holds everything, such as a work tree of git.
    /// - Returns: the paths of the conflicts, relative to `root`.
    /// - Throws: `FileError`, for example if the item's folder is not there.
    public func keepConflicts(of path: String, in root: String) throws(FileError) -> [String] {
        if conflicts.isEmpty { return [] }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let parent = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        let top = try Directory(path: root)
        let item = try parent.isEmpty ? top.duplicate() : top.directory(parent)
        try item.makeDirectory("conflicts")
        let folder = try item.directory("conflicts")
        let ended = try Self.ended(in: item)
        var kept: [String] = []
        for conflict in conflicts.map({ $0.coming(after: ended) }) {
            if try folder.contentsIfPresent(of: conflict.name, limit: Layout.textByteLimit)?.bytes != conflict.bytes {
                let temporary = ".\(conflict.name).new-\(RunningProgram.processID)"
                try folder.writeFile(temporary, conflict.bytes)
                try folder.replace(temporary, to: folder, as: conflict.name)
            }
            kept.append((parent.isEmpty ? "" : parent + "/") + "conflicts/" + conflict.name)
        }
        try folder.sync()
        try item.sync()
        return kept
    }

    /// The conflicts that versions in an item's history/ ended: paths relative to the item's folder. Another file in there ends none.
    fileprivate static func ended(in item: borrowing Directory) throws(FileError) -> Set<String> {
        guard try item.statusIfPresent(of: Layout.history)?.kind == .directory else { return [] }
        let history = try item.directory(Layout.history)
        var ended: Set<String> = []
        for entry in try history.entries() where entry.kind == .regular {
            guard entry.name.bytes.count == 69, let name = entry.name.string, name.hasSuffix(".json"),
                let hash = Items.ContentHash(hex: name.utf8.prefix(64)),
                let bytes = try history.contentsIfPresent(of: name, limit: Version.byteLimit)?.bytes,
                let version = try? Version(name: hash, bytes: bytes)
            else { continue }
            ended.formUnion(version.resolved)
        }
        return ended
    }
}

extension FileJoin.Conflict {
    /// So many names of one conflict are tried.
    private static let nameLimit = 1000

    /// So many names of one conflict are looked for.
    private static let lookLimit = 8

    /// The names under which the conflict may be in conflicts/: that of its bytes, and those of the times that it came again.
    public var names: [String] {
        var names = [name], last = bytes
        while names.count < Self.lookLimit, let next = ConflictFile.reopened(last) {
            names.append(next.name)
            last = next.bytes
        }
        return names
    }

    /// Whether an item has the conflict, or a version in its history/ ended it: nobody is asked again.
    ///
    /// - Parameters:
    ///   - path: a file of the item, relative to `root`.
    ///   - root: the path of the folder that holds everything, such as a work tree of git.
    /// - Throws: `FileError` if the item's folder cannot be read.
    public func isKnown(beside path: String, in root: String) throws(FileError) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let parent = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        let top = try Directory(path: root)
        let item = try parent.isEmpty ? top.duplicate() : top.directory(parent)
        let ended = try FileJoin.ended(in: item)
        for name in names.map({ Layout.conflicts + "/" + $0 }) {
            if ended.contains(name) { return true }
            if try item.statusIfPresent(of: name) != nil { return true }
        }
        return false
    }

    /// The same conflict under the first of its names that is not among these paths.
    fileprivate func coming(after ended: Set<String>) -> FileJoin.Conflict {
        var conflict = self
        for _ in 0..<Self.nameLimit {
            guard ended.contains(Layout.conflicts + "/" + conflict.name),
                let next = ConflictFile.reopened(conflict.bytes)
            else { break }
            conflict = FileJoin.Conflict(field: field, name: next.name, bytes: next.bytes)
        }
        return conflict
    }
}
