internal import Files

/// Replaces one file while other programs, which take no lock, may save it: FORMAT.md § 14.
///
/// Only this type stages a file, swaps it with the live one, compares the displaced bytes with the bytes that were
/// read, and swaps back if another program saved meanwhile.
struct Swap {
    enum Outcome {
        case done
        /// Another program saved meanwhile; its version is live.
        case overtaken
        /// The file is not there: some editors rename it away before they write the new one.
        case absent
    }

    let session: WriteSession
    let target: SwapTarget
    /// The modification time that the new file gets, in nanoseconds since 1970, or 1 ms after that of the file that it
    /// replaces if that is later; `nil` for now.
    var modified: Int64?
    /// Whether the file gets `modified` also if the file that it replaces is later.
    var isExact = false
    /// Called when the new bytes are staged but not in place. Tests save here as an editor would.
    var isStaged: () -> Void = {}
    /// Called when another program's version was displaced and is not yet back.
    var isDisplaced: () -> Void = {}

    /// Makes, replaces or removes the file. The result is durable when this returns.
    ///
    /// - Parameters:
    ///   - old: the bytes that were read; `nil` for no file.
    ///   - new: the bytes to write; `nil` for no file.
    /// - Returns: false if the file no longer holds `old`; then it stays unchanged.
    func run(_ old: [UInt8]?, _ new: [UInt8]?) throws(ItemError) -> Bool {
        switch (old, new) {
        case (nil, nil): return true
        case (nil, let new?): return try create(new)
        case (let old?, nil): return try remove(old)
        case (let old?, let new?):
            if old == new { return true }
            let place = try place()
            guard let current = try contents(in: place), current.bytes == old,
                case .done = try replace(current, with: new, in: place)
            else { return false }
            return true
        }
    }

    /// The folder of the file.
    func place() throws(ItemError) -> Directory {
        try files { () throws(FileError) in try target.directory(in: session.store.root) }
    }

    /// The file's current contents; `nil` if it does not exist.
    func contents(in place: borrowing Directory) throws(ItemError) -> FileContents? {
        try files { () throws(FileError) -> FileContents? in
            try place.contentsIfPresent(of: target.name, limit: target.limit)
        }
    }

    // MARK: Replacing

    /// Replaces the file if it still is as read. The result is durable when this returns.
    ///
    /// - Parameter place: the folder of the file.
    func replace(
        _ current: FileContents, with new: [UInt8], in place: borrowing Directory
    ) throws(ItemError) -> Outcome {
        let staging = try session.staging()
        // Synced before the lock is taken, so that the lock is held only for the swap.
        let staged = StagedName(target.owner, file: target.name, new: new, base: current.bytes).name
        try files { () throws(FileError) in
            try staging.stage(new, as: staged, permissions: current.status.permissions)
            if let modified {
                let time = isExact ? modified : max(modified, current.status.modified + 1_000_000)
                try staging.directory.file(staged).setModified(time)
            }
        }
        let mark: JournalMark?
        session.willChange(target)
        do throws(ItemError) {
            mark = try session.journal { target.record(current.bytes, new) }
        } catch {
            try? staging.directory.removeFile(staged)
            throw error
        }
        var isDone = false
        defer { if !isDone { session.void(mark) } }
        isStaged()
        let outcome = try session.locked { () throws(ItemError) -> Outcome in
            try swapIn(staged, current, new, in: place, staging)
        }
        if case .done = outcome {
            isDone = true
            session.noteChange(of: target, new)
            try files { () throws(FileError) in try place.sync() }
            try? staging.directory.removeFile(staged)
        }
        return outcome
    }

    private func swapIn(
        _ staged: String, _ current: FileContents, _ new: [UInt8], in place: borrowing Directory,
        _ staging: StagingFolder
    ) throws(ItemError) -> Outcome {
        do throws(FileError) {
            guard try staging.directory.swap(staged, with: place, target.name) else {
                return try replaceWithoutSwap(staged, current.status, in: place, staging)
            }
        } catch {
            try? staging.directory.removeFile(staged)
            if error.isAbsent { return .absent }
            throw .file(error)
        }
        // A displaced entry that cannot be read, such as a folder from another program, goes back too.
        if (try? bytes(of: staged, staging)) == current.bytes { return .done }
        isDisplaced()
        try giveBack(staged, ours: new, to: place, staging)
        return .overtaken
    }

    /// Puts back the version that another program saved meanwhile. If the program saved again since, the newest
    /// version stays live and the one before it is kept.
    private func giveBack(
        _ staged: String, ours: [UInt8], to place: borrowing Directory, _ staging: StagingFolder
    ) throws(ItemError) {
        _ = try files { () throws(FileError) in try staging.directory.swap(staged, with: place, target.name) }
        let isOurs = try bytes(of: staged, staging) == ours
        if !isOurs {
            _ = try files { () throws(FileError) in try staging.directory.swap(staged, with: place, target.name) }
            try session.keep(staged, of: target, in: place, staging.directory)
        }
        try files { () throws(FileError) in try place.sync() }
        if isOurs { try? staging.directory.removeFile(staged) }
    }

    /// An editor's save between the comparison and the rename is lost: FORMAT.md § 14.
    private func replaceWithoutSwap(
        _ staged: String, _ status: FileStatus, in place: borrowing Directory, _ staging: StagingFolder
    ) throws(FileError) -> Outcome {
        guard let live = try place.statusIfPresent(of: target.name), live.isSameVersion(as: status) else {
            try? staging.directory.removeFile(staged)
            return .overtaken
        }
        try staging.directory.replace(staged, to: place, as: target.name)
        return .done
    }

    private func bytes(of staged: String, _ staging: StagingFolder) throws(ItemError) -> [UInt8] {
        try files { () throws(FileError) -> [UInt8] in
            try staging.directory.contents(of: staged, limit: target.limit).bytes
        }
    }

    // MARK: Making and removing

    private func create(_ new: [UInt8]) throws(ItemError) -> Bool {
        try makeFolder()
        let place = try place()
        if try files({ () throws(FileError) in try place.statusIfPresent(of: target.name) }) != nil { return false }
        session.willChange(target)
        let mark = try session.journal { target.record(nil, new) }
        var isDone = false
        defer { if !isDone { session.void(mark) } }
        isDone = try put(new)
        return isDone
    }

    /// Puts a new file in place unless its name is taken. The result is durable when this returns. Writes no journal
    /// record.
    func put(_ new: [UInt8]) throws(ItemError) -> Bool {
        let place = try place()
        let staging = try session.staging()
        let temporary = staging.temporaryName(for: target.name)
        try files { () throws(FileError) in
            try staging.directory.writeFile(temporary, new)
            if let modified { try staging.directory.file(temporary).setModified(modified) }
        }
        isStaged()
        let isPut = try session.locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                try staging.directory.move(temporary, to: place, as: target.name)
                return true
            } catch {
                try? staging.directory.removeFile(temporary)
                if error.isTaken { return false }
                throw .file(error)
            }
        }
        guard isPut else { return false }
        session.noteChange(of: target, new)
        try files { () throws(FileError) in try place.sync() }
        return true
    }

    /// Makes a missing folder of collections/, tags/ or smart/.
    private func makeFolder() throws(ItemError) {
        guard case .named(let folder) = target.owner else { return }
        try files { () throws(FileError) in
            if try session.store.root.makeDirectory(folder.path) { try session.store.root.sync() }
        }
    }

    private func remove(_ old: [UInt8]) throws(ItemError) -> Bool {
        let place = try place()
        let staging = try session.staging()
        let staged = StagedName(target.owner, file: target.name, new: nil, base: old).name
        session.willChange(target)
        let mark = try session.journal { target.record(old, nil) }
        var isDone = false
        defer { if !isDone { session.void(mark) } }
        isStaged()
        isDone = try session.locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                try place.move(target.name, to: staging.directory, as: staged)
            } catch {
                if error.isAbsent { return false }
                throw .file(error)
            }
            if (try? bytes(of: staged, staging)) == old { return true }
            try session.putBack(staged, of: target, in: place, staging.directory)
            return false
        }
        if isDone { session.noteChange(of: target, nil) }
        try files { () throws(FileError) in try place.sync() }
        if isDone { try? staging.directory.removeFile(staged) }
        return isDone
    }
}

extension WriteSession {
    /// Tells of a change before it is made.
    fileprivate func willChange(_ target: SwapTarget) {
        if let id = target.id { witness.withLock { $0 }?.willChange(id) }
    }

    /// Notes that a file was written, or removed with no bytes.
    fileprivate func noteChange(of target: SwapTarget, _ bytes: [UInt8]?) {
        if case .named(let folder) = target.owner { noteNamed(folder, target.name) }
        guard let id = target.id else { return }
        noteChange(id)
        witness.withLock { $0 }?.didWrite(target.name, of: id, bytes)
    }

    /// Puts a removed version back. If the name is taken again, the version is kept instead.
    func putBack(
        _ staged: String, of target: SwapTarget, in place: borrowing Directory, _ staging: borrowing Directory
    ) throws(ItemError) {
        do throws(FileError) {
            try staging.move(staged, to: place, as: target.name)
        } catch {
            if !error.isTaken { throw .file(error) }
            try keep(staged, of: target, in: place, staging)
        }
    }

    /// Keeps a staged version that has no other place: in the item's conflicts/, or beside the file as
    /// `<file>-<hash8>.json`, which `check` names.
    func keep(
        _ staged: String, of target: SwapTarget, in place: borrowing Directory, _ staging: borrowing Directory
    ) throws(ItemError) {
        let bytes = try files { () throws(FileError) in try staging.contents(of: staged, limit: target.limit).bytes }
        if let id = target.id {
            let kept = try keep(bytes, of: target.name, in: target.folder)
            try? staging.removeFile(staged)
            return store.tell(.unmerged(id, kept: kept))
        }
        let kept = Layout.keptName(target.name, bytes)
        do throws(FileError) {
            try staging.move(staged, to: place, as: kept)
        } catch {
            // The name holds the hash, so the same name means the same bytes.
            if !error.isTaken { throw .file(error) }
            try? staging.removeFile(staged)
        }
        store.tell(.unmergedFile(path: place.full(target.name), kept: kept))
    }
}
