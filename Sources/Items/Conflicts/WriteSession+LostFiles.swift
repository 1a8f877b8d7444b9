package import Files

extension WriteSession {
    /// Moves a file that lost a conflict to another place in the library's folder, where nothing is. Undoing the step moves it back.
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
        // The version of the step says to other copies that the conflict ended.
        witness.withLock { $0 }?.willChange(id)
        let mark = try journalMove(folder + "/" + path, of: id, to: target)
        let outcome: Bool?
        do throws(ItemError) {
            outcome = try move(folder + "/" + path, as: seen, to: target)
        } catch {
            void(mark)
            throw error
        }
        if outcome != true { void(mark) }
        guard let outcome else { throw .conflict(id: id, what: path, kept: nil) }
        if outcome { noteChange(id) }
        return outcome
    }

    /// Removes a file that lost a conflict, and whose bytes another one has. Undoing the step puts that one back.
    ///
    /// - Parameter twin: the other one's path, relative to the library's folder.
    /// - Throws: as `moveLostFile`.
    package func removeLostFile(
        _ path: String, as seen: FileStatus, of id: ItemID, in folder: String, keptAs twin: String
    ) throws(ItemError) {
        let full = folder + "/" + path
        guard let name = full.pathComponents.last else { return }
        let mark = try journalMove(full, of: id, to: twin)
        do throws(ItemError) {
            try removeFile(name, in: Self.parent(ofPath: full), as: seen, of: id, path)
        } catch {
            void(mark)
            throw error
        }
    }

    private func journalMove(_ from: String, of id: ItemID, to target: String) throws(ItemError) -> JournalMark? {
        try journal { () throws(ItemError) in
            let hash = try files { () throws(FileError) in try store.root.file(from).sha256() }
            return .moved(id, .init(from: from, to: target, sha256: hash))
        }
    }

    /// - Returns: false if something has the name already; `nil` if the file is another one than was seen.
    private func move(_ from: String, as seen: FileStatus, to target: String) throws(ItemError) -> Bool? {
        try locked { () throws(ItemError) -> Bool? in
            try files { () throws(FileError) -> Bool? in
                let source = try store.root.directory(Self.parent(ofPath: from))
                let place = try store.root.directory(Self.parent(ofPath: target))
                guard let name = from.pathComponents.last, let newName = target.pathComponents.last,
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
    }

    private static func parent(ofPath path: String) -> String {
        path.pathComponents.dropLast().joined(separator: "/")
    }
}
