package import Files

/// Where items are stored.
extension ItemStore {
    /// The contents of one shard folder.
    package struct Shard: Sendable {
        package var ids: [ItemID] = []
        /// Entries that are no items: not a folder, or not named by a lower-case UUID.
        package var strays: [DirectoryEntry] = []
    }

    /// The shards that exist, in order, and the other entries of items/.
    package func shards() throws(ItemError) -> (names: [String], strays: [DirectoryEntry]) {
        let entries = try files { () throws(FileError) -> [DirectoryEntry] in
            // The folder is missing if git cloned an empty library and it cannot be written.
            if try root.statusIfPresent(of: Layout.items) == nil { return [] }
            return try root.directory(Layout.items).entries()
        }
        let names = entries.filter { $0.kind == .directory }.compactMap(\.name.string).filter(Layout.isShard)
        let strays = entries.filter { $0.kind != .directory || !($0.name.string.map(Layout.isShard) ?? false) }
        return (names.sorted(), strays)
    }

    /// The items of one shard in the order of their ids, including items that belong to another shard.
    package func shard(_ name: String) throws(ItemError) -> Shard {
        var shard = Shard()
        for entry in try files({ () throws(FileError) in try root.directory(Layout.items + "/" + name).entries() }) {
            if entry.kind == .directory, let id = ItemID(utf8: entry.name.bytes),
                !entry.name.bytes.contains(where: { $0 >= 0x41 && $0 <= 0x46 })
            {
                shard.ids.append(id)
            } else {
                shard.strays.append(entry)
            }
        }
        shard.ids.sort()
        return shard
    }

    /// The folder of an item: in its own shard, else in another one, for which all shards are asked.
    ///
    /// - Parameter misplaced: as for `folders`.
    package func folder(of id: ItemID, misplaced: Set<ItemID>? = nil) throws(ItemError) -> String? {
        if try hasOwnFolder(id) { return Layout.itemFolder(id) }
        return try folders(of: id, misplaced: misplaced).first
    }

    /// Whether no shard has a folder of an item. `false` also if nobody can tell, because a shard may not be read.
    package func isKnownGone(_ id: ItemID) -> Bool {
        do throws(ItemError) { return try folder(of: id) == nil } catch { return false }
    }

    private func hasOwnFolder(_ id: ItemID) throws(ItemError) -> Bool {
        try files { () throws(FileError) in try root.statusIfPresent(of: Layout.itemFolder(id)) }?.kind == .directory
    }

    /// Whether this folder of an item counts. A copy in a wrong shard does not count if the item's own shard has one.
    package func isCounted(_ id: ItemID, inShard shard: UInt8) throws(ItemError) -> Bool {
        if id.shardNumber == shard { return true }
        return try folder(of: id) == Layout.itemFolder(id, shard: shard)
    }

    /// All folders named after an item, its own shard first. More than one is a fault that `check` names.
    ///
    /// - Parameter misplaced: all items with a folder in a shard that is not their own, if known.
    package func folders(of id: ItemID, misplaced: Set<ItemID>? = nil) throws(ItemError) -> [String] {
        let own = Layout.itemFolder(id)
        let isOwn = try hasOwnFolder(id)
        if let misplaced, !misplaced.contains(id) { return isOwn ? [own] : [] }
        // Only shards that are folders: a symbolic link holds no items, and `check` names it.
        let others = try shards().names.filter { $0 != id.shard }.map { Layout.items + "/" + $0 + "/" + id.description }
        return try files { () throws(FileError) in
            var folders = isOwn ? [own] : []
            for folder in others {
                do throws(FileError) {
                    if try root.statusOfKnownPath(folder)?.kind == .directory { folders.append(folder) }
                } catch {
                    // Nobody knows what a shard holds that may not be read.
                    if !error.isDenied { throw error }
                }
            }
            return folders
        }
    }
}
