internal import Files
internal import Glibc
internal import JSONFormat
internal import Time

/// Changes one file by a rule. The rule is applied again to each version that another program saves meanwhile.
struct FileChange {
    let session: WriteSession
    let target: SwapTarget
    /// Makes the new bytes from the current ones, or returns `nil` for no change. Called again for each other
    /// version.
    let apply: ([UInt8]) throws -> [UInt8]?
    /// Turns an error of `apply` into an `ItemError`, given the path of our kept version.
    let describe: (any Error, _ kept: String?) -> ItemError

    /// Enough for an editor, which saves occasionally. The change fails if a program saves constantly.
    private static let tryLimit = 100

    /// Makes the change. It is durable when this returns.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: the result of `describe` for an error of `apply`; another error if the file stays missing for a
    ///   second.
    func run() throws(ItemError) -> Bool {
        let swap = Swap(session: session, target: target)
        // Vim and emacs rename the file away and then create a new one.
        let deadline = ContinuousClock.now + .seconds(1)
        // The bytes of the previous try, if another program's version prevented them.
        var ours: [UInt8]?
        for _ in 0..<Self.tryLimit {
            let place = try swap.place()
            guard let current = try current(swap, place, until: deadline) else { throw absent }
            let new: [UInt8]?
            do { new = try applied(to: current.bytes) } catch { throw describe(error, try keep(ours)) }
            guard let new else {
                if ours == nil { return false }
                if try isSettled(current, swap, place) { return false }
                continue
            }
            switch try swap.replace(current, with: new, in: place) {
            case .done: return true
            case .overtaken: ours = new
            case .absent: if ContinuousClock.now >= deadline { throw absent }
            }
        }
        throw describe(Overtaken(), try keep(ours))
    }

    /// The file's current contents. Waits while the file is missing.
    private func current(
        _ swap: Swap, _ place: borrowing Directory, until deadline: ContinuousClock.Instant
    ) throws(ItemError) -> FileContents? {
        while true {
            if let contents = try swap.contents(in: place) { return contents }
            if ContinuousClock.now >= deadline { return nil }
            usleep(2000)
        }
    }

    /// Whether what was read stays. Another writer may have made its version of ours, which it gives back: it holds the lock until that
    /// is done.
    private func isSettled(_ read: FileContents, _ swap: Swap, _ place: borrowing Directory) throws(ItemError) -> Bool {
        let now = try session.locked { () throws(ItemError) in try swap.contents(in: place) }
        return now?.bytes == read.bytes
    }

    private var absent: ItemError {
        if let id = target.id { return .noItem(id) }
        return .noLibrary(path: session.store.root.path)
    }

    /// Keeps our version of an item's file. Versions of other files can be typed again and are not kept.
    private func keep(_ ours: [UInt8]?) throws(ItemError) -> String? {
        guard let ours, target.id != nil else { return nil }
        return try session.keep(ours, of: target.name, in: target.folder)
    }

    /// The changed file must be readable afterwards.
    private func applied(to bytes: [UInt8]) throws -> [UInt8]? {
        guard let new = try apply(bytes) else { return nil }
        if new.count > target.limit { throw JSONOutgrown(limit: target.limit) }
        return new
    }

    /// Another program saved the file during every try.
    struct Overtaken: Error {}
}

extension WriteSession {
    /// Writes a version of a file into the item's conflicts/ folder, durably.
    ///
    /// - Returns: its path relative to the library's folder.
    @discardableResult
    func keep(_ bytes: [UInt8], of name: String, in folder: String) throws(ItemError) -> String {
        let keptName = Layout.conflictName(name, bytes, at: Timestamp.now.compact)
        let staging = try staging()
        return try files { () throws(FileError) -> String in
            let item = try store.root.directory(folder)
            try item.makeDirectory(Layout.conflicts)
            let conflicts = try item.directory(Layout.conflicts)
            let path = folder + "/" + Layout.conflicts + "/" + keptName
            // The name holds second and hash, so the same name means the same version.
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
