internal import Files
internal import JSONFormat
package import Time

/// Which items were purged: FORMAT.md § Trash and tombstones.
extension ItemStore {
    /// Whether a tombstone hides an item.
    ///
    /// A tombstone counts only if the item still has both trash marks, and the purge found its item.json and its text. So
    /// an item that was restored or edited on another device stays.
    package func isPurged(_ stored: StoredItem) throws(ItemError) -> Bool {
        // A tombstone that cannot be read hides nothing; `check` names it.
        guard stored.item.hasBothTrashMarks, let tombstone = (try? tombstoneContents(of: stored.id)) ?? nil,
            tombstone.purgedAt != nil
        else { return false }
        if tombstone.listsNothing { return tombstone.isLater(than: stored) }
        guard tombstone.hashes.contains(StateHashes.item(stored.json)) else { return false }
        if stored.text == nil { return true }
        let text = try files { () throws(FileError) in
            try root.contentsIfPresent(of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
        }
        return text.map { tombstone.hashes.contains(ContentHash(of: $0.bytes)) } ?? true
    }

    /// Whether a tombstone hides an item, and the purge saw all of it: nothing is lost if it goes.
    package func isPurgedWhole(_ glance: ItemGlance, _ tombstone: Tombstone) throws(ItemError) -> Bool {
        guard try isPurged(glance.stored), try tombstone.purges(glance, in: self) else { return false }
        let tree = try tree(of: glance.stored)
        if tree.hasConflictCopy || tree.hasEntry(below: Layout.conflicts) { return false }
        return try files { () throws(FileError) in
            // Files of a person, and documents beside the one of the item, are in no tombstone.
            let item = try root.directory(glance.folder)
            let isAllKnown = try item.entries().allSatisfy { entry in
                guard let name = entry.name.string else { return false }
                return Layout.isFile(ofItem: name) != nil || Layout.isTemporary(name) || name.hasPrefix("favicon.")
            }
            guard isAllKnown, try item.statusIfPresent(of: Layout.document)?.kind == .directory else {
                return isAllKnown
            }
            return try item.directory(Layout.document).entries().allSatisfy { entry in
                entry.name.string.map { glance.statuses[Layout.document + "/" + $0] != nil } ?? false
            }
        }
    }

    /// Whether an item is as a purge saw it, and not hidden: it was purged in another copy before this one had it in the trash, or
    /// before a program brought it back.
    package func isPurgedElsewhere(_ stored: StoredItem) throws(ItemError) -> Bool {
        guard let tombstone = try tombstoneContents(of: stored.id), !tombstone.listsNothing, try !isPurged(stored),
            let glance = try glance(stored.id, in: stored.folder)
        else { return false }
        return try tombstone.purges(glance, in: self)
    }

    /// The ids with both a tombstone and a folder.
    package func tombstones() throws(ItemError) -> [ItemID] {
        var found: [ItemID] = []
        for id in try tombstoneIDs() {
            let status = try files { () throws(FileError) in try root.statusIfPresent(of: Layout.itemFolder(id)) }
            if status != nil { found.append(id) }
        }
        return found
    }

    /// The ids of all tombstones, in no order.
    package func tombstoneIDs() throws(ItemError) -> [ItemID] {
        try files { () throws(FileError) -> [ItemID] in
            guard try root.statusIfPresent(of: Layout.tombstones)?.kind == .directory else { return [] }
            let folder = try root.directory(Layout.tombstones)
            var ids: [ItemID] = []
            for shard in try folder.entries() where shard.kind == .directory {
                guard let name = shard.name.string, Layout.isShard(name) else { continue }
                for entry in try folder.directory(name).entries() {
                    guard let file = entry.name.string, file.hasSuffix(".json"),
                        let id = ItemID(String(file.dropLast(5))), id.shard == name
                    else { continue }
                    ids.append(id)
                }
            }
            return ids
        }
    }

    /// When an item was purged, or `nil`.
    package func tombstone(of id: ItemID) throws(ItemError) -> Timestamp? { try tombstoneContents(of: id)?.purgedAt }

    /// The tombstone of an item, or `nil`.
    ///
    /// - Throws: `ItemError.malformed` if it does not parse.
    package func tombstoneContents(of id: ItemID) throws(ItemError) -> Tombstone? {
        let path = Layout.tombstone(id)
        let contents = try files { () throws(FileError) in
            try root.contentsIfPresent(of: path, limit: Tombstone.byteLimit)
        }
        guard let contents else { return nil }
        do throws(JSONError) {
            return try Tombstone(contents.bytes)
        } catch {
            throw .malformed(path: root.full(path), error)
        }
    }

    /// Versions that a purge removed here, and that do not come again: what came from them counts without them. One whose text
    /// the purge removed does not count itself.
    ///
    /// - Parameters:
    ///   - outlines: the versions that are here.
    ///   - texts: the hashes of the texts that are here.
    package func purgedVersions(
        of id: ItemID, _ outlines: [VersionOutline], _ texts: Set<ContentHash>
    ) -> Set<ContentHash> {
        guard let tombstone = (try? tombstoneContents(of: id)) ?? nil else { return [] }
        let lacking = outlines.filter { outline in
            outline.text.map { !texts.contains($0) && tombstone.hashes.contains($0) } ?? false
        }
        return tombstone.versions.union(lacking.map(\.name))
    }
}
