internal import Files
internal import Glibc
internal import JSONFormat
internal import Time

/// Changes one file by a rule, which is applied again to each version that another program saves meanwhile.
struct FileChange {
    let session: WriteSession
    let target: SwapTarget
    /// The new bytes for the current ones, `nil` for no change; called again for each other version.
    let apply: ([UInt8]) throws -> [UInt8]?
    /// An error of `apply` as one for the person, given where our version was kept.
    let describe: (any Error, _ kept: String?) -> ItemError

    /// Enough for an editor, which saves occasionally. The change fails if a program saves constantly.
    private static let tryLimit = 100

    /// Makes the change, durable when this returns.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: what `describe` makes of an error of `apply`; an error of its own if the file stays away for a second.
    func run() throws(ItemError) -> Bool {
        let swap = Swap(session: session, target: target)
        // Vim and emacs rename the file away and then create a new one.
        let deadline = ContinuousClock.now + .seconds(1)
        // What the try before this one would have written, if another program's version was in its way.
        var ours: [UInt8]?
        for _ in 0..<Self.tryLimit {
            let place = try swap.place()
            guard let current = try current(swap, place, until: deadline) else { throw absent }
            let new: [UInt8]?
            do { new = try applied(to: current.bytes) } catch { throw describe(error, try keep(ours)) }
            guard let new else { return false }
            switch try swap.replace(current, with: new, in: place) {
            case .done: return true
            case .overtaken: ours = new
            case .absent: if ContinuousClock.now >= deadline { throw absent }
            }
        }
        throw describe(Overtaken(), try keep(ours))
    }

    /// The file as it is now; waits where it is away.
    private func current(
        _ swap: Swap, _ place: borrowing Directory, until deadline: ContinuousClock.Instant
    ) throws(ItemError) -> FileContents? {
        while true {
            if let contents = try swap.contents(in: place) { return contents }
            if ContinuousClock.now >= deadline { return nil }
            usleep(2000)
        }
    }

    private var absent: ItemError {
        if let id = target.id { return .noItem(id) }
        return .noLibrary(path: session.store.root.path)
    }

    /// Keeps a version of an item's file that gave way. What is changed elsewhere can be typed again.
    private func keep(_ ours: [UInt8]?) throws(ItemError) -> String? {
        guard let ours, target.id != nil else { return nil }
        return try session.keep(ours, of: target.name, in: target.folder)
    }

    /// What a change makes of a file must be readable afterwards.
    private func applied(to bytes: [UInt8]) throws -> [UInt8]? {
        guard let new = try apply(bytes) else { return nil }
        if new.count > target.limit { throw JSONOutgrown(limit: target.limit) }
        return new
    }

    /// Another program saved the file each time.
    struct Overtaken: Error {}
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
