internal import Files
internal import Items
internal import Time

/// Second names of documents, `.sbfs/known/<shard>/<id>.documents/<hash16>/document/<name>`: a copying tool may replace a document
/// before the replicas meet, and history/ does not hold its bytes. DeviceFiles.md § D10.
extension KnownStates {
    /// A document that was replaced is kept for 30 days.
    private static let patienceSeconds: Int64 = 30 * 86_400

    /// Keeps a second name of an item's document, which was just put into its place. One that cannot be kept stops nothing.
    ///
    /// A second name changes the document's time of change: only a new document gets one, since a view would take an older one
    /// for another.
    ///
    /// - Parameter files: the files of the page and the document as they were hashed last; gets the new time of change.
    func keepDocuments(_ live: LiveState, of id: ItemID, in store: ItemStore, _ files: inout [KnownFile]) {
        for file in live.files where Component(of: file) == .document && !live.away.contains(file.path) {
            let name = String(file.path.dropFirst(Layout.document.count + 1))
            guard file.path.pathComponents.count == 2, Directory.isSafe(file.path) else { continue }
            let place = Self.folder(file, of: id)
            if ((try? directory.statusIfPresent(of: place)) ?? nil) != nil { continue }
            do throws(FileError) {
                let source = try store.root.directory(live.folder + "/" + Layout.document)
                // Another program may have replaced it since it was read.
                guard let seen = live.statuses[file.path],
                    try source.statusIfPresent(of: name)?.isSameVersion(as: seen) == true
                else { continue }
                let target = try made(place + "/" + Layout.document)
                try source.keep(name, in: target, as: name)
                if let status = try source.statusIfPresent(of: name), status.inode == seen.inode,
                    status.byteCount == seen.byteCount, status.modified == seen.modified,
                    let place = files.firstIndex(where: { $0.file == file })
                {
                    files[place] = KnownFile(
                        file: file, modified: status.modified, changed: status.changed, inode: status.inode)
                }
            } catch {
                try? directory.removeTree(place)
            }
            removeOld(of: id, but: file)
        }
    }

    /// The folder in which a document may have a second name, as if it were the item's, relative to the library's.
    static func documentFolder(_ file: Version.File, of id: ItemID) -> String {
        Layout.device + "/" + folder(file, of: id)
    }

    /// Removes the second names of an item's documents: an exchange holds the bytes, and the disk gets its space back.
    func forgetDocuments(of id: ItemID) { try? directory.removeTree(Self.documents(of: id)) }

    /// Removes all that is known of an item.
    func forget(_ id: ItemID) {
        guard let shard = try? directory.directory(Layout.known + "/" + id.shard), let entries = try? shard.entries()
        else { return }
        for entry in entries {
            guard let name = entry.name.string, name == id.description || name.hasPrefix("\(id).") else { continue }
            try? shard.removeTree(name)
        }
    }

    private static func folder(_ file: Version.File, of id: ItemID) -> String {
        documents(of: id) + "/" + file.sha256.hex.prefix(16)
    }

    private static func documents(of id: ItemID) -> String { "\(Layout.known)/\(id.shard)/\(id).documents" }

    private func made(_ path: String) throws(FileError) -> Directory {
        var made = ""
        for part in path.pathComponents {
            made += (made.isEmpty ? "" : "/") + part
            try directory.makeDirectory(made, permissions: 0o700)
        }
        return try directory.directory(made)
    }

    /// Removes documents that were replaced long ago: losing its other name was the last change of such a file.
    private func removeOld(of id: ItemID, but file: Version.File) {
        guard let folder = try? directory.directory(Self.documents(of: id)), let entries = try? folder.entries() else {
            return
        }
        let limit = Timestamp.now.adding(seconds: -Self.patienceSeconds).milliseconds * 1_000_000
        for entry in entries where entry.kind == .directory {
            guard let name = entry.name.string, !file.sha256.hex.hasPrefix(name) else { continue }
            if !Self.isNeeded(folder, name + "/" + Layout.document, since: limit) { try? folder.removeTree(name) }
        }
    }

    /// Whether a file of a folder has another name, or lost it after a time in nanoseconds since 1970.
    private static func isNeeded(_ folder: borrowing Directory, _ path: String, since limit: Int64) -> Bool {
        guard let inner = try? folder.directory(path), let entries = try? inner.entries() else { return false }
        return entries.contains { entry in
            guard let name = entry.name.string, let status = (try? inner.statusIfPresent(of: name)) ?? nil else {
                return false
            }
            return status.linkCount > 1 || status.changed > limit
        }
    }
}
