internal import Files

/// The person's own files in the folder of an item: no version has them.
extension WriteSession {
    /// Copies files of the person's own that the item here lacks, and whole versions in conflicts/.
    ///
    /// A file on whose name other programs act does not come, as in an import (FORMAT.md § 16.1).
    ///
    /// - Parameter isRecorded: whether versions record a file at a path, which is joined.
    /// - Returns: the paths of files that are here with other bytes, and stay; of those that may not come; whether any came.
    package func bringOwnFiles(
        from other: OtherCopy, of id: ItemID, in folder: String, besides isRecorded: (String) -> Bool
    ) throws(ItemError) -> (differing: [String], refused: [String], isChanged: Bool) {
        let session = try staging()
        var differing: [String] = [], refused: [String] = []
        var isChanged = false
        try files { () throws(FileError) in
            let theirs = try other.store.root.directory(other.folder)
            let folders = [(store, folder), (other.store, other.folder)]
            for path in try ItemStore.ownPaths(in: theirs, "", depth: 0) where !isRecorded(path) {
                let full = folder + "/" + path
                if try store.isBlocked(path, in: folder) {
                    differing.append(path)
                    continue
                }
                if let status = try store.root.statusIfPresent(of: full) {
                    if status.kind != .regular {
                        differing.append(path)
                    } else if try Self.differ(theirs.file(path), store.root.file(full)) {
                        differing.append(path)
                    }
                    continue
                }
                if try ItemStore.isControl(path, in: folders) {
                    refused.append(path)
                    continue
                }
                if try Self.place(path, from: theirs, as: path, in: folder, of: store, session) {
                    isChanged = true
                } else {
                    differing.append(path)
                }
            }
            if isChanged { try store.root.directory(folder).syncFileSystem() }
            if isChanged { noteChange(id) }
        }
        return (differing, refused, isChanged)
    }

    /// Puts a file of the person's own from another copy in the place of the one here, or removes the one here.
    ///
    /// - Parameters:
    ///   - new: the path of the file in the other copy; `nil` if none takes the place.
    ///   - old: the file here. One with other bytes, or that a program writes, stays.
    /// - Returns: whether the file here made way.
    package func replaceOwnFile(
        _ old: Version.File, with new: String?, from other: OtherCopy, of id: ItemID, in folder: String
    ) throws(ItemError) -> Bool {
        guard try drop([AwayFiles.File(old, modified: 0)], of: id, in: folder) else { return false }
        let session = try staging()
        try files { () throws(FileError) in
            if let new {
                let theirs = try other.store.root.directory(other.folder)
                _ = try Self.place(new, from: theirs, as: old.path, in: folder, of: store, session)
            } else {
                // Folders do not travel: one that is empty now has gone where the file went.
                let parts = old.path.pathComponents
                for count in (1..<max(1, parts.count)).reversed() {
                    let parent = count == 1 ? folder : folder + "/" + parts.prefix(count - 1).joined(separator: "/")
                    try? store.root.directory(parent).removeDirectory(parts[count - 1])
                }
            }
            try store.root.directory(folder).syncFileSystem()
        }
        noteChange(id)
        return true
    }

    /// Copies a file of the person's own to a second name in its folder, with its time.
    ///
    /// - Returns: false if the name is taken.
    package func keepOwnFile(
        _ path: String, as kept: String, of id: ItemID, in folder: String
    ) throws(ItemError) -> Bool {
        let session = try staging()
        let isPlaced = try files { () throws(FileError) in
            try Self.place(path, from: store.root.directory(folder), as: kept, in: folder, of: store, session)
        }
        noteChange(id)
        return isPlaced
    }

    /// Copies a file of the person's own from another copy.
    ///
    /// - Returns: false if the name is taken.
    package func bringOwnFile(
        _ path: String, as name: String, from other: OtherCopy, of id: ItemID, in folder: String
    ) throws(ItemError) -> Bool {
        let session = try staging()
        let isPlaced = try files { () throws(FileError) in
            let theirs = try other.store.root.directory(other.folder)
            guard try Self.place(path, from: theirs, as: name, in: folder, of: store, session) else { return false }
            try store.root.directory(folder).syncFileSystem()
            return true
        }
        if isPlaced { noteChange(id) }
        return isPlaced
    }

    /// Copies a file into an item's folder.
    ///
    /// - Returns: false if the name is taken.
    private static func place(
        _ path: String, from source: borrowing Directory, as name: String, in folder: String, of store: ItemStore,
        _ session: StagingFolder
    ) throws(FileError) -> Bool {
        let parts = name.pathComponents
        var made = folder
        for part in parts.dropLast() {
            made += "/" + part
            try store.root.makeDirectory(made)
        }
        let temporary = session.temporaryName(for: "own")
        let sourceParts = path.pathComponents
        let parent =
            sourceParts.count == 1 ? try source.duplicate() : try source.directory(Self.parent(of: sourceParts))
        try parent.copyFile(sourceParts[sourceParts.count - 1], to: session.directory, as: temporary)
        do throws(FileError) {
            try session.directory.move(
                temporary, to: store.root.directory(made), as: parts[parts.count - 1], .refuse)
            return true
        } catch {
            try? session.directory.removeFile(temporary)
            if !error.isTaken { throw error }
            return false
        }
    }

    private static func parent(of parts: [String]) -> String { parts.dropLast().joined(separator: "/") }

    fileprivate static func differ(_ one: borrowing Descriptor, _ two: borrowing Descriptor) throws(FileError) -> Bool {
        if try one.status().byteCount != two.status().byteCount { return true }
        while true {
            let (a, b) = (try one.readChunk(1 << 20), try two.readChunk(1 << 20))
            if a != b { return true }
            if a.isEmpty { return false }
        }
    }
}

extension ItemStore {
    /// Compares the person's own files of an item here with those in another copy. Lost documents are not looked at.
    ///
    /// - Parameter folder: the item's in the other copy.
    /// - Returns: paths, relative to the item's folder, of files that the other copy lacks and may get; of those in whose place it
    ///   has other bytes, a folder or a link (files of one size and one time of modification count as the same); of those in the
    ///   place of whose folder it has something else.
    package func compareOwnFiles(
        _ glance: ItemGlance, with other: ItemStore, in folder: String
    ) throws(ItemError) -> (lacked: [String], differing: [String], blocked: [String]) {
        try files { () throws(FileError) in
            var lacked: [String] = [], differing: [String] = [], blocked: [String] = []
            let item = try root.directory(glance.folder)
            for path in try Self.ownPaths(in: item, "", depth: 0) where glance.statuses.index(exactly: path) == nil {
                let parts = path.pathComponents
                if parts[0] == Layout.document, Layout.isConflictName(Array(parts[parts.count - 1].utf8)) { continue }
                if try other.isBlocked(path, in: folder) {
                    blocked.append(path)
                } else if let there = try other.root.statusIfPresent(of: folder + "/" + path) {
                    let here = try item.file(path)
                    let status = try here.status()
                    if there.kind != .regular {
                        differing.append(path)
                    } else if there.byteCount != status.byteCount || there.modified != status.modified,
                        try WriteSession.differ(here, other.root.file(folder + "/" + path))
                    {
                        differing.append(path)
                    }
                } else if try !Self.isControl(path, in: [(self, glance.folder), (other, folder)]) {
                    lacked.append(path)
                }
            }
            return (lacked, differing, blocked)
        }
    }

    /// The person's own files of which two devices had different ones: a sync keeps the one that lost beside the one of the name. Documents
    /// that lost are not among them.
    ///
    /// - Parameter folder: the item's. All folders in it are listed.
    /// - Returns: paths relative to the item's folder, of the file that lost and of the other one.
    package func keptOwnFiles(in folder: String) throws(ItemError) -> [(lost: String, standing: String)] {
        try files { () throws(FileError) in
            let paths = try Self.ownPaths(in: root.directory(folder), "", depth: 0)
            let all = Set(paths.map { Array($0.utf8) })
            return paths.compactMap { path in
                let parts = path.pathComponents
                if parts[0] == Layout.conflicts || parts[0] == Layout.document && parts.count == 2 { return nil }
                guard let winner = Layout.winner(of: Array(parts[parts.count - 1].utf8)),
                    let name = String(validating: winner, as: UTF8.self)
                else { return nil }
                let standing = (parts.dropLast() + [name]).joined(separator: "/")
                return all.contains(Array(standing.utf8)) ? (path, standing) : nil
            }
        }
    }

    /// The hashes of an item's files that no version has: of the person's own, of documents beside the one of the item, of conflict
    /// copies.
    ///
    /// - Parameter isRecorded: whether versions have the file at a path relative to the item's folder.
    func ownHashes(in folder: String, besides isRecorded: (String) -> Bool) throws(FileError) -> [ContentHash] {
        let item = try root.directory(folder)
        var hashes: [ContentHash] = []
        for path in try Self.ownPaths(in: item, "", depth: 0) where !isRecorded(path) && !path.hasPrefix("favicon.") {
            if let hash = ContentHash(hex: try item.file(path).sha256().utf8) { hashes.append(hash) }
        }
        return hashes
    }

    /// Whether something other than a folder, such as a document, stands in the place of a folder of a path.
    fileprivate func isBlocked(_ path: String, in folder: String) throws(FileError) -> Bool {
        var above = folder
        for part in path.pathComponents.dropLast() {
            above += "/" + part
            guard let status = try root.statusIfPresent(of: above) else { return false }
            if status.kind != .directory { return true }
        }
        return false
    }

    /// Whether other programs act on a file: by one of its names, or because it would belong to a repository of git, whose parts may
    /// be in several copies of the item.
    ///
    /// - Parameter folders: the item's folders in these copies.
    fileprivate static func isControl(
        _ path: String, in folders: [(store: ItemStore, folder: String)]
    ) throws(FileError) -> Bool {
        let parts = path.pathComponents
        for (place, part) in parts.enumerated() {
            let isFolder = place < parts.count - 1
            if ControlName(part, isFolder: isFolder) != nil { return true }
            let folded = ControlName.fold(part)
            guard isFolder ? ControlName.besideHead.contains(folded) : folded == ControlName.head else { continue }
            var names: Set<String> = []
            for (store, folder) in folders {
                let above = ([folder] + parts[..<place]).joined(separator: "/")
                guard try store.root.statusIfPresent(of: above)?.kind == .directory else { continue }
                names.formUnion(
                    try store.root.directory(above).entries().compactMap { $0.name.string.map(ControlName.fold) })
            }
            if names.isSuperset(of: ControlName.besideHead + [ControlName.head]) { return true }
        }
        return false
    }

    /// The files of an item's folder that are neither in a version nor in a folder of sbfs, sorted.
    fileprivate static func ownPaths(
        in folder: borrowing Directory, _ prefix: String, depth: Int
    ) throws(FileError) -> [String] {
        if depth > FullExportPlace.depthLimit { return [] }
        var paths: [String] = []
        for entry in try folder.entries() {
            guard let name = entry.name.string, !Layout.isTemporary(name) else { continue }
            let path = prefix + name
            let ignored = [Layout.itemFile, Layout.textFile, Layout.pageFile, Layout.readerFile, Layout.history]
            if ignored.contains(path) || prefix == Layout.assets + "/" && Layout.isAssetName(name) { continue }
            switch entry.kind {
            case .directory where prefix == Layout.snapshots + "/" && Layout.isSnapshotName(name): break
            case .directory: paths += try ownPaths(in: folder.directory(name), path + "/", depth: depth + 1)
            case .regular:
                if prefix == Layout.conflicts + "/", ConflictFile.isName(name.utf8) { continue }
                paths.append(path)
            default: break
            }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension LiveState {
    /// Whether a file at this path is one that a version records. Another form of normalisation is another path.
    package func records(_ path: String) -> Bool { statuses.index(exactly: path) != nil }
}

extension Dictionary where Key == String {
    /// The place of a key with the same bytes: strings of another form of normalisation are equal otherwise.
    func index(exactly key: String) -> Index? {
        index(forKey: key).flatMap { self[$0].key.utf8.elementsEqual(key.utf8) ? $0 : nil }
    }
}
