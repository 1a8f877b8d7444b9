internal import Files
internal import Items

/// What the reset of a device removes.
public struct LocalReset: Sendable {
    /// Bytes of the search index.
    public internal(set) var indexByteCount = 0
    /// Bytes of copies of files that an exchange holds.
    public internal(set) var cacheByteCount = 0
    /// Copies that a program changed: full paths. They stay.
    public internal(set) var changedCopies: [String] = []
    /// The number of steps that can no longer be undone.
    public internal(set) var stepCount = 0
    /// The number of items of which files are only in an exchange. What is remembered of them and of exchanges stays.
    public internal(set) var awayCount = 0
}

extension Library {
    /// Removes what this device derived of the library and can make again, and the journal: the search index, the records of
    /// comparing and reading files, copies that came from an exchange, and all steps. Items, versions, what is remembered of
    /// exchanges, the trash's times and views stay.
    ///
    /// - Parameter mode: a dry run only counts.
    /// - Throws: `SyncError.isBusy` if another process syncs the library, or builds its index; `ItemError`.
    public func resetLocal(_ mode: ChangeMode = .real) throws -> LocalReset {
        try requireWritable()
        guard let device = store.device else { throw ItemError.refused(.notWritable(path: path)) }
        do {
            guard let sync = try SyncFolder.lock(store),
                let build = try FileLock.acquire(Layout.buildLock, in: device.directory, patience: .seconds(5))
            else { throw SyncError.isBusy }
            defer {
                withExtendedLifetime(sync) {}
                withExtendedLifetime(build) {}
            }
            var reset = LocalReset()
            reset.awayCount = awayCount()
            reset.indexByteCount = device.directory.byteCount(of: Layout.index)
            reset.cacheByteCount = device.directory.byteCount(of: Layout.cache)
            reset.stepCount = try history()?.steps.count ?? 0
            if mode == .dry { return reset }
            for name in [Layout.index, Layout.sweep, Layout.verified] { try device.directory.removeTree(name) }
            if let cache = OpenedFiles(store, byteLimit: 0) { reset.changedCopies = cache.empty() }
            try history()?.clear()
            return reset
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }
}

extension Directory {
    /// The sum of the sizes of the files in a folder, in bytes; 0 if it is not there.
    fileprivate func byteCount(of name: String) -> Int {
        guard let folder = try? directory(name), let entries = try? folder.entries() else { return 0 }
        return entries.reduce(0) { sum, entry in
            guard let name = entry.name.string else { return sum }
            if entry.kind == .directory { return sum + folder.byteCount(of: name) }
            return sum + (((try? folder.statusIfPresent(of: name)) ?? nil)?.byteCount ?? 0)
        }
    }
}
