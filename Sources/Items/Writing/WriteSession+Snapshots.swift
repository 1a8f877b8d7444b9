internal import Files
package import JSONFormat
package import Time

/// Keeping and restoring an item's earlier captures.
extension WriteSession {
    /// Copies the item's archive into snapshots/, durably. The same archive is not kept twice.
    ///
    /// - Parameter others: names of files in assets/ that are not of it.
    func keepSnapshot(
        of stored: StoredItem, besides others: Set<String> = [], at time: Timestamp
    ) throws(ItemError) -> Snapshot {
        let own = try store.archiveFiles(of: stored)
        let fields = ItemStore.archiveFields.compactMap { field in
            stored.json.member(field.key, of: stored.json.root).map {
                (field.key, Optional(ItemStore.honest(field, stored.json.copy($0), own)))
            }
        }
        let session = try staging()
        return try files { () throws(FileError) in
            try makeSnapshot(
                of: store.root.directory(stored.folder), besides: others, fields, in: stored, session, at: time)
        }
    }

    /// Keeps a staged archive as a snapshot; the item's archive stays.
    @discardableResult
    package func keepAsSnapshot(
        _ archive: StagedArchive, of stored: StoredItem, _ fields: [(ItemField, JSON)], at time: Timestamp = .now
    ) throws(ItemError) -> Snapshot {
        try refuseDoubles(stored)
        let session = try staging()
        try journal { .lasting(stored.id, .archive) }
        let kept = try files { () throws(FileError) in
            try makeSnapshot(
                of: session.directory.directory(archive.name), fields.map { ($0.0.key, Optional($0.1)) }, in: stored,
                session, at: time)
        }
        try? session.directory.removeTree(archive.name)
        return kept
    }

    private func makeSnapshot(
        of source: borrowing Directory, besides others: Set<String> = [], _ fields: [(String, JSON?)],
        in stored: StoredItem,
        _ session: StagingFolder, at time: Timestamp
    ) throws(FileError) -> Snapshot {
        let contents = try ArchiveFiles(in: source).besides(assets: others)
        let main = contents.page != nil ? Layout.pageFile : Layout.readerFile
        let hash = try SHA256.hex(source.contents(of: main, limit: ItemStore.pageByteLimit).bytes).prefix(8)
        let item = try store.root.directory(stored.folder)
        if try item.statusIfPresent(of: Layout.snapshots)?.kind == .directory {
            let folder = try item.directory(Layout.snapshots)
            for entry in try folder.entries() where entry.kind == .directory {
                // An interrupted command or a restored snapshot left the same page here.
                guard let name = entry.name.string, Layout.isSnapshotName(name),
                    name.utf8.dropFirst(time.compact.utf8.count + 1).starts(with: hash.utf8)
                else { continue }
                let there = try folder.directory(name)
                let files = try ArchiveFiles(in: there)
                if files.assets == contents.assets, files.prints == contents.prints {
                    return try store.snapshot(name, in: there)
                }
            }
        }
        var name = time.compact + "-" + hash
        let temporary = session.temporaryName(for: name)
        try session.directory.makeDirectory(temporary, permissions: 0o777)
        do throws(FileError) {
            let copy = try session.directory.directory(temporary)
            try Self.copy(source, contents, to: copy)
            try copy.writeFile(ItemStore.snapshotFile, JSONWriter.file(.members(fields)))
            try copy.sync()
            try item.makeDirectory(Layout.snapshots)
            let folder = try item.directory(Layout.snapshots)
            do throws(FileError) {
                try session.directory.move(temporary, to: folder, as: name)
            } catch let error where error.isTaken {
                // Two different pages within one second.
                name += "-" + String(UInt16.random(in: 0 ... .max))
                try session.directory.move(temporary, to: folder, as: name)
            }
            try folder.sync()
            try item.sync()
        } catch {
            try? session.directory.removeTree(temporary)
            throw error
        }
        noteChange(stored.id)
        return Snapshot(
            name: name, archivedAt: nil, status: nil, capturedBy: nil, files: contents)
    }

    /// Copies the files of a capture, each synced. Shares blocks if the file system can.
    private static func copy(
        _ source: borrowing Directory, _ files: ArchiveFiles, to target: borrowing Directory
    ) throws(FileError) {
        for name in files.names { try copyFile(name, from: source, to: target) }
        if files.assets.isEmpty { return }
        try target.makeDirectory(Layout.assets)
        let from = try source.directory(Layout.assets)
        let to = try target.directory(Layout.assets)
        for name in files.assets { try copyFile(name, from: from, to: to) }
        try to.sync()
    }

    /// Copies one file, synced. Shares blocks if the file system can.
    static func copyFile(
        _ name: String, from source: borrowing Directory, to target: borrowing Directory, as newName: String? = nil
    ) throws(FileError) {
        let from = try source.file(name)
        let to = try target.createFile(newName ?? name)
        if !to.clone(from) {
            while true {
                let chunk = try from.readChunk(1 << 20)
                if chunk.isEmpty { break }
                try to.write(chunk)
            }
        }
        try to.sync()
    }

    /// Makes an earlier capture the item's archive again. The current one becomes a snapshot.
    ///
    /// - Throws: `ItemError.refused` if there is no such snapshot, or it holds no page.
    package func restore(
        _ snapshot: Snapshot, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) {
        guard snapshot.files.hasPage else {
            throw .refused(.noPage(stored.id, snapshot: snapshot.name))
        }
        let staged = try stageArchive()
        do throws(ItemError) {
            let session = try staging()
            var edit = ItemEdit(base: stored.json)
            for field in ItemStore.archiveFields { edit.remove(field) }
            try files { () throws(FileError) in
                let source = try store.root.directory(stored.folder + "/" + snapshot.path)
                try Self.copy(source, snapshot.files, to: session.directory.directory(staged.name))
                let bytes = try source.contentsIfPresent(of: ItemStore.snapshotFile, limit: Layout.settingsByteLimit)?
                    .bytes
                guard let json = bytes.flatMap({ try? JSONDocument(parsing: $0) }) else { return }
                for field in ItemStore.archiveFields {
                    if let value = json.member(field.key, of: json.root) {
                        edit.set(field, ItemStore.honest(field, json.copy(value), snapshot.files))
                    }
                }
            }
            edit.set(.htmlRelativePath, .string(snapshot.files.page != nil ? Layout.pageFile : Layout.readerFile))
            try install(staged, in: stored, edit, at: time)
        } catch {
            discard(staged)
            throw error
        }
    }
}
