public import Items
public import Time

extension Library {
    /// An item in the trash, and when it may be purged.
    public struct TrashedItem: Sendable {
        /// The item as stored.
        public let stored: StoredItem
        /// When it may be purged at the earliest; `nil` if this device sees it in the trash for the first time.
        public let due: Timestamp?

        /// Makes a trashed item; `due` is `nil` if the time is not known yet.
        public init(stored: StoredItem, due: Timestamp?) {
            self.stored = stored
            self.due = due
        }
    }

    /// Items with both trash marks, and when they may be purged.
    ///
    /// - Throws: `ItemError`.
    public func trashed() throws -> [TrashedItem] {
        let log = TrashLog(in: store)
        let request = ItemRequest(.filter(.state(.trashed)), order: .oldest)
        return try find(request).rows.compactMap { row in
            let stored = try item(row)
            guard stored.item.hasBothTrashMarks else { return nil }
            return TrashedItem(stored: stored, due: log.due(stored.item, days: store.settings.purgeDays))
        }
    }

    /// Items that were purged, here or on another device, but still have a folder here.
    ///
    /// - Throws: `ItemError`.
    public func unfinishedPurges() throws -> [StoredItem] {
        try store.tombstones().compactMap { id in
            guard let stored = (try? store.item(id)) ?? nil, try store.isPurged(stored) else { return nil }
            return stored
        }
    }

    /// When an item may be purged at the earliest; `nil` if this device has not seen it in the trash yet.
    public func due(_ item: Item) -> Timestamp? { TrashLog(in: store).due(item, days: store.settings.purgeDays) }

    /// Sets both trash marks of an item.
    ///
    /// - Returns: false if the item had them already.
    func trash(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        if stored.item.hasBothTrashMarks { return false }
        var edit = ItemEdit(base: stored.json)
        edit.trash(at: time)
        let isChanged = try session.update(stored, edit, at: time)
        try? TrashLog.note([stored.id], at: time, in: store)
        return isChanged
    }

    /// Removes both trash marks of an item.
    ///
    /// - Returns: false if it had none.
    func restore(_ stored: StoredItem, at time: Timestamp = .now) throws -> Bool {
        var edit = ItemEdit(base: stored.json)
        edit.restore()
        return try session.update(stored, edit, at: time)
    }
}
