internal import Files
internal import Glibc
internal import Time

/// Replaces one file of an item against programs that take no lock: FORMAT.md § Writing against editors.
///
/// The new bytes are staged and synced, then swapped with the live file in one step (RENAME_EXCHANGE). What was
/// displaced is compared with what was read: if another program saved in between, the change is made again on its
/// version, or, where both changed the same thing, its version is put back and ours is kept in conflicts/.
struct FileReplacement {
    let store: ItemStore
    let id: ItemID
    /// The item's folder, relative to the library's.
    let folder: String
    /// Name of the file in the item's folder.
    let name: String
    /// Largest size in bytes that is read.
    let limit: Int

    /// The outcome of one try.
    private enum Attempt {
        case done
        case unchanged
        /// The file is not there at this moment: an editor renames it away before it writes the new one.
        case absent
    }

    /// Makes a change durable.
    ///
    /// - Parameters:
    ///   - apply: the new bytes for the current ones, `nil` if nothing is to be changed; may be called again on another
    ///     version. What it throws ends the replacement.
    ///   - describe: an error of `apply` as one for the person, given where our version was kept.
    /// - Returns: whether anything was written.
    func run(
        apply: ([UInt8]) throws -> [UInt8]?, describe: (any Error, _ kept: String?) -> ItemError
    ) throws(ItemError) -> Bool {
        // Vim and emacs rename the file away and create it anew. Waited for without the lock, up to a second.
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let attempt = try store.locked { () throws(ItemError) -> Attempt in try self.attempt(apply, describe) }
            switch attempt {
            case .done: return true
            case .unchanged: return false
            case .absent:
                if store.isInGroup || ContinuousClock.now >= deadline { throw .noItem(id) }
                usleep(2000)
            }
        }
    }

    private func attempt(
        _ apply: ([UInt8]) throws -> [UInt8]?, _ describe: (any Error, String?) -> ItemError
    ) throws(ItemError) -> Attempt {
        let item = try files { () throws(FileError) -> Directory in try store.root.directory(folder) }
        guard let current = try read(item) else { return .absent }
        let new: [UInt8]?
        do { new = try apply(current.bytes) } catch { throw describe(error, nil) }
        guard let new else { return .unchanged }
        return try place(new, over: current, in: item, apply, describe)
    }

    private func place(
        _ new: [UInt8], over current: FileContents, in item: borrowing Directory,
        _ apply: ([UInt8]) throws -> [UInt8]?, _ describe: (any Error, String?) -> ItemError
    ) throws(ItemError) -> Attempt {
        let staging = try store.staging()
        let staged = try stage(
            new, base: current.bytes, permissions: current.status.permissions, in: staging.directory)
        do throws(FileError) {
            guard try staging.directory.exchange(staged, with: item, name) else {
                // No exchange on this file system: the window is between this look and the rename.
                return try replaceWithoutExchange(staged, current, in: item, staging.directory)
            }
        } catch {
            try? staging.directory.removeFile(staged)
            if error.isAbsent { return .absent }
            throw .file(error)
        }
        let displaced = try files { () throws(FileError) in
            try staging.directory.contents(of: staged, limit: limit).bytes
        }
        if displaced == current.bytes {
            try files { () throws(FileError) in try item.sync() }
            try? staging.directory.removeFile(staged)
            return .done
        }
        return try join(displaced, staged: staged, ours: new, in: item, staging.directory, apply, describe)
    }

    /// Another program saved between our read and the exchange: its version lies in `staged`, ours is live.
    private func join(
        _ theirs: [UInt8], staged: String, ours: [UInt8], in item: borrowing Directory,
        _ staging: borrowing Directory, _ apply: ([UInt8]) throws -> [UInt8]?,
        _ describe: (any Error, String?) -> ItemError
    ) throws(ItemError) -> Attempt {
        let joined: [UInt8]
        do {
            joined = try apply(theirs) ?? theirs
        } catch {
            let kept = try giveWay(to: theirs, staged: staged, ours: ours, in: item, staging)
            throw describe(error, kept)
        }
        let second = try stage(joined, base: theirs, permissions: nil, in: staging)
        let isExchanged: Bool
        do throws(FileError) {
            isExchanged = try staging.exchange(second, with: item, name)
        } catch {
            // Renamed away by an editor in mid-save: its version waits in conflicts/ while the whole is tried again.
            try keep(theirs, in: item)
            try? staging.removeFile(second)
            try? staging.removeFile(staged)
            if error.isAbsent { return .absent }
            throw .file(error)
        }
        let displaced = try files { () throws(FileError) in try staging.contents(of: second, limit: limit).bytes }
        // A third version came meanwhile. It may not know of the second, which is therefore kept; the joined one is live.
        if isExchanged, displaced != ours {
            try keep(theirs, in: item)
            try keep(displaced, in: item)
        }
        try files { () throws(FileError) in try item.sync() }
        try? staging.removeFile(second)
        try? staging.removeFile(staged)
        return .done
    }

    /// Puts the other program's version back and keeps ours in conflicts/.
    ///
    /// - Returns: where ours is, relative to the library's folder.
    private func giveWay(
        to theirs: [UInt8], staged: String, ours: [UInt8], in item: borrowing Directory,
        _ staging: borrowing Directory
    ) throws(ItemError) -> String {
        let kept = try keep(ours, in: item)
        _ = try files { () throws(FileError) in try staging.exchange(staged, with: item, name) }
        let displaced = try files { () throws(FileError) in try staging.contents(of: staged, limit: limit).bytes }
        if displaced != ours {
            // Saved once more, over ours: the latest version goes live again, the one before it is kept.
            try keep(theirs, in: item)
            _ = try files { () throws(FileError) in try staging.exchange(staged, with: item, name) }
        }
        try files { () throws(FileError) in try item.sync() }
        try? staging.removeFile(staged)
        return kept
    }

    /// Writes a version into conflicts/, durably.
    @discardableResult
    private func keep(_ bytes: [UInt8], in item: borrowing Directory) throws(ItemError) -> String {
        try store.keep(bytes, of: name, in: folder)
    }

    // MARK: Steps

    private func read(_ item: borrowing Directory) throws(ItemError) -> FileContents? {
        try files { () throws(FileError) in try item.contentsIfPresent(of: name, limit: limit) }
    }

    private func stage(
        _ bytes: [UInt8], base: [UInt8], permissions: UInt32?, in staging: borrowing Directory
    ) throws(ItemError) -> String {
        let staged = StagedName(id: id, file: name, new: bytes, base: base).name
        try files { () throws(FileError) in
            try staging.writeFile(staged, bytes, permissions: permissions ?? 0o666)
        }
        return staged
    }

    private func replaceWithoutExchange(
        _ staged: String, _ current: FileContents, in item: borrowing Directory, _ staging: borrowing Directory
    ) throws(FileError) -> Attempt {
        let live = try item.statusIfPresent(of: name)
        guard let live, live.isSameFile(as: current.status), live.modified == current.status.modified,
            live.byteCount == current.status.byteCount
        else {
            try? staging.removeFile(staged)
            return .absent
        }
        try staging.replace(staged, to: item, as: name)
        try item.sync()
        return .done
    }
}

extension ItemStore {
    /// Writes a version of a file into the item's conflicts/ folder, durably.
    ///
    /// - Returns: where it lies, relative to the library's folder.
    @discardableResult
    func keep(_ bytes: [UInt8], of name: String, in folder: String) throws(ItemError) -> String {
        let keptName = Layout.conflictName(name, bytes, at: Timestamp.now.compact)
        let staging = try staging()
        return try files { () throws(FileError) -> String in
            let item = try root.directory(folder)
            try item.makeDirectory(Layout.conflicts)
            let conflicts = try item.directory(Layout.conflicts)
            let path = folder + "/" + Layout.conflicts + "/" + keptName
            // The same version at the same second is the same file.
            if try conflicts.statusIfPresent(of: keptName) != nil { return path }
            let temporary = "kept-" + keptName
            try staging.directory.writeFile(temporary, bytes)
            try staging.directory.move(temporary, to: conflicts, as: keptName)
            try conflicts.sync()
            try item.sync()
            return path
        }
    }
}
