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
            standingDocument: stored.documentName,
            ownFiles: ((try? store.keptOwnFiles(in: stored.folder)) ?? []).map {
                .init(path: $0.lost, standing: $0.standing)
            })
    }

    /// Items, also in the trash, in which a sync of this device kept one of the person's own files twice, in the order of their ids. Such a
    /// file may be gone meanwhile: `conflicts(of:)` looks. No query finds them.
    ///
    /// - Throws: `ItemError.file` if the device's memory of its exchanges cannot be read.
    public func itemsWithKeptOwnFiles() throws(ItemError) -> [ItemID] {
        do {
            var ids: Set<ItemID> = []
            for exchange in try SyncFolder.all(store) {
                for shard in try exchange.knownShards() { ids.formUnion(exchange.states(shard, naming: ".conflict-")) }
            }
            return ids.sorted()
        } catch {
            throw error as? ItemError ?? (error as? FileError).map(ItemError.file) ?? .refused(.other(error))
        }
    }

    /// The conflicts outside the trash, as `conflictCount(of:)` counts them, and the items that have them. Reads these items; one that
    /// cannot be read counts once.
    ///
    /// - Throws: as `find`.
    public func conflictTotals() throws -> (conflicts: Int, items: Int) {
        let rows = try find(ItemRequest(parse("is:conflicted").query)).rows
        let counts = rows.map { row in ((try? item(row)) ?? nil).map { conflictCount(of: $0) } ?? 1 }.filter { $0 > 0 }
        return (counts.reduce(0, +), counts.count)
    }

    /// The number of files in an item's conflicts/ (conflicts, and whole versions to compare), and of lost documents.
    /// Lists conflicts/ and document/ if the item had them when it was read.
    public func conflictCount(of stored: StoredItem) -> Int {
        let count = store.lostDocuments(of: stored).count
        return stored.parts.contains(.conflicts) ? count + ConflictFolder(of: stored.folder, in: store).count() : count
    }
}
