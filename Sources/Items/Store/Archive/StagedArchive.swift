package import Files

/// A saved page in a staging folder, before it becomes an item's archive: page.html, reader.html and assets/.
///
/// Whoever saves the page writes into `path`; nothing of it is seen in the library until `ItemStore.install` puts it in
/// place. One that is never installed is cleared with its session.
package struct StagedArchive: Sendable {
    /// The folder's name in the staging session.
    let name: String
    /// The folder, for another process.
    package let path: String
}

/// What lies in an archive's folder: an item's, a snapshot's or a staged one's.
package struct ArchiveFiles: Sendable {
    package let page: FileStatus?
    package let reader: FileStatus?
    /// Names of the files in assets/.
    package let assets: Set<String>

    package var isEmpty: Bool { page == nil && reader == nil && assets.isEmpty }
    package var hasPage: Bool { page != nil || reader != nil }

    /// Only regular files count, and folders that are no links.
    init(in folder: borrowing Directory) throws(FileError) {
        page = try Self.regular(Layout.pageFile, in: folder)
        reader = try Self.regular(Layout.readerFile, in: folder)
        var names: Set<String> = []
        if try folder.statusIfPresent(of: Layout.assets)?.kind == .directory {
            for entry in try folder.directory(Layout.assets).entries() where entry.kind == .regular {
                if let name = entry.name.string { names.insert(name) }
            }
        }
        assets = names
    }

    private static func regular(_ name: String, in folder: borrowing Directory) throws(FileError) -> FileStatus? {
        let status = try folder.statusIfPresent(of: name)
        return status?.kind == .regular ? status : nil
    }
}

extension ItemStore {
    /// Makes an empty folder for a page that is to be saved.
    package func stageArchive() throws(ItemError) -> StagedArchive {
        let session = try staging()
        let name = session.temporaryName(for: "archive")
        try files { () throws(FileError) in _ = try session.directory.makeDirectory(name, permissions: 0o700) }
        return StagedArchive(name: name, path: session.directory.full(name))
    }

    /// Removes a staged archive that is not wanted.
    package func discard(_ archive: StagedArchive) {
        guard let session = try? staging() else { return }
        try? session.directory.removeTree(archive.name)
    }

    /// What a staged archive holds.
    package func stagedFiles(_ archive: StagedArchive) throws(ItemError) -> ArchiveFiles {
        let session = try staging()
        return try files { () throws(FileError) in try ArchiveFiles(in: session.directory.directory(archive.name)) }
    }

    /// What an item's archive holds.
    package func archiveFiles(of stored: StoredItem) throws(ItemError) -> ArchiveFiles {
        try files { () throws(FileError) in try ArchiveFiles(in: root.directory(stored.folder)) }
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

    /// A file of an item's archive.
    package func archiveContents(of name: String, in stored: StoredItem, limit: Int) throws(ItemError) -> [UInt8]? {
        try files { () throws(FileError) in
            try root.directory(stored.folder).contentsIfPresent(of: name, limit: limit)?.bytes
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

    /// The item as it is now.
    package func reread(_ stored: StoredItem) throws(ItemError) -> StoredItem {
        guard let now = try item(stored.id, in: stored.folder) else { throw .noItem(stored.id) }
        return now
    }
}
