internal import Files
internal import JSONFormat
package import Time

/// Which items were purged: FORMAT.md § Trash and tombstones.
extension ItemStore {
    /// Whether a tombstone hides an item.
    ///
    /// A tombstone counts only if the item still has both trash marks and was not changed after the purge. So an item
    /// that was restored on another device stays.
    package func isPurged(_ stored: StoredItem) throws(ItemError) -> Bool {
        // A tombstone that cannot be read hides nothing; `check` names it.
        guard stored.item.hasBothTrashMarks, let tombstone = (try? tombstone(of: stored.id)) ?? nil else {
            return false
        }
        return stored.effectiveUpdatedAt <= tombstone
    }

    /// The ids with both a tombstone and a folder.
    package func tombstones() throws(ItemError) -> [ItemID] {
        try files { () throws(FileError) -> [ItemID] in
            guard try root.statusIfPresent(of: Layout.tombstones)?.kind == .directory else { return [] }
            let folder = try root.directory(Layout.tombstones)
            var ids: [ItemID] = []
            for shard in try folder.entries() where shard.kind == .directory {
                guard let name = shard.name.string, Layout.isShard(name) else { continue }
                for entry in try folder.directory(name).entries() {
                    guard let file = entry.name.string, file.hasSuffix(".json"),
                        let id = ItemID(String(file.dropLast(5))),
                        try root.statusIfPresent(of: Layout.itemFolder(id)) != nil
                    else { continue }
                    ids.append(id)
                }
            }
            return ids
        }
    }

    /// When an item was purged, or `nil`.
    package func tombstone(of id: ItemID) throws(ItemError) -> Timestamp? {
        let path = Layout.tombstone(id)
        let contents = try files { () throws(FileError) in
            try root.contentsIfPresent(of: path, limit: Layout.settingsByteLimit)
        }
        guard let contents else { return nil }
        do throws(JSONError) {
            let json = try JSONDocument(parsing: contents.bytes)
            return json.member("purgedAt", of: json.root).flatMap { json.string($0) }.flatMap(Timestamp.init)
        } catch {
            throw .malformed(path: root.full(path), error)
        }
    }
}
