package import Files

extension WriteSession {
    /// Moves a file that lost a conflict to another place in the library's folder, where nothing is.
    ///
    /// - Parameters:
    ///   - path: relative to the item's folder.
    ///   - seen: the file's status as the person saw it.
    ///   - folder: the item's, relative to the library's.
    ///   - target: relative to the library's folder. Its folder is there.
    /// - Returns: false if something has the name already.
    /// - Throws: `ItemError.conflict` if another program changed the file meanwhile.
    package func moveLostFile(
        _ path: String, as seen: FileStatus, of id: ItemID, in folder: String, to target: String
    ) throws(ItemError) -> Bool {
        let (from, to) = (folder + "/" + path, target)
        // The version of the step says to other copies that the conflict ended.
        witness.withLock { $0 }?.willChange(id)
        let outcome = try locked { () throws(ItemError) -> Bool? in
            try files { () throws(FileError) -> Bool? in
                let source = try store.root.directory(Self.parent(ofPath: from))
                let place = try store.root.directory(Self.parent(ofPath: to))
                guard let name = from.pathComponents.last, let newName = to.pathComponents.last,
                    try source.statusIfPresent(of: name)?.isSameVersion(as: seen) == true
                else { return nil }
                do throws(FileError) {
                    try source.move(name, to: place, as: newName)
                } catch {
                    if error.isTaken { return false }
                    throw error
                }
                try place.sync()
                try source.sync()
                return true
            }
        }
        guard let outcome else { throw .conflict(id: id, what: path, kept: nil) }
        if outcome { noteChange(id) }
        return outcome
    }

    /// Removes a file that lost a conflict for good.
    ///
    /// - Throws: as `moveLostFile`.
    package func removeLostFile(
        _ path: String, as seen: FileStatus, of id: ItemID, in folder: String
    ) throws(ItemError) {
        let full = folder + "/" + path
        guard let name = full.pathComponents.last else { return }
        try removeFile(name, in: Self.parent(ofPath: full), as: seen, of: id, path)
    }

    private static func parent(ofPath path: String) -> String {
        path.pathComponents.dropLast().joined(separator: "/")
    }
}
