internal import Files
internal import Glibc
internal import JSONFormat
package import Time

extension WriteSession {
    /// Removes a trashed item permanently: FORMAT.md § Trash and tombstones.
    ///
    /// The tombstone is durable before anything is removed. Then the folder is moved out of the library in one
    /// rename, checked again, and deleted.
    ///
    /// - Parameters:
    ///   - seen: the folder's contents when the purge was decided; `nil` for the current ones.
    ///   - synced: what this device had of the item when it synced last: `Tombstone.hashes`.
    /// - Throws: `ItemError.refused` unless both trash marks are set; `.conflict` if anything in the folder was
    ///   changed or added since; then it stays as it is.
    package func purge(
        _ stored: StoredItem, seen: ItemTree? = nil, synced: Set<ContentHash> = [], at time: Timestamp = .now
    ) throws(ItemError) {
        guard stored.item.hasBothTrashMarks else {
            throw .notInTrash(stored.id, hasOneMark: stored.item.isTrashed)
        }
        var tombstone = Tombstone(of: stored, in: store, at: time)
        tombstone.hashes.formUnion(synced)
        try remove(stored, seen: seen, tombstone)
    }

    /// Removes an item that another device purged, in a state that its tombstone lists. Needs no trash marks.
    ///
    /// - Throws: as `purge`.
    package func purgeAgain(_ stored: StoredItem, _ tombstone: Tombstone) throws(ItemError) {
        let own = try store.tombstoneContents(of: stored.id)
        try remove(stored, seen: nil, own.map { tombstone.united(with: $0) } ?? tombstone)
    }

    /// Keeps what another device says of an item that it purged, and that is not here.
    package func keepTombstone(_ tombstone: Tombstone, of id: ItemID) throws(ItemError) {
        let own = try store.tombstoneContents(of: id)
        let united = own.map { tombstone.united(with: $0) } ?? tombstone
        if united == own { return }
        let staging = try staging()
        try locked { () throws(ItemError) in try write(united, of: id, staging) }
    }

    private func remove(_ stored: StoredItem, seen: ItemTree?, _ tombstone: Tombstone) throws(ItemError) {
        try refuseDoubles(stored)
        let staging = try staging()
        let moved = stored.id.description + Self.purgedSuffix
        let now = try store.tree(of: stored)
        let seen = seen ?? now
        let mark = try journal { .lasting(stored.id, .purge) }
        var isPurged = false
        var isInPlace = false
        defer { if !isPurged { void(mark) } }
        try locked { () throws(ItemError) in
            guard try isUnchanged(stored, seen, in: stored.folder, of: store.root) else {
                throw .conflict(id: stored.id, what: "the item", kept: nil)
            }
            try write(tombstone, of: stored.id, staging)
            let shard = stored.folder.split(separator: "/").dropLast().joined(separator: "/")
            do throws(FileError) {
                let folder = try store.root.directory(shard)
                do throws(FileError) {
                    try folder.move(stored.id.description, to: staging.directory, as: moved, .refuse)
                } catch let error where error.number == EXDEV {
                    // A folder of a lower layer (overlayfs) cannot be renamed.
                    isInPlace = true
                }
                try folder.sync()
            } catch {
                // A tombstone must not hide an item that stays.
                if (try? store.root.statusIfPresent(of: stored.folder)) != nil { try? removeTombstone(stored.id) }
                throw .file(error)
            }
            if isInPlace {
                guard try isUnchanged(stored, seen, in: stored.folder, of: store.root) else {
                    try files { () throws(FileError) in try removeTombstone(stored.id) }
                    throw .conflict(id: stored.id, what: "the item", kept: nil)
                }
                try files { () throws(FileError) in try removeInPlace(stored.id, in: store.root.directory(shard)) }
            } else if try !isUnchanged(stored, seen, in: moved, of: staging.directory) {
                // An editor saved meanwhile, so the item stays.
                try files { () throws(FileError) in
                    let folder = try store.root.directory(shard)
                    try staging.directory.move(moved, to: folder, as: stored.id.description)
                    try folder.sync()
                    try removeTombstone(stored.id)
                }
                throw .conflict(id: stored.id, what: "the item", kept: nil)
            }
        }
        isPurged = true
        noteChange(stored.id)
        forgetAway(of: stored.id)
        if isInPlace { return }
        // This name marks it for removal. If the removal fails here, the next command completes it.
        let condemned = Self.keptPrefix + moved
        try? staging.directory.replace(moved, to: staging.directory, as: condemned)
        try? staging.directory.removeTree(condemned)
    }

    /// Removes an item's folder in place, item.json last: until then the tombstone hides it, and the next purge
    /// continues.
    private func removeInPlace(_ id: ItemID, in shard: borrowing Directory) throws(FileError) {
        let item = try shard.directory(id.description)
        for entry in try item.entries() where entry.name.string.map({ $0 != Layout.itemFile }) ?? false {
            if let name = entry.name.string { try item.removeTree(name) }
        }
        try shard.removeTree(id.description)
        try shard.sync()
    }

    private func removeTombstone(_ id: ItemID) throws(FileError) {
        try store.root.directory(Layout.tombstones + "/" + id.shard).removeFile(id.description + ".json")
    }

    private func isUnchanged(
        _ stored: StoredItem, _ seen: ItemTree, in folder: String, of parent: borrowing Directory
    ) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let item = try parent.directory(folder)
            let file = try item.contentsIfPresent(of: Layout.itemFile, limit: JSONDocument.byteLimit)
            let tree = try ItemTree(of: item)
            guard file?.bytes == stored.json.bytes, tree == seen else { return false }
            // `stored` may have been read before the tree.
            if try item.statusIfPresent(of: Layout.textFile)?.modified != stored.text?.modified { return false }
            guard let document = stored.document else { return true }
            let now = try item.statusIfPresent(of: document.path)
            return now?.modified == document.status.modified
        }
    }

    private func write(_ tombstone: Tombstone, of id: ItemID, _ staging: StagingFolder) throws(ItemError) {
        let bytes = tombstone.bytes(of: id)
        let temporary = Self.keptPrefix + id.description + ".tombstone"
        try files { () throws(FileError) in
            let shard = Layout.tombstones + "/" + id.shard
            if try store.root.makeDirectory(shard) { try store.root.directory(Layout.tombstones).sync() }
            let folder = try store.root.directory(shard)
            try staging.directory.writeFile(temporary, bytes)
            do throws(FileError) {
                try staging.directory.replace(temporary, to: folder, as: id.description + ".json")
                try folder.sync()
            } catch {
                try? staging.directory.removeFile(temporary)
                throw error
            }
        }
    }
}
