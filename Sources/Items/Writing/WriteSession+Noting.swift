internal import Files
package import Time

extension WriteSession {
    /// Writes a version into an item's history/, and its text, unless they are there.
    ///
    /// - Parameters:
    ///   - text: the bytes of the version's text; `nil` if it has none, or they are there.
    ///   - folder: the item's, relative to the library's.
    ///   - isSynced: whether both are durable when this returns. A version that a power cut takes with it is noted again.
    ///   - modified: of a version of another device, when its content was as it is, in nanoseconds since 1970: the file of a
    ///     version that was noted here tells when.
    /// - Throws: `ItemError.file`, for example if the disk is full.
    package func note(
        _ version: Version, text: [UInt8]?, of id: ItemID, in folder: String, isSynced: Bool = false,
        modified: Int64? = nil
    ) throws(ItemError) {
        let staging = try staging()
        try files { () throws(FileError) in
            let item = try store.root.directory(folder)
            let isNew = try item.makeDirectory(Layout.history)
            // The index knows the time of history/.
            noteChange(id)
            let history = try item.directory(Layout.history)
            if let text, let hash = version.text {
                try Self.put(text, as: hash.hex + ".md", in: history, staging, isSynced: isSynced)
            }
            try Self.put(
                version.bytes, as: version.name.hex + ".json", in: history, staging, isSynced: isSynced,
                modified: modified)
            if isSynced {
                try history.sync()
                if isNew { try item.sync() }
            }
        }
    }

    /// Writes a text into an item's history/, durably, unless it is there: the version that has it may come later.
    ///
    /// - Throws: as `note`.
    package func noteText(
        _ text: [UInt8], _ hash: ContentHash, of id: ItemID, in folder: String
    ) throws(ItemError) {
        try keep(text, as: hash.hex + ".md", below: Layout.history, of: id, in: folder)
    }

    /// A name says what the bytes are. A file with other bytes is damaged, and is replaced.
    ///
    /// - Returns: false if the file is there.
    @discardableResult
    private static func put(
        _ bytes: [UInt8], as name: String, in history: borrowing Directory, _ staging: StagingFolder, isSynced: Bool,
        modified: Int64? = nil
    ) throws(FileError) -> Bool {
        if let there = try history.statusIfPresent(of: name), there.kind == .regular, there.byteCount == bytes.count,
            try history.contents(of: name, limit: bytes.count).bytes == bytes
        {
            return false
        }
        if !isSynced, modified == nil, try history.makeWholeFile(name, bytes) { return true }
        let temporary = staging.temporaryName(for: name)
        do throws(FileError) {
            let file = try staging.directory.createFile(temporary)
            try file.write(bytes)
            if let modified { try file.setModified(modified) }
            if isSynced { try file.sync() } else { file.beginWriting() }
            try staging.directory.replace(temporary, to: history, as: name)
            return true
        } catch {
            try? staging.directory.removeFile(temporary)
            throw error
        }
    }

    /// Sets a file of history/ aside whose bytes do not have the hash of its name: its name ends with ".damaged" then. One that was
    /// modified within the last minute stays: a program may still write it.
    ///
    /// - Returns: its path now, relative to the library's folder; `nil` if it stays, or is gone.
    package func setAside(_ name: String, of id: ItemID, in folder: String) throws(ItemError) -> String? {
        let path = try files { () throws(FileError) -> String? in
            let inner = folder + "/" + Layout.history
            guard try store.root.statusIfPresent(of: inner)?.kind == .directory else { return nil }
            let history = try store.root.directory(inner)
            guard let status = try history.statusIfPresent(of: name), status.kind == .regular,
                Timestamp.now.milliseconds - status.modified / 1_000_000 > 60_000
            else { return nil }
            let newName = name + Layout.damagedEnding
            try history.replace(name, to: history, as: newName)
            try history.sync()
            return inner + "/" + newName
        }
        if path != nil { noteChange(id) }
        return path
    }

    /// Replaces item.json or text.md by what versions were joined to, if it still is as read.
    ///
    /// - Parameters:
    ///   - old: the bytes as read; `nil` for no file.
    ///   - new: the bytes to write; `nil` to remove it.
    ///   - time: the modification time of the new file, or 1 ms after that of the replaced one if that is later. Tools that
    ///     copy newer files over older ones then take none that a person changed since for the older one.
    /// - Returns: false if another program saved meanwhile; its file stays.
    package func replaceJoined(
        _ name: String, of id: ItemID, in folder: String, _ old: [UInt8]?, _ new: [UInt8]?, at time: Timestamp
    ) throws(ItemError) -> Bool {
        // Limited to 1901 to 2200, which every file system can store.
        let milliseconds = min(max(time.milliseconds, -2_147_483_648_000), 7_258_118_400_000)
        let swap = Swap(
            session: self, target: .item(id, in: folder, name), modified: milliseconds * 1_000_000)
        return try swap.run(old, new)
    }

    /// Writes a conflict into an item's conflicts/, durably, unless it is there.
    ///
    /// - Parameter name: `<hash16>.json`, from the bytes.
    package func keepConflict(
        _ bytes: [UInt8], as name: String, of id: ItemID, in folder: String
    ) throws(ItemError) {
        try keep(bytes, as: name, below: Layout.conflicts, of: id, in: folder)
    }

    /// Writes a file that is named by its content into a folder of an item, durably, unless it is there.
    private func keep(
        _ bytes: [UInt8], as name: String, below inner: String, of id: ItemID, in folder: String
    ) throws(ItemError) {
        let staging = try staging()
        try files { () throws(FileError) in
            let item = try store.root.directory(folder)
            try item.makeDirectory(inner)
            let target = try item.directory(inner)
            if try !Self.put(bytes, as: name, in: target, staging, isSynced: true) { return }
            noteChange(id)
            try target.sync()
            try item.sync()
        }
    }

    /// Removes a file of an item that a version made needless: a conflict that it ends, or a copy whose bytes it has.
    ///
    /// - Parameter path: relative to the item's folder. Nothing happens if there is no such file.
    package func removeNeedless(_ path: String, of id: ItemID, in folder: String) throws(ItemError) {
        let parts = path.split(separator: "/").map(String.init)
        guard Directory.isSafe(path), let name = parts.last else { return }
        try files { () throws(FileError) in
            // Its folder may be missing, too: copying programs leave out empty ones.
            guard try store.root.statusIfPresent(of: folder + "/" + path)?.kind == .regular else { return }
            let parent = try store.root.directory(([folder] + parts.dropLast()).joined(separator: "/"))
            try parent.removeFile(name)
            try parent.sync()
        }
        if parts.first == Layout.conflicts { removeConflictFolder(of: folder) }
        noteChange(id)
    }
}
