internal import Files
internal import JSONFormat
package import Time

extension WriteSession {
    /// Makes a staged archive the item's own. It is durable when this returns.
    ///
    /// The item's current archive is copied into snapshots/ first. Then every step leaves whole files: assets, which
    /// are named after their content, come before the page that needs them; page.html and reader.html are swapped in,
    /// one after the other; then item.json is updated; assets that only the earlier page needed are removed last. A
    /// version of page.html or reader.html that another program saved meanwhile is kept in conflicts/.
    ///
    /// - Parameter edit: the change of item.json.
    /// - Returns: the snapshot of the earlier archive, or `nil` if there was none.
    @discardableResult
    package func install(
        _ archive: StagedArchive, in stored: StoredItem, _ edit: ItemEdit, at time: Timestamp = .now
    ) throws(ItemError) -> Snapshot? {
        try refuseDoubles(stored)
        try refuseOthers(stored)
        try refuseAwaitedPage(stored)
        try journal { .lasting(stored.id, .archive) }
        return try install(archive, Layout.captureFiles, in: stored, at: time) { () throws(ItemError) in
            var edit = edit
            edit.touch()
            try update(stored, edit, at: time)
        }
    }

    /// Makes a staged archive the item's own, and leaves item.json to `settle`, which runs before the assets of the earlier
    /// page go.
    ///
    /// - Parameters:
    ///   - names: what is put in place or removed. Versions do not have the print and the picture, so a join leaves those of the
    ///     item alone.
    ///   - placed: assets of the new page that are in place already.
    ///   - alone: those of them that the earlier page does not have: its snapshot lacks them.
    /// - Returns: the snapshot of the earlier archive, or `nil` if nothing of its page goes.
    @discardableResult
    func install(
        _ archive: StagedArchive, _ names: [String] = [Layout.pageFile, Layout.readerFile],
        staying placed: Set<String> = [], alone: Set<String> = [], in stored: StoredItem,
        at time: Timestamp, settle: () throws(ItemError) -> Void
    ) throws(ItemError) -> Snapshot? {
        try refuseOthers(stored)
        try refuseAwayPage(stored)
        let session = try staging()
        let earlier = try store.archiveFiles(of: stored)
        let new = try stagedFiles(archive)
        try files { () throws(FileError) in try syncArchive(session.directory.directory(archive.name), new) }
        let goes = names.contains {
            $0 == Layout.pageFile ? earlier.page != nil : $0 == Layout.readerFile && earlier.reader != nil
        }
        // Of a page that is in place already, an earlier call kept the one before.
        let kept =
            goes && names.contains(Layout.pageFile) ? try keepSnapshot(of: stored, besides: alone, at: time) : nil
        try locked { () throws(ItemError) in
            try files { () throws(FileError) in
                let item = try store.root.directory(stored.folder)
                let staged = try session.directory.directory(archive.name)
                try addAssets(new.assets, from: staged, to: item)
            }
        }
        for name in names {
            try swapIn(name, of: archive, in: stored, session, snapshot: kept)
        }
        try settle()
        try? removeAssets(earlier.assets.subtracting(new.assets).subtracting(placed), of: stored)
        noteChange(stored.id)
        try? session.directory.removeTree(archive.name)
        return kept
    }

    /// - Throws: `ItemError.refused` if an entry of another kind has the name of a part of the archive.
    private func refuseOthers(_ stored: StoredItem) throws(ItemError) {
        let parts: [(String, FileKind)] =
            [
                (Layout.assets, .directory), (Layout.snapshots, .directory),
            ] + Layout.captureFiles.map { ($0, .regular) }
        for (name, kind) in parts {
            let path = stored.folder + "/" + name
            let there = try files { () throws(FileError) in try store.root.statusIfPresent(of: path) }
            if let there, there.kind != kind {
                throw .refused(.wrongKind(path: store.root.full(path), there.kind, expected: kind))
            }
        }
    }

    /// Above this number of files, one sync of the file system is faster than one for each.
    private static let manyFiles = 32

    private func syncArchive(_ folder: borrowing Directory, _ files: ArchiveFiles) throws(FileError) {
        if files.assets.count > Self.manyFiles {
            try folder.syncFileSystem()
            return
        }
        for name in files.names { try folder.file(name).sync() }
        if !files.assets.isEmpty {
            let assets = try folder.directory(Layout.assets)
            for name in files.assets { try assets.file(name).sync() }
            try assets.sync()
        }
        try folder.sync()
    }

    /// Moves new assets into the item. An asset with the same name has the same content.
    private func addAssets(
        _ names: Set<String>, from staged: borrowing Directory, to item: borrowing Directory
    ) throws(FileError) {
        if names.isEmpty { return }
        let isNew = try item.makeDirectory(Layout.assets)
        let source = try staged.directory(Layout.assets)
        let target = try item.directory(Layout.assets)
        for name in names {
            let there = try target.statusIfPresent(of: name)
            let staged = try source.statusIfPresent(of: name)
            if let there, there.kind == .regular, there.byteCount == staged?.byteCount { continue }
            try source.replace(name, to: target, as: name)
        }
        try target.sync()
        if isNew { try item.sync() }
    }

    /// Adds one file of a staged archive to the item's assets. It is durable when this returns.
    ///
    /// - Parameter path: `assets/NAME`.
    package func addAsset(
        _ path: String, from archive: StagedArchive, to stored: StoredItem
    ) throws(ItemError) {
        try refuseOthers(stored)
        let prefix = Layout.assets + "/"
        guard path.hasPrefix(prefix), Layout.isAssetName(String(path.dropFirst(prefix.count))) else {
            throw .refused(.noAsset(path: path))
        }
        let name = String(path.dropFirst(prefix.count))
        let session = try staging()
        let temporary = session.temporaryName(for: name)
        try files { () throws(FileError) in
            let source = try session.directory.directory(archive.name).directory(Layout.assets)
            try Self.copyFile(name, from: source, to: session.directory, as: temporary)
        }
        try locked { () throws(ItemError) in
            try files { () throws(FileError) in
                let item = try store.root.directory(stored.folder)
                try item.makeDirectory(Layout.assets)
                let assets = try item.directory(Layout.assets)
                try session.directory.replace(temporary, to: assets, as: name)
                try assets.sync()
                try item.sync()
            }
        }
        noteChange(stored.id)
    }

    /// Puts a page file of the archive in place of the item's, or removes the item's if the archive has none.
    private func swapIn(
        _ name: String, of archive: StagedArchive, in stored: StoredItem, _ session: StagingFolder,
        snapshot: Snapshot?
    ) throws(ItemError) {
        let displacedName = try locked { () throws(ItemError) -> String? in
            try files { () throws(FileError) -> String? in
                let staged = try session.directory.directory(archive.name)
                let item = try store.root.directory(stored.folder)
                let isThere = try item.statusIfPresent(of: name) != nil
                let isNew = try staged.statusIfPresent(of: name) != nil
                switch (isThere, isNew) {
                case (false, false): return nil
                case (false, true):
                    try staged.move(name, to: item, as: name)
                    try item.sync()
                    return nil
                case (true, false):
                    try item.replace(name, to: staged, as: name)
                case (true, true):
                    if try !staged.swap(name, with: item, name) {
                        try staged.replace(name, to: item, as: name)
                        try item.sync()
                        return nil
                    }
                }
                try item.sync()
                return name
            }
        }
        guard let displacedName else { return }
        let displaced = try contents(of: displacedName, in: archive, limit: ItemStore.pageByteLimit) ?? []
        let copied = try snapshot.flatMap { snapshot throws(ItemError) in
            try files { () throws(FileError) in
                try store.root.contentsIfPresent(
                    of: stored.folder + "/" + snapshot.path + "/" + name, limit: ItemStore.pageByteLimit)?.bytes
            }
        }
        if displaced == copied { return }
        if snapshot == nil, try isInSnapshot(displaced, name, of: stored) { return }
        try keep(displaced, of: name, in: stored.folder)
    }

    /// Whether a snapshot of the item has these bytes under this name.
    private func isInSnapshot(_ bytes: [UInt8], _ name: String, of stored: StoredItem) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let item = try store.root.directory(stored.folder)
            guard try item.statusIfPresent(of: Layout.snapshots)?.kind == .directory else { return false }
            for entry in try item.directory(Layout.snapshots).entries() where entry.kind == .directory {
                guard let folder = entry.name.string else { continue }
                let path = Layout.snapshots + "/" + folder + "/" + name
                guard let status = try item.statusIfPresent(of: path), status.kind == .regular,
                    status.byteCount == bytes.count
                else { continue }
                if try item.contentsIfPresent(of: path, limit: ItemStore.pageByteLimit)?.bytes == bytes { return true }
            }
            return false
        }
    }

    /// Removes assets that no page of the item needs. Removes only names that a capture makes, so a person's own
    /// files stay.
    private func removeAssets(_ names: Set<String>, of stored: StoredItem) throws(ItemError) {
        let favicon = stored.item.favicon.map { String($0.dropFirst(Layout.assets.count + 1)) }
        let own = names.filter { Layout.isAssetName($0) && $0 != favicon }
        if own.isEmpty { return }
        try locked { () throws(ItemError) in
            try files { () throws(FileError) in
                let assets = try store.root.directory(stored.folder + "/" + Layout.assets)
                for name in own { try assets.removeFile(name) }
                try assets.sync()
            }
        }
    }
}
