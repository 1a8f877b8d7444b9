internal import Files

/// Staging folders for pages that are being saved.
extension WriteSession {
    /// Makes an empty folder for saving a page.
    ///
    /// - Parameter id: the item whose page is saved; other processes see it (`ItemStore.archivesInProgress`).
    package func stageArchive(of id: ItemID? = nil) throws(ItemError) -> StagedArchive {
        let session = try staging()
        let name = session.temporaryName(for: Self.archiveWord + (id.map { "-" + $0.description } ?? ""))
        try files { () throws(FileError) in _ = try session.directory.makeDirectory(name, permissions: 0o700) }
        return StagedArchive(name: name, path: session.directory.full(name))
    }

    static let archiveWord = "archive"

    /// Removes a staged archive that is not needed.
    package func discard(_ archive: StagedArchive) {
        guard let session = try? staging() else { return }
        try? session.directory.removeTree(archive.name)
    }

    /// The files of a staged archive.
    package func stagedFiles(_ archive: StagedArchive) throws(ItemError) -> ArchiveFiles {
        let session = try staging()
        return try files { () throws(FileError) in try ArchiveFiles(in: session.directory.directory(archive.name)) }
    }

    /// A file of a staged archive.
    package func contents(
        of name: String, in archive: StagedArchive, limit: Int
    ) throws(ItemError) -> [UInt8]? {
        let session = try staging()
        return try files { () throws(FileError) in
            try session.directory.directory(archive.name).contentsIfPresent(of: name, limit: limit)?.bytes
        }
    }

    /// The SHA-256 of a file of a staged archive, 64 lower-case hexadecimal digits.
    package func hash(of path: String, in archive: StagedArchive) throws(ItemError) -> String {
        let session = try staging()
        return try files { () throws(FileError) in
            let file = try session.directory.directory(archive.name).file(path)
            var hash = SHA256()
            while true {
                let chunk = try file.readChunk(1 << 20)
                if chunk.isEmpty { return hash.finish() }
                hash.update(chunk)
            }
        }
    }
}

extension ItemStore {
    /// Items whose pages living processes save now, this one included.
    package func archivesInProgress() -> Set<ItemID> {
        guard let device else { return [] }
        return archivesInProgress(in: device.staging)
    }

    private func archivesInProgress(in staging: borrowing Directory) -> Set<ItemID> {
        guard let sessions = try? staging.entries() else { return [] }
        var ids: Set<ItemID> = []
        for session in sessions where session.kind == .directory {
            guard let name = session.name.string, let folder = try? staging.directory(name),
                let entries = try? folder.entries()
            else { continue }
            let mark = "-" + WriteSession.archiveWord + "-"
            let found = entries.compactMap { entry -> ItemID? in
                guard let name = entry.name.string, name.hasPrefix(WriteSession.keptPrefix) else { return nil }
                let id = String(name.suffix(ItemID.textByteCount))
                return name.hasSuffix(mark + id) ? ItemID(id) : nil
            }
            if !found.isEmpty, isHeld(name, in: staging) { ids.formUnion(found) }
        }
        return ids
    }

    /// Whether a living process holds a session; the lock of a dead one is free.
    private func isHeld(_ session: String, in staging: borrowing Directory) -> Bool {
        do throws(FileError) {
            return try FileLock.acquireFolder(session, in: staging) == nil
        } catch {
            return false
        }
    }
}
