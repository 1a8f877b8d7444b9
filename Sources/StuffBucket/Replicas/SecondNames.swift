internal import Files
internal import Items
internal import Time

/// Second names of pages and documents, `.sbfs/known/<shard>/<id>.files/<hash16>/`, below which the files lie as in the item's folder: a
/// copying tool may replace a page or a document before the replicas meet, and history/ does not hold their bytes. DeviceFiles.md § D10.
extension KnownStates {
    /// What was replaced is kept for 30 days.
    private static let patienceSeconds: Int64 = 30 * 86_400

    /// Gives the files of a page or a document that was just put into its place second names. What cannot be kept stops
    /// nothing.
    ///
    /// A second name changes the file's time of change: only new files get one, since a view would take an older one for
    /// another. Whether a file was written here is told by the time before (`KnownFile.written`). So the caller writes
    /// `files` at once.
    ///
    /// - Parameter files: the files of the page and the document as they were hashed last; gets the new times of change.
    func keepFiles(
        of component: Component, _ live: LiveState, of id: ItemID, in store: ItemStore, _ files: inout [KnownFile]
    ) {
        guard let hash = live.hashes[component] else { return }
        let place = Self.folder(hash, of: id)
        let absent = live.away.union(live.damaged)
        let own = live.files.filter { Component(of: $0) == component && !absent.contains($0.path) }
        if own.contains(where: { isOverwritten($0, live, below: place) }) { setAsideFiles(hash, of: id) }
        do throws(FileError) {
            for file in own {
                if let changed = try keep(file, live, store, below: place) {
                    if let known = files.firstIndex(where: { $0.file == file }) { files[known].secondName(changed) }
                }
            }
        } catch {
            try? directory.removeTree(place)
        }
        removeOld(of: id, but: hash)
    }

    /// The folder in which the files of a page or a document may have second names, as if it were the item's, relative to the
    /// library's.
    ///
    /// - Parameter hash: of the list of the files (`StateHashes`).
    static func keptFolder(_ hash: Items.ContentHash, of id: ItemID) -> String {
        Layout.device + "/" + folder(hash, of: id)
    }

    /// The second names of an item's documents, relative to the library's folder.
    func keptDocuments(of id: ItemID) -> [String] {
        let folders = ((try? directory.directory(Self.folders(of: id)).entries()) ?? []).compactMap(\.name.string)
        return folders.flatMap { name -> [String] in
            let place = Self.folders(of: id) + "/" + name + "/" + Layout.document
            let entries = (try? directory.directory(place).entries()) ?? []
            return entries.filter { $0.kind == .regular }.compactMap(\.name.string)
                .map { Layout.device + "/" + place + "/" + $0 }
        }
    }

    /// Makes the folder of a second name for a file that lost a conflict.
    ///
    /// - Parameters:
    ///   - name: the file's.
    ///   - hash: of the list of this file alone (`StateHashes`).
    /// - Returns: the path of the second name, relative to the library's folder.
    func makePlace(named name: String, _ hash: Items.ContentHash, of id: ItemID) throws(FileError) -> String {
        let place = Self.folder(hash, of: id) + "/" + Layout.document
        _ = try made(place)
        return Layout.device + "/" + place + "/" + name
    }

    /// Removes the second names of the files of a page or a document: an exchange holds the bytes, and the disk gets its space back.
    /// Those of others stay.
    func forgetFiles(_ files: [Version.File], of id: ItemID) {
        guard let hash = StateHashes.hash(files) else { return }
        try? directory.removeTree(Self.folder(hash, of: id))
        // Only if it is empty.
        try? directory.removeDirectory(Self.folders(of: id))
    }

    /// Sets second names aside whose bytes are not those of their list: damage reaches both names of a file. They go as what was replaced
    /// long ago does.
    func setAsideFiles(_ hash: Items.ContentHash, of id: ItemID) {
        let path = Self.folder(hash, of: id)
        var aside = path + ".damaged", number = 2
        // Each may have bytes that nothing else has.
        while ((try? directory.statusIfPresent(of: aside)) ?? nil) != nil {
            aside = path + ".damaged-\(number)"
            number += 1
        }
        try? directory.move(path, to: directory, as: aside)
    }

    /// Removes all that is known of items.
    func forget(_ ids: [ItemID]) {
        for (digits, group) in Dictionary(grouping: ids, by: \.shard) {
            guard let shard = try? directory.directory(Layout.known + "/" + digits), let entries = try? shard.entries()
            else { continue }
            let gone = Set(group)
            for name in entries.compactMap(\.name.string) where name.utf8.dropFirst(36).first ?? 0x2E == 0x2E {
                if let id = ItemID(String(name.prefix(36))), gone.contains(id) { try? shard.removeTree(name) }
            }
        }
    }

    private static func folder(_ hash: Items.ContentHash, of id: ItemID) -> String {
        folders(of: id) + "/" + hash.hex.prefix(16)
    }

    private static func folders(of id: ItemID) -> String { "\(Layout.known)/\(id.shard)/\(id).files" }

    /// Whether the second name of a file has other bytes: a program wrote into the file that it was a name of, and the bytes of before came
    /// back in another file.
    private func isOverwritten(_ file: Version.File, _ live: LiveState, below place: String) -> Bool {
        let second = place + "/" + file.path
        guard let seen = live.statuses[file.path], Directory.isSafe(file.path),
            let old = (try? directory.statusIfPresent(of: second)) ?? nil, old.inode != seen.inode,
            old.byteCount != seen.byteCount || old.modified != seen.modified
        else { return false }
        return (try? directory.file(second).sha256()) != file.sha256.hex
    }

    /// - Returns: the time of change after the file got its second name; `nil` if it has none or had one already.
    private func keep(
        _ file: Version.File, _ live: LiveState, _ store: ItemStore, below place: String
    ) throws(FileError) -> Int64? {
        let parts = file.path.pathComponents
        guard let name = parts.last, Directory.isSafe(file.path), let seen = live.statuses[file.path] else {
            return nil
        }
        let inner = parts.dropLast().map { "/" + $0 }.joined()
        let source = try store.root.directory(live.folder + inner)
        // Another program may have replaced it since it was read.
        guard try source.statusIfPresent(of: name)?.isSameVersion(as: seen) == true else { return nil }
        let target = try made(place + inner)
        if try target.statusIfPresent(of: name) != nil { return nil }
        try source.keep(name, in: target, as: name)
        guard let status = try source.statusIfPresent(of: name), status.inode == seen.inode,
            status.byteCount == seen.byteCount, status.modified == seen.modified
        else { return nil }
        return status.changed
    }

    private func made(_ path: String) throws(FileError) -> Directory {
        var made = ""
        for part in path.pathComponents {
            made += (made.isEmpty ? "" : "/") + part
            try directory.makeDirectory(made, permissions: 0o700)
        }
        return try directory.directory(made)
    }

    /// Removes what was replaced long ago: losing its other name was the last change of such a file.
    private func removeOld(of id: ItemID, but hash: Items.ContentHash) {
        guard let folder = try? directory.directory(Self.folders(of: id)), let entries = try? folder.entries() else {
            return
        }
        let limit = Timestamp.now.adding(seconds: -Self.patienceSeconds).milliseconds * 1_000_000
        for entry in entries where entry.kind == .directory {
            guard let name = entry.name.string, !hash.hex.hasPrefix(name) else { continue }
            let isNeeded = ["", "/" + Layout.document].contains { Self.isNeeded(folder, name + $0, since: limit) }
            if !isNeeded { try? folder.removeTree(name) }
        }
    }

    /// Whether a file of a folder has another name, or lost it after a time in nanoseconds since 1970. Assets say nothing: a
    /// later page may have the same.
    private static func isNeeded(_ folder: borrowing Directory, _ path: String, since limit: Int64) -> Bool {
        guard let inner = try? folder.directory(path), let entries = try? inner.entries() else { return false }
        return entries.contains { entry in
            guard entry.kind == .regular, let name = entry.name.string,
                let status = (try? inner.statusIfPresent(of: name)) ?? nil
            else { return false }
            return status.linkCount > 1 || status.changed > limit
        }
    }
}
