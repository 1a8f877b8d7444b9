public import Files
internal import Items

extension FileJoin {
    /// Writes the conflicts into conflicts/ beside the joined file, before its bytes go anywhere. Durable when it returns.
    ///
    /// A file that is there already has the same bytes: its name comes from them. Symbolic links are not followed.
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
        var kept: [String] = []
        for conflict in conflicts {
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
}
