internal import Files
internal import Items

/// Items of which a person sees nothing: their folders are gone, or hidden.
extension SyncRun {
    /// Names items that came or are written, or whose tombstones came, and that a tombstone hides here though they have what the purge did
    /// not see.
    func noteHidden(_ ids: [ItemID]) throws {
        for id in ids where !report.hidden.contains(id) {
            guard let folder = try ownFolder(of: id), try isHidden(id, in: folder) else { continue }
            report.hidden.append(id)
            report.taken.added.removeAll { $0 == id }
        }
    }

    /// Whether a tombstone counts against an item here, and the purge did not see all of it.
    private func isHidden(_ id: ItemID, in folder: String) throws -> Bool {
        guard let tombstone = (try? store.tombstoneContents(of: id)) ?? nil,
            let glance = (try? store.glance(id, in: folder)) ?? nil
        else { return false }
        return try store.isPurged(glance.stored) && !store.isPurgedWhole(glance, tombstone)
    }

    // MARK: Gone

    /// Items that this device had when it synced last and whose folders are gone, and purged ones that a program brought back.
    ///
    /// Looks only at shards that have fewer items than this device knew. A purge leaves a tombstone.
    func missingItems() throws -> [ItemID] {
        var missing: [ItemID] = []
        let shards = try Set(store.shards().names)
        for shard in try place.knownShards() {
            load(shard)
            let known = known[shard] ?? [:]
            if knownCounts[shard] == known.count { continue }
            var here: Set<ItemID> = []
            let path = Layout.items + "/" + shard
            if shards.contains(shard), try ItemError.denial({ here = try Set(store.shard(shard).ids) }) != nil {
                leave(path, .notReadable)
                continue
            }
            for id in known.keys.sorted() where !here.contains(id) {
                guard try store.root.statusIfPresent(of: Layout.tombstone(id)) == nil,
                    try library.session.folder(of: id) == nil
                else { continue }
                missing.append(id)
            }
        }
        return missing
    }

    /// Whether a purge saw an item as it is, and a program brought it back.
    func isBroughtBack(_ id: ItemID, in folder: String) throws -> Bool {
        guard try store.root.statusIfPresent(of: Layout.tombstone(id)) != nil, let item = try store.item(id, in: folder)
        else { return false }
        return try store.isPurgedElsewhere(item)
    }
}
