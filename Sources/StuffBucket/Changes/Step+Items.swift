public import Items
public import Time

/// Changes of items. An item is given as it was read: what another program changed since stays, and what both changed is a
/// conflict, of which both versions are kept.
extension Step {
    /// Adds links, texts and documents; one sync for many.
    ///
    /// - Parameters:
    ///   - knownLinks: what to do with a link that the library has.
    ///   - dryRun: whether only to tell what would become of them.
    ///   - additions: what is added.
    ///   - time: when the change counts as made.
    /// - Returns: an outcome for each, in order.
    public func add(
        _ additions: [Addition], knownLinks: Library.KnownLinks = .join, dryRun: Bool = false, at time: Timestamp = .now
    ) throws -> [AdditionOutcome] {
        try library.add(additions, knownLinks: knownLinks, dryRun: dryRun, at: time)
    }

    /// Changes fields and tags of an item.
    ///
    /// - Returns: whether anything had to be written.
    @discardableResult
    public func update(_ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp = .now) throws(ItemError) -> Bool {
        let isChanged = try session.update(stored, edit, at: time)
        if edit.isTrashing { try? TrashLog.note([stored.id], at: time, in: store) }
        return isChanged
    }

    /// Changes many items, several at once.
    ///
    /// - Returns: for each whether anything had to be written, or why it could not be.
    public func update(
        _ changes: [(stored: StoredItem, edit: ItemEdit)], at time: Timestamp = .now
    ) -> [Result<Bool, ItemError>] {
        try? TrashLog.note(changes.filter(\.edit.isTrashing).map(\.stored.id), at: time, in: store)
        return session.update(changes, at: time)
    }

    /// Changes the text of an item.
    ///
    /// - Returns: whether anything had to be written.
    @discardableResult
    public func updateText(
        _ stored: StoredItem, _ change: TextChange, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        try session.updateText(stored, change, at: time)
    }

    /// Takes the text out of an item.
    public func removeText(_ stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try session.removeText(stored, at: time)
    }

    /// Copies a file into an item as its document.
    ///
    /// - Parameters:
    ///   - isReplacing: whether a document that is there is replaced; an error otherwise.
    ///   - path: of the file or folder.
    ///   - stored: the item as it was read.
    ///   - time: when the change counts as made.
    public func attach(
        _ path: String, to stored: StoredItem, isReplacing: Bool = false, at time: Timestamp = .now
    ) throws(ItemError) {
        try session.attach(path, to: stored, isReplacing: isReplacing, at: time)
    }

    /// Takes the document out of an item; the journal keeps it.
    public func detachDocument(from stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try session.detachDocument(from: stored, at: time)
    }

    /// Replaces an item.json that does not parse by one that does.
    ///
    /// - Parameters:
    ///   - base: the bytes that were read; another program's later ones are not replaced.
    ///   - bytes: the new item.json.
    ///   - row: the item.
    public func mend(_ row: Row, base: [UInt8], with bytes: [UInt8]) throws(ItemError) {
        try session.mend(row.id, in: row.folder, base: base, with: bytes)
    }

    // MARK: Trash

    /// Notes items as seen in the trash now, from when on their days count.
    public func noteTrashed(_ ids: [ItemID], at time: Timestamp = .now) throws(ItemError) {
        try TrashLog.note(ids, at: time, in: store)
    }

    /// Puts an item into the trash.
    ///
    /// - Returns: false if it was there already.
    @discardableResult
    public func trash(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        try library.trash(stored, at: time)
    }

    /// Takes an item out of the trash.
    ///
    /// - Returns: false if it was not there.
    @discardableResult
    public func restore(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        try library.restore(stored, at: time)
    }

    /// Permanently removes an item of the trash. Nothing brings it back.
    ///
    /// - Parameters:
    ///   - tree: the item's files as the person was shown them; what changed since is an error.
    ///   - time: when the change counts as made.
    ///   - stored: the item as it was read.
    public func purge(_ stored: StoredItem, seen tree: ItemTree? = nil, at time: Timestamp = .now) throws(ItemError) {
        try session.purge(stored, seen: tree, at: time)
    }

    // MARK: Care

    /// Makes a repair that `check` offers.
    ///
    /// - Returns: what was done, as a sentence.
    public func repair(_ repair: Finding.Repair) throws(ItemError) -> String { try session.repair(repair) }
}
