internal import Files
package import JSONFormat
package import Time

/// An earlier capture of an item: a folder in snapshots/ with page.html, reader.html, assets/ and snapshot.json.
package struct Snapshot: Sendable {
    /// `20261121T101500Z-<hash8>`: when it was put there, and the beginning of the SHA-256 of its page.
    package let name: String
    /// Relative to the item's folder.
    package var path: String { Layout.snapshots + "/" + name }
    /// When the page was saved; when the snapshot was made, where that is not known.
    package let archivedAt: Timestamp?
    package let status: String?
    package let capturedBy: String?
    package let files: ArchiveFiles
}

extension ItemStore {
    /// The fields of item.json that speak of the archive, and that a snapshot keeps beside its files.
    static let archiveFields: [ItemField] = [
        .archiveStatus, .capturedBy, .archiveReason, .archivedAt,
    ]
    static let snapshotFile = "snapshot.json"

    /// The value of a field of the archive, as far as the files bear it out: without page.html nothing is full.
    private static func honest(_ field: ItemField, _ value: JSON, _ files: ArchiveFiles) -> JSON {
        guard field == .archiveStatus, files.page == nil, case .string(Item.ArchiveStatus.full.rawValue) = value else {
            return value
        }
        return .string(Item.ArchiveStatus.partial.rawValue)
    }

    /// The item's earlier captures, the latest first.
    package func snapshots(of stored: StoredItem) throws(ItemError) -> [Snapshot] {
        try files { () throws(FileError) -> [Snapshot] in
            let path = stored.folder + "/" + Layout.snapshots
            guard try root.statusIfPresent(of: path)?.kind == .directory else { return [] }
            let folder = try root.directory(path)
            var snapshots: [Snapshot] = []
            for entry in try folder.entries() where entry.kind == .directory {
                guard let name = entry.name.string, Layout.isSnapshotName(name) else { continue }
                snapshots.append(try snapshot(name, in: folder.directory(name)))
            }
            return snapshots.sorted { $0.name > $1.name }
        }
    }

    private func snapshot(_ name: String, in folder: borrowing Directory) throws(FileError) -> Snapshot {
        let bytes = try folder.contentsIfPresent(of: Self.snapshotFile, limit: Layout.settingsByteLimit)?.bytes
        let json = bytes.flatMap { try? JSONDocument(parsing: $0) }
        func string(_ field: ItemField) -> String? {
            json.flatMap { json in json.member(field.key, of: json.root).flatMap { json.string($0) } }
        }
        let files = try ArchiveFiles(in: folder)
        var status = string(.archiveStatus)
        // Earlier versions noted what the item claimed.
        if files.page == nil, status == Item.ArchiveStatus.full.rawValue {
            status = Item.ArchiveStatus.partial.rawValue
        }
        return Snapshot(
            name: name, archivedAt: string(.archivedAt).flatMap(Timestamp.init), status: status,
            capturedBy: string(.capturedBy), files: files)
    }

    /// Copies the item's archive into snapshots/, durably; the same archive is not kept twice.
    func keepSnapshot(of stored: StoredItem, at time: Timestamp) throws(ItemError) -> Snapshot {
        let own = try archiveFiles(of: stored)
        let fields = Self.archiveFields.compactMap { field in
            stored.json.member(field.key, of: stored.json.root).map {
                (field.key, Optional(Self.honest(field, stored.json.copy($0), own)))
            }
        }
        let session = try staging()
        return try files { () throws(FileError) in
            try makeSnapshot(of: root.directory(stored.folder), fields, in: stored, session, at: time)
        }
    }

    /// Keeps a staged archive as a snapshot beside the one that stays.
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
        of source: borrowing Directory, _ fields: [(String, JSON?)], in stored: StoredItem,
        _ session: StagingSession, at time: Timestamp
    ) throws(FileError) -> Snapshot {
        let contents = try ArchiveFiles(in: source)
        let main = contents.page != nil ? Layout.pageFile : Layout.readerFile
        let hash = try SHA256.hex(source.contents(of: main, limit: Self.pageByteLimit).bytes).prefix(8)
        let item = try root.directory(stored.folder)
        if try item.statusIfPresent(of: Layout.snapshots)?.kind == .directory {
            let folder = try item.directory(Layout.snapshots)
            for entry in try folder.entries() where entry.kind == .directory {
                // The same page was put there before, by a command that was interrupted or by a restored snapshot.
                guard let name = entry.name.string, Layout.isSnapshotName(name), name.hasSuffix("-" + hash) else {
                    continue
                }
                let there = try folder.directory(name)
                if try ArchiveFiles(in: there).assets == contents.assets { return try snapshot(name, in: there) }
            }
        }
        let name = time.compact + "-" + hash
        let temporary = session.temporaryName(for: name)
        try session.directory.makeDirectory(temporary, permissions: 0o777)
        do throws(FileError) {
            let copy = try session.directory.directory(temporary)
            try Self.copy(source, contents, to: copy)
            try copy.writeFile(Self.snapshotFile, JSONWriter.file(.members(fields)))
            try copy.sync()
            try item.makeDirectory(Layout.snapshots)
            let folder = try item.directory(Layout.snapshots)
            do throws(FileError) {
                try session.directory.move(temporary, to: folder, as: name)
            } catch let error where error.isTaken {
                // Two different ones within a second.
                try session.directory.move(
                    temporary, to: folder, as: name + "-" + String(UInt16.random(in: 0 ... .max)))
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

    /// Copies page.html, reader.html and assets/, each synced; blocks are shared where the file system can.
    private static func copy(
        _ source: borrowing Directory, _ files: ArchiveFiles, to target: borrowing Directory
    ) throws(FileError) {
        for (name, status) in [(Layout.pageFile, files.page), (Layout.readerFile, files.reader)] where status != nil {
            try copyFile(name, from: source, to: target)
        }
        if files.assets.isEmpty { return }
        try target.makeDirectory(Layout.assets)
        let from = try source.directory(Layout.assets)
        let to = try target.directory(Layout.assets)
        for name in files.assets { try copyFile(name, from: from, to: to) }
        try to.sync()
    }

    /// Copies one file, synced; blocks are shared where the file system can.
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

    /// Makes an earlier capture the item's archive again; the present one becomes a snapshot.
    ///
    /// - Throws: `ItemError.refused` if there is no such snapshot, or if it holds no page.
    package func restore(
        _ snapshot: Snapshot, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) {
        guard snapshot.files.hasPage else {
            throw .refused("the snapshot \(snapshot.name) of \(stored.id.short) holds no page")
        }
        let staged = try stageArchive()
        do throws(ItemError) {
            let session = try staging()
            var edit = ItemEdit(base: stored.json)
            for field in Self.archiveFields { edit.remove(field) }
            try files { () throws(FileError) in
                let source = try root.directory(stored.folder + "/" + snapshot.path)
                try Self.copy(source, snapshot.files, to: session.directory.directory(staged.name))
                let bytes = try source.contentsIfPresent(of: Self.snapshotFile, limit: Layout.settingsByteLimit)?.bytes
                guard let json = bytes.flatMap({ try? JSONDocument(parsing: $0) }) else { return }
                for field in Self.archiveFields {
                    if let value = json.member(field.key, of: json.root) {
                        edit.set(field, Self.honest(field, json.copy(value), snapshot.files))
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
