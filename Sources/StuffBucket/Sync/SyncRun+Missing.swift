internal import Files
internal import Items

/// Items that this device had when it synced last, and whose folders are gone.
extension SyncRun {
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
                    try library.session.folders(of: id).isEmpty
                else { continue }
                missing.append(id)
            }
        }
        return missing
    }
}
