public import Items
internal import JSONFormat
internal import Merge

extension Library {
    /// The conflicts of an item. Works from a read-only copy.
    ///
    /// - Throws: `ItemError.file` if conflicts/ or the text cannot be read, `.cancelled`. A broken file is a stranger.
    public func conflicts(of stored: StoredItem, _ monitor: Monitor = Monitor()) throws(ItemError) -> ItemConflicts {
        let folder = ConflictFolder(of: stored.folder, in: store)
        let listing = try folder.list(monitor)
        let text = listing.conflicts.contains { $0.field == "text" } ? try store.text(of: stored) : nil
        let members = stored.json.exactMembers(stored.json.root)
        let conflicts = listing.conflicts.map { file in
            ItemConflict(file: file, standing: ConflictField(file).standing(in: members, text))
        }
        return ItemConflicts(
            conflicts: conflicts.sorted { a, b in
                a.field == b.field ? a.name < b.name : a.field.utf8.lexicographicallyPrecedes(b.field.utf8)
            },
            strangers: listing.strangers.map { (folder.path + "/" + $0.name, $0.fault) },
            unreadCount: listing.unreadCount, others: listing.others.map { folder.path + "/" + $0 },
            documents: store.lostDocuments(of: stored).map { stored.folder + "/" + $0 },
            standingDocument: stored.documentName)
    }

    /// The number of files in an item's conflicts/ (conflicts, and whole versions to compare), and of documents that lost.
    /// Lists conflicts/ and document/ if the item had them when it was read.
    public func conflictCount(of stored: StoredItem) -> Int {
        var count = store.lostDocuments(of: stored).count
        guard stored.parts.contains(.conflicts) else { return count }
        try? store.root.directory(stored.folder + "/" + Layout.conflicts).forEachName { _, kind in
            if kind != .directory { count += 1 }
        }
        return count
    }
}
