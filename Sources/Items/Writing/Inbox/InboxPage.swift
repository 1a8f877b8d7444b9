package import Files

/// A saved page of inbox/ in a staging folder, with copies of the files that were saved with it.
package struct InboxPage: Sendable {
    /// The folder's name in the session.
    let staged: String
    /// The full path of the page, for the worker.
    package let path: String
    /// The files that were copied.
    package fileprivate(set) var files: [InboxVersion] = []
    /// Their folders, inner ones before outer ones.
    package fileprivate(set) var folders: [[FileName]] = []

    /// Folders within a page's folder.
    package static let depthLimit = 16
}

extension WriteSession {
    /// Copies a staged page, and the folders beside it, into a folder of their own.
    ///
    /// Only regular files are copied. Together they are at most as large as the library's limit for one file.
    ///
    /// - Parameters:
    ///   - staged: the page; its copy shares its blocks if the file system can.
    ///   - version: the page in the inbox; its name is UTF-8.
    ///   - companions: names of the folders beside it.
    package func stagePage(
        _ staged: StagedDocument, _ version: InboxVersion, companions: [FileName]
    ) throws(ItemError) -> InboxPage {
        let session = try staging()
        let name = session.temporaryName(for: "page")
        return try files { () throws(FileError) in
            try session.directory.makeDirectory(name, permissions: 0o700)
            let target = try session.directory.directory(name)
            let file = version.name.repaired
            try session.directory.keep(staged.temporary, in: target, as: file)
            var page = InboxPage(staged: name, path: target.full(file))
            var left = store.settings.maxFileByteCount
            let folder = try store.inboxFolder(version.folder)
            for companion in companions {
                try Self.copy(companion, from: folder, version.folder, to: target, &page, &left, depth: 0)
            }
            return page
        }
    }

    package func discard(_ page: InboxPage) {
        guard let session = try? staging() else { return }
        try? session.directory.removeTree(page.staged)
    }

    private static func copy(
        _ name: FileName, from parent: borrowing Directory, _ path: [FileName], to target: borrowing Directory,
        _ page: inout InboxPage, _ left: inout Int, depth: Int
    ) throws(FileError) {
        guard let text = name.string, depth < InboxPage.depthLimit else { return }
        let source = try parent.directory(named: name)
        let path = path + [name]
        try target.makeDirectory(text, permissions: 0o700)
        let copy = try target.directory(text)
        for entry in try source.entries() {
            if entry.kind == .directory {
                try Self.copy(entry.name, from: source, path, to: copy, &page, &left, depth: depth + 1)
            } else if entry.kind == .regular, let file = entry.name.string {
                let open = try source.file(named: entry.name)
                let status = try open.status()
                left -= status.byteCount
                if left < 0 {
                    throw FileError(.copy, source.full(file), .tooLarge(byteCount: status.byteCount, limit: left))
                }
                let new = try copy.createFile(file, permissions: 0o600)
                if !new.clone(open) {
                    try new.write(open.readAll(expecting: status.byteCount, limit: status.byteCount))
                }
                page.files.append(InboxVersion(folder: path, name: entry.name, status: status))
            }
        }
        page.folders.append(path)
    }

    /// Removes folders of inbox/ that are empty.
    package func removeEmptyInboxFolders(_ folders: [[FileName]]) {
        for path in folders {
            guard let name = path.last, let parent = try? store.inboxFolder(path.dropLast()) else { continue }
            try? parent.removeDirectory(named: name)
        }
        syncInbox(folders.map { Array($0.dropLast()) })
    }
}
