package import Files
package import JSONFormat
package import Time

/// The files of one item in another copy of the library, which is only read.
package struct OtherCopy: Sendable {
    package let store: ItemStore
    /// The item's folder there, relative to that copy.
    package let folder: String

    package init(_ store: ItemStore, folder: String) {
        self.store = store
        self.folder = folder
    }
}

/// What the item in another copy has and the one here lacks: Documentation/Merge.md § 3.
extension WriteSession {
    /// Copies a file from the other copy into staging, synced, if it has the bytes that a version records.
    ///
    /// - Returns: its name in staging; `nil` if it is not there, or has other bytes.
    private func stage(
        _ file: Version.File, from other: OtherCopy, into folder: borrowing Directory, as name: String
    ) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let source: Descriptor
            do throws(FileError) {
                source = try other.store.root.file(other.folder + "/" + file.path)
            } catch {
                if error.isAbsent { return false }
                throw error
            }
            let status = try source.status()
            if status.byteCount != file.size { return false }
            let target = try folder.createFile(name)
            var hash = SHA256()
            let isCloned = target.clone(source)
            while true {
                let chunk = isCloned ? try target.readChunk(1 << 20) : try source.readChunk(1 << 20)
                if chunk.isEmpty { break }
                hash.update(chunk)
                if !isCloned { try target.write(chunk) }
            }
            guard hash.finish() == file.sha256.hex else {
                try folder.removeFile(name)
                return false
            }
            try target.setModified(status.modified)
            try target.sync()
            return true
        }
    }

    // MARK: Documents

    /// Brings the document of the other copy, in place of the one here.
    ///
    /// - Parameters:
    ///   - former: the document of that copy, if it has these bytes under another name; `nil` if it has the name of `file`.
    ///   - old: the document here as it was seen, with its bytes' hash; `nil` without one.
    /// - Returns: false if the bytes are not there, or another program saved the document here meanwhile.
    package func bringDocument(
        _ file: Version.File, from other: OtherCopy, named former: Version.File? = nil,
        replacing old: (file: Version.File, status: FileStatus)?,
        of id: ItemID, in folder: String
    ) throws(ItemError) -> Bool {
        let session = try staging()
        let temporary = session.temporaryName(for: "document")
        guard let name = Self.documentName(file),
            try stage(former ?? file, from: other, into: session.directory, as: temporary)
        else { return false }
        defer { try? session.directory.removeFile(temporary) }
        let isPlaced = try locked { () throws(ItemError) -> Bool in
            try files { () throws(FileError) -> Bool in
                let item = try store.root.directory(folder)
                try item.makeDirectory(Layout.document)
                let documents = try item.directory(Layout.document)
                if let old, let oldName = Self.documentName(old.file) {
                    guard try documents.statusIfPresent(of: oldName)?.isSameVersion(as: old.status) == true else {
                        return false
                    }
                    if oldName.utf8.elementsEqual(name.utf8) {
                        try session.directory.replace(temporary, to: documents, as: name)
                    } else {
                        let aside = try Self.makeWay(for: file, name, in: documents)
                        if !aside.isDocument { try session.directory.move(temporary, to: documents, as: name) }
                        try documents.removeFile(oldName)
                        // Else it keeps its other name.
                        if former == nil, let extra = aside.extra { try? Self.rename(extra, asIn: other, documents) }
                    }
                } else {
                    do throws(FileError) {
                        try session.directory.move(temporary, to: documents, as: name)
                    } catch {
                        if error.isTaken { return false }
                        throw error
                    }
                }
                try documents.sync()
                try item.sync()
                return true
            }
        }
        noteChange(id)
        return isPlaced
    }

    /// A file that lay beside the document has the name of the one that comes: it is that one, or it is kept as a lost document.
    ///
    /// - Returns: whether it has the bytes that come; else the file as it is kept.
    private static func makeWay(
        for file: Version.File, _ name: String, in documents: borrowing Directory
    ) throws(FileError) -> (isDocument: Bool, extra: Version.File?) {
        guard try documents.statusIfPresent(of: name)?.kind == .regular,
            let extra = try ItemStore.hashed(name, in: documents)
        else { return (false, nil) }
        if extra.sha256 == file.sha256 { return (true, nil) }
        let found = try ItemStore.conflictName(of: name, extra.sha256, in: documents)
        let kept = found?.name ?? Layout.conflictName(of: name, extra.sha256)
        if found?.isThere == true {
            try documents.removeFile(name)
        } else {
            try documents.move(name, to: documents, as: kept)
        }
        return (false, Version.File(path: kept, sha256: extra.sha256, size: extra.size))
    }

    /// Gives a file that made way the name that it has in the other copy: its person renamed it there.
    private static func rename(
        _ extra: Version.File, asIn other: OtherCopy, _ documents: borrowing Directory
    ) throws(FileError) {
        let theirs = try other.store.root.directory(other.folder + "/" + Layout.document)
        let names = try theirs.entries().filter { $0.kind == .regular }.compactMap(\.name.string)
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard !extra.isAt(name),
                try theirs.statusIfPresent(of: name)?.byteCount == extra.size,
                try ItemStore.hashed(name, in: theirs)?.sha256 == extra.sha256
            else { continue }
            if try documents.statusIfPresent(of: name) == nil {
                try documents.move(extra.path, to: documents, as: name)
            } else if try ItemStore.hashed(name, in: documents)?.sha256 == extra.sha256 {
                try documents.removeFile(extra.path)
            } else {
                continue
            }
            return
        }
    }

    /// Removes a document under its former name, where the same or its successor is in document/ already.
    ///
    /// - Parameter old: its path and its status as it was looked at. A file that changed since stays.
    /// - Returns: whether it was removed.
    package func removeDocument(
        _ old: (path: String, status: FileStatus), of id: ItemID, in folder: String
    ) throws(ItemError) -> Bool {
        let isRemoved = try locked { () throws(ItemError) -> Bool in
            try files { () throws(FileError) -> Bool in
                let item = try store.root.directory(folder)
                guard try item.statusIfPresent(of: old.path)?.isSameVersion(as: old.status) == true else {
                    return false
                }
                try item.removeFile(old.path)
                try item.directory(Layout.document).sync()
                return true
            }
        }
        noteChange(id)
        return isRemoved
    }

    /// Keeps a lost document beside the winner's place: `<name>.conflict-<hash8>.<extension>`.
    ///
    /// - Parameters:
    ///   - other: the copy that has its bytes; it may be this one.
    ///   - isLast: whether its bytes are nowhere else soon, so that it gets another name where a file has this one. Else that is taken for
    ///     the lost document, which a person edited since.
    /// - Returns: the new file's path, relative to the item's folder; `nil` if it was there, or the bytes are not there.
    package func keepDocument(
        _ file: Version.File, from other: OtherCopy, isLast: Bool, of id: ItemID, in folder: String
    ) throws(ItemError) -> String? {
        guard let name = Self.documentName(file) else { return nil }
        var kept = Layout.conflictName(of: name, file.sha256)
        let path = folder + "/" + Layout.document + "/" + kept
        if try files({ () throws(FileError) in try store.root.statusIfPresent(of: path) }) != nil {
            if !isLast { return nil }
            let found = try store.conflictName(ofDocument: name, file.sha256, in: folder)
            if found.isThere { return nil }
            kept = found.name
        }
        let session = try staging()
        let temporary = session.temporaryName(for: "document")
        guard try stage(file, from: other, into: session.directory, as: temporary) else { return nil }
        try files { () throws(FileError) in
            let item = try store.root.directory(folder)
            try item.makeDirectory(Layout.document)
            let documents = try item.directory(Layout.document)
            try session.directory.move(temporary, to: documents, as: kept)
            try documents.sync()
            try item.sync()
        }
        noteChange(id)
        return Layout.document + "/" + kept
    }

    /// The name of a document that a version records; `nil` for another path.
    private static func documentName(_ file: Version.File) -> String? {
        let parts = file.path.pathComponents
        guard parts.count == 2, parts[0] == Layout.document, Directory.isSafe(file.path) else { return nil }
        return parts[1]
    }

    // MARK: Pages

    /// Brings the saved page of the other copy, in place of the one here, which becomes a snapshot.
    ///
    /// - Parameters:
    ///   - page: page.html, reader.html and the files in assets/ as a version records them.
    ///   - placed: the paths of files of it that an interrupted call placed. They stay.
    ///   - alone: those of them that no earlier page has.
    /// - Returns: false if the bytes are not all there.
    package func bringPage(
        _ page: [Version.File], placed: Set<String> = [], alone: Set<String> = [], from other: OtherCopy,
        in stored: StoredItem, at time: Timestamp
    ) throws(ItemError) -> Bool {
        let rest = page.filter { !placed.contains($0.path) }
        guard let archive = try rest.isEmpty ? stageArchive() : stagePage(rest, from: other) else { return false }
        defer { discard(archive) }
        let names = [Layout.pageFile, Layout.readerFile].filter { !placed.contains($0) }
        func assets(_ paths: Set<String>) -> Set<String> {
            Set(
                paths.filter { $0.hasPrefix(Layout.assets + "/") }.map { String($0.dropFirst(Layout.assets.count + 1)) }
            )
        }
        try install(archive, names, staying: assets(placed), alone: assets(alone), in: stored, at: time) {}
        return true
    }

    /// Keeps the saved page of the item here as a snapshot, because it lost. A site's icon without a page is in none.
    package func keepPage(of stored: StoredItem, at time: Timestamp) throws(ItemError) {
        guard try store.archiveFiles(of: stored).hasPage else { return }
        _ = try keepSnapshot(of: stored, at: time)
    }

    /// Keeps the saved page of the other copy as a snapshot, because it lost.
    ///
    /// - Parameter fields: those of the archive in the other item.json.
    /// - Returns: false if the bytes are not all there.
    @discardableResult
    package func keepPage(
        _ page: [Version.File], from other: OtherCopy, in stored: StoredItem, _ fields: JSONDocument, at time: Timestamp
    ) throws(ItemError) -> Bool {
        guard page.contains(where: { !$0.path.utf8.contains(UInt8(ascii: "/")) }),
            let archive = try stagePage(page, from: other)
        else { return false }
        defer { discard(archive) }
        let kept = ItemStore.archiveFields.compactMap { field in
            fields.member(field.key, of: fields.root).map { (field, fields.copy($0)) }
        }
        try keepAsSnapshot(archive, of: stored, kept, at: time)
        return true
    }

    private func stagePage(_ page: [Version.File], from other: OtherCopy) throws(ItemError) -> StagedArchive? {
        if page.isEmpty { return nil }
        let archive = try stageArchive()
        do throws(ItemError) {
            let session = try staging()
            let folder = try files { () throws(FileError) in try session.directory.directory(archive.name) }
            for file in page {
                let parts = file.path.pathComponents
                var isStaged = false
                if parts.count == 2, parts[0] == Layout.assets {
                    let assets = try files { () throws(FileError) -> Directory in
                        try folder.makeDirectory(Layout.assets)
                        return try folder.directory(Layout.assets)
                    }
                    isStaged = try stage(file, from: other, into: assets, as: parts[1])
                } else if parts == [Layout.pageFile] || parts == [Layout.readerFile] {
                    isStaged = try stage(file, from: other, into: folder, as: parts[0])
                }
                if !isStaged {
                    discard(archive)
                    return nil
                }
            }
            return archive
        } catch {
            discard(archive)
            throw error
        }
    }

    /// Copies snapshots of the other copy that the item here lacks.
    ///
    /// - Returns: how many.
    package func bringSnapshots(from other: OtherCopy, of id: ItemID, in folder: String) throws(ItemError) -> Int {
        let session = try staging()
        return try files { () throws(FileError) -> Int in
            let path = other.folder + "/" + Layout.snapshots
            guard try other.store.root.statusIfPresent(of: path)?.kind == .directory else { return 0 }
            let theirs = try other.store.root.directory(path)
            let names = try theirs.entries().filter { $0.kind == .directory }.compactMap(\.name.string)
                .filter(Layout.isSnapshotName).sorted()
            if names.isEmpty { return 0 }
            let item = try store.root.directory(folder)
            try item.makeDirectory(Layout.snapshots)
            let ours = try item.directory(Layout.snapshots)
            var count = 0
            for name in names where try ours.statusIfPresent(of: name) == nil {
                let temporary = session.temporaryName(for: name)
                try theirs.copyTree(name, to: session.directory, as: temporary)
                try session.directory.move(temporary, to: ours, as: name)
                count += 1
            }
            if count > 0 {
                try ours.sync()
                try item.sync()
                noteChange(id)
            }
            return count
        }
    }
}

extension ItemStore {
    /// The names in a folder that are UTF-8, in no order; none if it is missing.
    ///
    /// - Parameter folder: relative to the library's.
    package func names(in folder: String) throws(ItemError) -> [String] {
        do throws(FileError) {
            return try root.directory(folder).entries().compactMap(\.name.string)
        } catch {
            if error.isAbsent { return [] }
            throw .file(error)
        }
    }
}
