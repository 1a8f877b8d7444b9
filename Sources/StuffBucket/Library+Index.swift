internal import Files
internal import Items
internal import Search
public import Time

extension Library {
    /// How much of the index is checked or rebuilt.
    public enum Reindexing: Sendable {
        /// Compares all files with the index by stat, and reads the items that differ.
        case changes
        /// Rebuilds the index from all items.
        case full
        /// Checks all checksums of the index, compares all items with it by content, and updates it.
        case verify
    }

    /// Updates the index from the files.
    ///
    /// - Parameters:
    ///   - monitor: is told items done and in all, and cancels; the index is the one of before then, or has more of the changes.
    ///   - how: how much is compared.
    /// - Returns: `nil` if another process builds the index, or none can be built.
    /// - Throws: `ItemError`, and `FileError` if the index cannot be written.
    public func reindex(
        _ how: Reindexing, _ monitor: Monitor = Monitor()
    ) throws -> SweepReport? {
        guard let index else { return nil }
        switch how {
        case .changes: return try index.sweep(monitor)
        case .full: return try index.rebuild(monitor)
        case .verify:
            if try !index.isSound() { return try index.rebuild(monitor) }
            return try index.verify(monitor)
        }
    }

    /// Compares the files with the index in the background, for other processes that do not wait, and merges segments
    /// if worthwhile.
    ///
    /// - Returns: false if another process already does it.
    /// - Throws: `ItemError`, and `FileError` if the index cannot be written.
    @discardableResult
    public func sweepInBackground() throws -> Bool {
        guard let index,
            let lock = try FileLock.acquire(Layout.sweepLock, in: index.place.directory, patience: .zero)
        else { return false }
        defer { withExtendedLifetime(lock) {} }
        _ = try index.sweep(Monitor())
        try index.tidy()
        return true
    }

    /// Notes what other programs changed and brought, and joins what met, in the background, for other processes that changed
    /// something else: `LibraryOptions.startTakingIn`.
    ///
    /// - Returns: false if another process compares the files already.
    /// - Throws: `ItemError`, also where the library cannot be written, and `FileError` if the index cannot be written.
    @discardableResult
    public func takeInBackground() throws -> Bool {
        try requireWritable()
        if try !sweepInBackground() { return false }
        try replicas.settle()
        settle()
        return true
    }

    /// The location and size of the index.
    public struct IndexStatistics: Sendable {
        /// The full path of the index's folder.
        public let path: String
        /// The size of all files of the index, in bytes.
        public let byteCount: Int
        /// The number of items in the index.
        public let documentCount: Int
        /// The number of segments, each of which every search reads.
        public let segmentCount: Int
        /// When the files were last compared with the index; `nil` if unknown.
        public let sweptAt: Timestamp?
        /// The number of items that could not be read then.
        public let faultCount: Int
    }

    /// - Returns: `nil` if there is no index.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func indexStatistics() throws -> IndexStatistics? {
        guard let index else { return nil }
        return try index.answer { view in
            let state = SweepState.read(in: index.place)
            return IndexStatistics(
                path: index.place.directory.full(Layout.index), byteCount: index.place.byteCount(),
                documentCount: view.snapshot.documentCount, segmentCount: view.snapshot.segmentCount,
                sweptAt: state?.begunAt, faultCount: state?.faultCount ?? 0)
        }
    }
}

extension LibraryIndex {
    /// Whether all checksums are correct. Reports damage.
    func isSound() throws -> Bool {
        do {
            guard let snapshot = try place.indexFolder().snapshot() else { return false }
            try snapshot.verify()
            return true
        } catch let damage as IndexDamage {
            store.tell(damage.notice)
            return false
        }
    }
}
