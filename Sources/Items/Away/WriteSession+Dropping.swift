internal import Files

/// Removing files that an exchange holds, and putting back what came from it.
///
/// Files are moved into the session first, as the folder `<id>.dropped`, and compared there. A version that an editor saved
/// meanwhile goes back. If the process dies, recovery puts those back that were not compared yet, and removes the others.
extension WriteSession {
    static let droppedSuffix = ".dropped"

    /// Removes files of an item that have the bytes that the exchange holds. The record of what is away must be durable.
    ///
    /// - Parameters and result: as for `takeOut`.
    package func drop(
        _ dropped: [AwayFiles.File], of id: ItemID, in folder: String, isMoved: () -> Void = {}
    ) throws(ItemError) -> Bool {
        if try !takeOut(dropped, of: id, in: folder, isMoved: isMoved) { return false }
        let session = try staging()
        try files { () throws(FileError) in
            try session.directory.sync()
            try store.root.directory(folder).sync()
        }
        removeTakenOut([id])
        return true
    }

    /// Takes files out of an item that have the bytes that the exchange holds. The record of what is away must be durable.
    /// `syncAndRemoveTakenOut` removes them; if the process dies before, recovery does.
    ///
    /// - Parameters:
    ///   - folder: the item's, relative to the library's.
    ///   - isMoved: called when the files are out of the item's folder and nothing is removed. Tests save here as an editor would.
    /// - Returns: false if a file has other bytes, or a program writes it; then all of them are where they were.
    package func takeOut(
        _ dropped: [AwayFiles.File], of id: ItemID, in folder: String, isMoved: () -> Void = {}
    ) throws(ItemError) -> Bool {
        let session = try staging()
        let name = id.description + Self.droppedSuffix
        try files { () throws(FileError) in
            // A folder stands before those in it.
            let folders = dropped.flatMap { file in
                let parts = file.file.path.pathComponents
                return parts.indices.dropFirst().map { ([name] + parts[..<$0]).joined(separator: "/") }
            }
            for folder in Set(folders).union([name]).sorted() {
                try session.directory.makeDirectory(folder, permissions: 0o700)
            }
        }
        var isWhole = true
        do throws(ItemError) {
            try locked { () throws(ItemError) in
                try files { () throws(FileError) in
                    for file in dropped {
                        let path = file.file.path
                        do throws(FileError) {
                            try store.root.directory(Self.parent(of: path, in: folder)).move(
                                Self.last(path), to: session.directory.directory(Self.parent(of: path, in: name)),
                                as: Self.last(path))
                        } catch let error where error.isAbsent {
                            isWhole = false
                        }
                    }
                }
            }
            isMoved()
            for file in dropped where isWhole { isWhole = try isUnchanged(file, in: name, session) }
        } catch {
            _ = try? putBack(name, of: id, in: folder, session.directory)
            throw error
        }
        noteChange(id)
        if !isWhole {
            try putBack(name, of: id, in: folder, session.directory)
            return false
        }
        do throws(FileError) {
            // From here on, recovery completes the removal.
            try session.directory.move(name, to: session.directory, as: Self.keptPrefix + name)
        } catch {
            _ = try? putBack(name, of: id, in: folder, session.directory)
            throw .file(error)
        }
        if let item = try? store.root.directory(folder) {
            // They may hold files of the person.
            for name in [Layout.assets, Layout.document] { try? item.removeDirectory(name) }
        }
        return true
    }

    /// Makes durable what `takeOut` did to several items, and removes the files.
    package func syncAndRemoveTakenOut(_ ids: [ItemID]) throws(ItemError) {
        if ids.isEmpty { return }
        try files { () throws(FileError) in try store.root.syncFileSystem() }
        removeTakenOut(ids)
    }

    private func removeTakenOut(_ ids: [ItemID]) {
        guard let session = try? staging() else { return }
        for id in ids { try? session.directory.removeTree(Self.keptPrefix + id.description + Self.droppedSuffix) }
    }

    private func isUnchanged(
        _ file: AwayFiles.File, in folder: String, _ session: StagingFolder
    ) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let parent = try session.directory.directory(Self.parent(of: file.file.path, in: folder))
            let name = Self.last(file.file.path)
            guard let status = try parent.statusIfPresent(of: name), status.kind == .regular,
                status.byteCount == file.file.size, !isWritten(FileName(name), in: parent)
            else { return false }
            return try parent.file(name).sha256() == file.file.sha256.hex
        }
    }

    /// Moves the files of a folder of the session back to an item. One whose name is taken again stays: `check` names it.
    func putBack(
        _ name: String, of id: ItemID, in folder: String, _ session: borrowing Directory
    ) throws(ItemError) {
        try files { () throws(FileError) in
            let item = try store.root.directory(folder)
            func putBack(_ inner: String) throws(FileError) {
                let path = inner.isEmpty ? name : name + "/" + inner
                let source = try session.directory(path)
                if !inner.isEmpty { try item.makeDirectory(inner) }
                for entry in try source.entries() {
                    guard let file = entry.name.string else { continue }
                    let own = inner.isEmpty ? file : inner + "/" + file
                    if entry.kind == .directory {
                        try putBack(own)
                        continue
                    }
                    do throws(FileError) {
                        try source.move(file, to: inner.isEmpty ? item.duplicate() : item.directory(inner), as: file)
                    } catch {
                        if !error.isTaken { throw error }
                    }
                }
                if !inner.isEmpty { try item.directory(inner).sync() }
                let parts = path.pathComponents
                let parent =
                    parts.count == 1
                    ? try session.duplicate() : try session.directory(parts.dropLast().joined(separator: "/"))
                try? parent.removeDirectory(parts[parts.count - 1])
            }
            try putBack("")
            try item.sync()
        }
        noteChange(id)
    }

    /// Puts files that came from an exchange in place, durably. A name that is taken stays as it is.
    ///
    /// - Parameter staged: a folder of this session that has the files at their paths.
    package func place(
        _ staged: StagedArchive, _ placed: [AwayFiles.File], of id: ItemID, in folder: String
    ) throws(ItemError) {
        let session = try staging()
        try files { () throws(FileError) in try session.directory.directory(staged.name).syncFileSystem() }
        try locked { () throws(ItemError) in
            try files { () throws(FileError) in
                let item = try store.root.directory(folder)
                for file in placed {
                    let path = file.file.path
                    let parent = Self.parent(of: path, in: folder)
                    if parent != folder { try store.root.makeDirectory(parent) }
                    do throws(FileError) {
                        try session.directory.directory(Self.parent(of: path, in: staged.name)).move(
                            Self.last(path), to: store.root.directory(parent), as: Self.last(path))
                    } catch {
                        if !error.isTaken { throw error }
                    }
                }
                for parent in Set(placed.map { Self.parent(of: $0.file.path, in: folder) }) where parent != folder {
                    try store.root.directory(parent).sync()
                }
                try item.sync()
            }
        }
        noteChange(id)
    }

    private static func parent(of path: String, in folder: String) -> String {
        ([folder] + path.pathComponents.dropLast()).joined(separator: "/")
    }

    private static func last(_ path: String) -> String { path.pathComponents.last ?? path }
}
