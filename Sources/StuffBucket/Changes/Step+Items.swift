public import Items
public import Time

/// Changes of items. Each method takes the item as read: values that another program changed since stay. If both
/// changed the same value, it is a conflict, and both versions are kept.
extension Step {
    /// What becomes of a document that the item has.
    public enum ExistingDocument: Sendable {
        /// It stays, and `ItemError.hasDocument` is thrown.
        case refuse
        /// The new one takes its place; the journal keeps it.
        case replace
    }

    /// Adds links, texts and documents, with one sync for many.
    ///
    /// - Parameters:
    ///   - knownLinks: what to do with a link that the library already has.
    ///   - mode: `dry` reports the outcomes without writing anything.
    ///   - additions: the contents of the new items.
    ///   - time: the time of the change.
    ///   - monitor: is told the number of additions done, and cancels. New items are written together at the end, so that a
    ///     call that is cancelled before has changed only items that the library already had.
    /// - Returns: an outcome for each addition, in order.
    /// - Throws: `ItemError`. An addition that fails alone is an outcome.
    public func add(
        _ additions: [Addition], knownLinks: Library.KnownLinks = .join, _ mode: ChangeMode = .real,
        at time: Timestamp = .now, _ monitor: Monitor = Monitor()
    ) throws -> [AdditionOutcome] {
        try library.add(additions, knownLinks: knownLinks, dryRun: mode == .dry, at: time, monitor)
    }

    /// Changes fields and tags of an item.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func update(_ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp = .now) throws(ItemError) -> Bool {
        let isChanged = try session.update(stored, edit, at: time)
        if edit.isTrashing { try? TrashLog.note([stored.id], at: time, in: store) }
        return isChanged
    }

    /// Changes many items, several at once.
    ///
    /// - Returns: for each change whether anything was written, or the error.
    public func update(
        _ changes: [(stored: StoredItem, edit: ItemEdit)], at time: Timestamp = .now, _ monitor: Monitor = Monitor()
    ) -> [Result<Bool, ItemError>] {
        try? TrashLog.note(changes.filter(\.edit.isTrashing).map(\.stored.id), at: time, in: store)
        return session.update(changes, at: time, monitor)
    }

    /// Changes the text of an item.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func updateText(
        _ stored: StoredItem, _ change: TextChange, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        try session.updateText(stored, change, at: time)
    }

    /// Removes the text of an item.
    ///
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func removeText(_ stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try session.removeText(stored, at: time)
    }

    /// Copies a file into an item as its document.
    ///
    /// - Parameters:
    ///   - existing: what becomes of a document that the item has.
    ///   - path: the file.
    ///   - stored: the item as read.
    ///   - time: the time of the change.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func attach(
        _ path: String, to stored: StoredItem, _ existing: ExistingDocument = .refuse, at time: Timestamp = .now
    ) throws(ItemError) {
        try session.attach(path, to: stored, isReplacing: existing == .replace, at: time)
    }

    /// Removes the document of an item; the journal keeps it.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - isLost: whether a document that is away is taken out, too, which is refused otherwise: undo brings back what
    ///     item.json says, and the bytes only if an exchange has them.
    ///   - time: the time of the change.
    /// - Returns: the name of the other file in document/ that is the document now, if there is just one.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func detachDocument(
        from stored: StoredItem, isLost: Bool = false, at time: Timestamp = .now
    ) throws(ItemError) -> String? {
        try session.detachDocument(from: stored, isLost: isLost, at: time)
    }

    /// Replaces an item.json that does not parse by one that does.
    ///
    /// - Parameters:
    ///   - base: the bytes as read; a later version of another program is not replaced.
    ///   - bytes: the new item.json.
    ///   - row: the item.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func mend(_ row: Row, base: [UInt8], with bytes: [UInt8]) throws(ItemError) {
        try session.mend(row.id, in: row.folder, base: base, with: bytes)
    }

    // MARK: Trash

    /// Records that items are in the trash now. Their days count from this time.
    ///
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func noteTrashed(_ ids: [ItemID], at time: Timestamp = .now) throws(ItemError) {
        try TrashLog.note(ids, at: time, in: store)
    }

    /// Moves an item to the trash.
    ///
    /// - Returns: false if it was there already.
    /// - Throws: `ItemError`.
    @discardableResult
    public func trash(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        try library.trash(stored, at: time)
    }

    /// Takes an item out of the trash.
    ///
    /// - Returns: false if it was not there.
    /// - Throws: `ItemError`.
    @discardableResult
    public func restore(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        try library.restore(stored, at: time)
    }

    /// Removes an item in the trash permanently. This cannot be undone.
    ///
    /// - Parameters:
    ///   - tree: the item's files as shown to the person; a later change is an error.
    ///   - time: the time of the change.
    ///   - stored: the item as read.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func purge(_ stored: StoredItem, seen tree: ItemTree? = nil, at time: Timestamp = .now) throws(ItemError) {
        if stored.item.hasBothTrashMarks, try library.replicas.joinArrived(stored.id, in: stored.folder) {
            throw .joinedBeforePurge(stored.id)
        }
        let exchanges = (try? SyncFolder.all(library.store)) ?? []
        let synced = exchanges.compactMap { $0.ownStates(stored.id.shard)[stored.id]?.hashes }
        try session.purge(stored, seen: tree, synced: Set(synced.joined()), at: time)
        purged.withLock { $0.append(stored.id) }
    }

    // MARK: Care

    /// Makes a repair that `check` offers.
    ///
    /// - Returns: what was done.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func repair(_ repair: Finding.Repair) throws(ItemError) -> Finding.Repair.Outcome {
        try session.repair(repair) { id, folder in
            try library.lastItemFile(of: SmallFile(itemFileOf: id, in: folder, seen: nil))
        }
    }
}
