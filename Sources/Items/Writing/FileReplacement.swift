internal import Files
internal import Glibc
internal import Time

/// Replaces one file of an item against programs that take no lock: FORMAT.md § Writing against editors.
///
/// The new bytes are staged and synced, then swapped with the live file in one step (RENAME_EXCHANGE). What was
/// displaced is compared with what was read: if another program saved in between, the change is made again on its
/// version, or, where both changed the same thing, its version is put back and ours is kept in conflicts/.
struct FileReplacement {
    let writer: WriteSession
    let id: ItemID
    /// The item's folder, relative to the library's.
    let folder: String
    /// Name of the file in the item's folder.
    let name: String
    /// Largest size in bytes that is read.
    let limit: Int
    /// The new bytes for the current ones, `nil` if nothing is to be changed; called again on another version.
    let apply: ([UInt8]) throws -> [UInt8]?
    /// An error of `apply` as one for the person, given where our version was kept.
    let describe: (any Error, _ kept: String?) -> ItemError

    private enum Attempt {
        /// In place; the staged files are removed once the item's folder is on the disk.
        case done(staged: [String])
        case unchanged
        /// The file is not there at this moment: an editor renames it away before it writes the new one.
        case absent
    }

    /// Makes the change, durable when this returns.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: what `describe` makes of an error of `apply`; `ItemError.noItem` if the file stays away for a second.
    func run() throws(ItemError) -> Bool {
        // Vim and emacs rename the file away and create it anew.
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            switch try attempt() {
            case .done: return true
            case .unchanged: return false
            case .absent:
                if ContinuousClock.now >= deadline { throw .noItem(id) }
                usleep(2000)
            }
        }
    }

    private func attempt() throws(ItemError) -> Attempt {
        let item = try files { () throws(FileError) -> Directory in try writer.store.root.directory(folder) }
        let current = try files { () throws(FileError) -> FileContents? in
            try item.contentsIfPresent(of: name, limit: limit)
        }
        guard let current else { return .absent }
        let new: [UInt8]?
        do { new = try applied(to: current.bytes) } catch { throw describe(error, nil) }
        guard let new else { return .unchanged }
        return try attempt(new, over: current, in: item, writer.staging())
    }

    /// What a change makes of a file must be readable afterwards: canonical JSON may be larger than what was read.
    private func applied(to bytes: [UInt8]) throws -> [UInt8]? {
        guard let new = try apply(bytes) else { return nil }
        if new.count > limit { throw Outgrown(count: new.count, limit: limit) }
        return new
    }

    struct Outgrown: Error, CustomStringConvertible {
        let count: Int
        let limit: Int

        var description: String {
            "the change would make the file \(count) bytes long, and the limit is \(limit); nothing was changed"
        }
    }

    private func attempt(
        _ new: [UInt8], over current: FileContents, in item: borrowing Directory, _ session: StagingFolder
    ) throws(ItemError) -> Attempt {
        let permissions = current.status.permissions
        // Synced before the lock is taken: the lock is held for the exchange alone.
        let staged = try stage(new, base: current.bytes, permissions, session)
        let mark: JournalMark?
        do throws(ItemError) {
            mark = try writer.journal(replacing: name, of: id, current.bytes, with: new)
        } catch {
            try? session.directory.removeFile(staged)
            throw error
        }
        var isPlaced = false
        defer { if !isPlaced { writer.void(mark) } }
        let attempt = try writer.locked { () throws(ItemError) -> Attempt in
            try place(staged, new, over: current, in: item, session)
        }
        if case .done(let staged) = attempt {
            isPlaced = true
            writer.noteChange(id)
            try files { () throws(FileError) in try item.sync() }
            for name in staged { try? session.directory.removeFile(name) }
        }
        return attempt
    }

    private func place(
        _ staged: String, _ new: [UInt8], over current: FileContents, in item: borrowing Directory,
        _ session: StagingFolder
    ) throws(ItemError) -> Attempt {
        do throws(FileError) {
            guard try session.directory.exchange(staged, with: item, name) else {
                // No exchange on this file system: the window is between this look and the rename.
                return try replaceWithoutExchange(staged, current, in: item, session.directory)
            }
        } catch {
            try? session.directory.removeFile(staged)
            if error.isAbsent { return .absent }
            throw .file(error)
        }
        let displaced: [UInt8]
        do throws(ItemError) {
            displaced = try bytes(of: staged, session)
        } catch {
            // Too large, or no file at all: nothing that we could join goes back to where it was.
            _ = try? session.directory.exchange(staged, with: item, name)
            try? session.directory.removeFile(staged)
            throw error
        }
        if displaced != current.bytes {
            return try join(displaced, staged, ours: new, current.status.permissions, in: item, session)
        }
        return .done(staged: [staged])
    }

    /// Another program saved between our read and the exchange: its version lies in `staged`, ours is live.
    private func join(
        _ theirs: [UInt8], _ staged: String, ours: [UInt8], _ permissions: UInt32, in item: borrowing Directory,
        _ session: StagingFolder
    ) throws(ItemError) -> Attempt {
        let joined: [UInt8]
        do {
            joined = try applied(to: theirs) ?? theirs
        } catch {
            throw describe(error, try giveWay(to: theirs, staged, ours: ours, in: item, session))
        }
        let second = try stage(joined, base: theirs, permissions, session)
        // Of item.json the record of the first try tells the same. A text is put back only over the bytes that were left.
        if name == Layout.textFile { _ = try? writer.journal(replacing: name, of: id, theirs, with: joined) }
        do throws(FileError) {
            _ = try session.directory.exchange(second, with: item, name)
        } catch {
            // Renamed away by an editor in mid-save: its version waits in conflicts/ while the whole is tried again.
            try keep(theirs)
            try? session.directory.removeFile(second)
            try? session.directory.removeFile(staged)
            if error.isAbsent { return .absent }
            throw .file(error)
        }
        let displaced = try bytes(of: second, session)
        if displaced != ours {
            // A third version came meanwhile. It may not know of the second; the joined one is live, both are kept.
            writer.store.tell("a version of \(id.short) that could not be merged is kept in \(try keep(theirs))")
            writer.store.tell("a version of \(id.short) that could not be merged is kept in \(try keep(displaced))")
        }
        return .done(staged: [second, staged])
    }

    /// Puts the other program's version back and keeps ours in conflicts/.
    ///
    /// - Returns: where ours is, relative to the library's folder.
    private func giveWay(
        to theirs: [UInt8], _ staged: String, ours: [UInt8], in item: borrowing Directory,
        _ session: StagingFolder
    ) throws(ItemError) -> String {
        let kept = try keep(ours)
        _ = try files { () throws(FileError) in try session.directory.exchange(staged, with: item, name) }
        if try bytes(of: staged, session) != ours {
            // Saved once more, over ours: the latest version goes live again, the one before it is kept.
            try keep(theirs)
            _ = try files { () throws(FileError) in try session.directory.exchange(staged, with: item, name) }
        }
        try files { () throws(FileError) in try item.sync() }
        try? session.directory.removeFile(staged)
        return kept
    }

    // MARK: Steps

    @discardableResult
    private func keep(_ bytes: [UInt8]) throws(ItemError) -> String { try writer.keep(bytes, of: name, in: folder) }

    private func bytes(of staged: String, _ session: StagingFolder) throws(ItemError) -> [UInt8] {
        try files { () throws(FileError) -> [UInt8] in try session.directory.contents(of: staged, limit: limit).bytes }
    }

    private func stage(
        _ bytes: [UInt8], base: [UInt8], _ permissions: UInt32, _ session: StagingFolder
    ) throws(ItemError) -> String {
        let staged = StagedName(id: id, file: name, new: bytes, base: base)
        try files { () throws(FileError) in try session.stage(bytes, as: staged, permissions: permissions) }
        return staged.name
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
        return .done(staged: [])
    }
}

extension WriteSession {
    /// Writes a version of a file into the item's conflicts/ folder, durably.
    ///
    /// - Returns: where it lies, relative to the library's folder.
    @discardableResult
    func keep(_ bytes: [UInt8], of name: String, in folder: String) throws(ItemError) -> String {
        let keptName = Layout.conflictName(name, bytes, at: Timestamp.now.compact)
        let staging = try staging()
        return try files { () throws(FileError) -> String in
            let item = try store.root.directory(folder)
            try item.makeDirectory(Layout.conflicts)
            let conflicts = try item.directory(Layout.conflicts)
            let path = folder + "/" + Layout.conflicts + "/" + keptName
            // The same version at the same second is the same file.
            if try conflicts.statusIfPresent(of: keptName) != nil { return path }
            let temporary = staging.temporaryName(for: keptName)
            try staging.directory.writeFile(temporary, bytes)
            try staging.directory.move(temporary, to: conflicts, as: keptName)
            if let id = ItemID(String(folder.suffix(36))) { noteChange(id) }
            try conflicts.sync()
            try item.sync()
            return path
        }
    }
}
