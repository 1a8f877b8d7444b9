internal import Files

/// Staging folders for pages that are being saved.
extension WriteSession {
    /// Makes an empty folder for saving a page.
    package func stageArchive() throws(ItemError) -> StagedArchive {
        let session = try staging()
        let name = session.temporaryName(for: "archive")
        try files { () throws(FileError) in _ = try session.directory.makeDirectory(name, permissions: 0o700) }
        return StagedArchive(name: name, path: session.directory.full(name))
    }

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
