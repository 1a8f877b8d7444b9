internal import Files
package import Synchronization

/// Changes to the items of one library: everything that takes the lock, stages files, writes the journal or notes
/// changes.
///
/// A session begins with the first change, or with `beginStep`. All changes until `endStep` are one step of the
/// journal. The lock is taken in short turns, not for the whole session. Every write is staged in `.sbfs/staging`,
/// synced, and put in place by one rename. FORMAT.md § Writing says what a reader sees after each operation. Safe
/// from several threads.
package final class WriteSession: Sendable {
    package let store: ItemStore
    /// The changed items, for the search index.
    package let changes: ChangeList
    /// How many seconds a change waits for another writer.
    private let lockPatience: Int
    private let folder = Mutex<StagingFolder?>(nil)
    /// Told of the changes of items; `nil` for nobody.
    package let witness = Mutex<(any ChangeWitness)?>(nil)
    /// The state of the session's journal.
    let journalState: Mutex<JournalState>
    /// Items in a shard that is not their own; `nil` until `findMisplaced` has run.
    private let misplaced = Mutex<Set<ItemID>?>(nil)

    /// - Parameters:
    ///   - step: the header of the journal's step; `nil` keeps no journal.
    ///   - changes: the list of changed items, which several sessions may share.
    ///   - lockPatience: how many seconds a change waits for another writer.
    package init(
        _ store: ItemStore, step: StepHeader? = nil, changes: ChangeList = ChangeList(), lockPatience: Int = 10
    ) {
        self.store = store
        self.lockPatience = lockPatience
        self.changes = changes
        journalState = Mutex(step.map { .planned($0) } ?? .off)
        for id in store.takeRecovered() { changes.note(id) }
    }

    /// Another session of the same store and list of changes, for changes that belong to another step.
    package convenience init(beside other: WriteSession) {
        self.init(other.store, changes: other.changes, lockPatience: other.lockPatience)
    }

    var device: DeviceFolder? { store.device }

    /// The staging folder of this session, made on first use.
    ///
    /// - Throws: `ItemError` if the library cannot be written.
    func staging() throws(ItemError) -> StagingFolder {
        guard let device else { throw store.unwritable }
        do {
            return try folder.withLock { folder in
                if let folder { return folder }
                let new = try StagingFolder(in: device.staging)
                folder = new
                return new
            }
        } catch let error as FileError {
            // The file system is mounted read-only, so the library is read-only.
            throw error.isReadOnly ? store.unwritable : .file(error)
        } catch {
            throw .refused(.other(error))
        }
    }

    /// - Throws: `ItemError` where the library cannot be written.
    package func requireWritable() throws(ItemError) { _ = try staging() }

    /// Notes that an item's files changed.
    func noteChange(_ id: ItemID) { changes.note(id) }

    // MARK: The lock

    /// Runs `body` while no other sbfs writes to the library.
    ///
    /// - Throws: `ItemError.locked` after `lockPatience` seconds.
    func locked<Result>(_ body: () throws(ItemError) -> Result) throws(ItemError) -> Result {
        guard let result = try lockedIfFree(patience: lockPatience, body) else {
            throw .locked(path: store.root.path, seconds: lockPatience)
        }
        return result
    }

    /// As `locked`, but returns `nil` if another sbfs writes for all of `patience` seconds.
    func lockedIfFree<Result>(
        patience: Int, _ body: () throws(ItemError) -> Result
    ) throws(ItemError) -> Result? {
        guard let device else { throw store.unwritable }
        return try device.turn.withLock { _ throws(ItemError) -> Result? in
            let lock = try files { () throws(FileError) -> FileLock? in
                try FileLock.acquire(Layout.lock, in: device.directory, patience: .seconds(patience))
            }
            guard let lock else { return nil }
            defer { withExtendedLifetime(lock) {} }
            return try body()
        }
    }

    // MARK: Where items are

    /// Searches all shards once for items in the wrong one, so that changing many items need not search for each.
    package func findMisplaced() throws(ItemError) {
        if misplaced.withLock({ $0 }) != nil { return }
        var found: Set<ItemID> = []
        for name in try store.shards().names {
            do throws(ItemError) {
                for id in try store.shard(name).ids where id.shard != name { found.insert(id) }
            } catch {
                if !error.isDenied { throw error }
            }
        }
        misplaced.withLock { $0 = found }
    }

    /// All folders named after an item, as `ItemStore.folders` finds them.
    package func folders(of id: ItemID) throws(ItemError) -> [String] {
        try store.folders(of: id, misplaced: misplaced.withLock { $0 })
    }

    /// The folder of an item, as `ItemStore.folder` finds it.
    package func folder(of id: ItemID) throws(ItemError) -> String? {
        try store.folder(of: id, misplaced: misplaced.withLock { $0 })
    }

    /// Whether no shard has a folder of an item, as `ItemStore.isKnownGone` says.
    package func isKnownGone(_ id: ItemID) -> Bool {
        do throws(ItemError) { return try folder(of: id) == nil } catch { return false }
    }

    /// Reads an item by its id, as `ItemStore.item` does.
    func item(_ id: ItemID) throws(ItemError) -> StoredItem? {
        try store.item(id, misplaced: misplaced.withLock { $0 })
    }
}
