internal import Items

/// An exchange that is limited to a collection.
extension SyncRun {
    /// Whether a changed item is written: one of the collection, and once more one that was taken out of it, so that other devices
    /// learn that. What others wrote is synced on.
    func isWritten(_ id: ItemID, in folder: String) -> Bool {
        if self.folder.collection == nil || isOfCollection(id, in: folder) { return true }
        return state(of: id) != nil && !memory.outside.contains(id)
    }

    /// Remembers which items of the exchange are of the collection now.
    func noteInside() throws {
        if folder.collection == nil {
            memory.inside = nil
            memory.outside = []
        } else if memory.inside == nil {
            memory.inside = []
            noteInside(try Array(heldIDs()))
        }
    }

    /// Remembers which of some items are of the collection, after they were written or taken.
    func noteInside(_ ids: [ItemID]) {
        if folder.collection == nil { return }
        for id in ids {
            let own = (try? library.session.folder(of: id)) ?? nil
            if own.map({ isOfCollection(id, in: $0) }) ?? false {
                memory.inside?.insert(id)
                memory.outside.remove(id)
            } else if memory.inside?.remove(id) != nil {
                memory.outside.insert(id)
            }
        }
    }

    private func isOfCollection(_ id: ItemID, in folder: String) -> Bool {
        guard let wanted = self.folder.collection?.lowercased(),
            let item = (try? store.item(id, in: folder)) ?? nil
        else { return false }
        return item.item.collections.contains { name in
            let name = name.lowercased()
            return name == wanted || name.hasPrefix(wanted + "/")
        }
    }
}
