internal import Files
internal import Items

/// Second names of versions and texts, `.sbfs/known/<shard>/<id>.<hash>.json` and `.md`: somebody may delete an item's history/, and a
/// power cut may empty a file in it. DeviceFiles.md § D10.
extension KnownStates {
    /// Gives versions and texts of an item second names, where they have none. One that cannot be kept stops nothing.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    func keepHistory(
        _ versions: [Items.ContentHash], _ texts: some Sequence<Items.ContentHash>, of id: ItemID, in folder: String,
        _ store: ItemStore
    ) {
        guard let history = try? store.root.directory(folder + "/" + Layout.history), let shard = try? shard(of: id)
        else { return }
        for name in versions.map({ $0.hex + ".json" }) + texts.map({ $0.hex + ".md" }) {
            try? history.keep(name, in: shard, as: "\(id).\(name)")
        }
    }

    /// Removes the second name of a version or a text.
    ///
    /// - Parameter name: that in history/.
    func forgetHistory(_ name: String, of id: ItemID) {
        try? directory.directory(Layout.known + "/" + id.shard).removeFile("\(id).\(name)")
    }

    /// A version that history/ lacks; `nil` if it is not kept, or was damaged with the one in history/.
    func keptVersion(_ name: Items.ContentHash, of id: ItemID) -> Version? {
        keptFile(name.hex + ".json", of: id, limit: Version.byteLimit).flatMap { try? Version(name: name, bytes: $0) }
    }

    /// A text that history/ lacks; `nil` if it is not kept, or was damaged with the one in history/.
    func keptText(_ hash: Items.ContentHash, of id: ItemID) -> [UInt8]? {
        keptFile(hash.hex + ".md", of: id, limit: Layout.textByteLimit).flatMap {
            Items.ContentHash(of: $0) == hash ? $0 : nil
        }
    }

    /// Gives conflicts of an item second names, where they have none. One that cannot be kept stops nothing.
    ///
    /// - Parameters:
    ///   - names: those in conflicts/.
    ///   - folder: the item's, relative to the library's.
    func keepConflicts(_ names: [String], of id: ItemID, in folder: String, _ store: ItemStore) {
        guard !names.isEmpty, let source = try? store.root.directory(folder + "/" + Layout.conflicts),
            let shard = try? shard(of: id)
        else { return }
        for name in names { try? source.keep(name, in: shard, as: "\(id).\(name)") }
    }

    /// The bytes of a conflict that conflicts/ lacks; `nil` if it is not kept, or damaged. Of a whole version of a file, nothing tells damage.
    func keptConflict(_ name: String, of id: ItemID) -> [UInt8]? {
        let bytes = keptFile(name, of: id, limit: ConflictFile.byteLimit)
        if !ConflictFile.isName(name.utf8) { return bytes }
        return bytes.flatMap { try? ConflictFile(name: name, bytes: $0).bytes }
    }

    private func keptFile(_ name: String, of id: ItemID, limit: Int) -> [UInt8]? {
        (try? directory.contentsIfPresent(of: "\(Layout.known)/\(id.shard)/\(id).\(name)", limit: limit))??.bytes
    }

    /// Forgets items that are gone and were purged. What was edited here and the purge did not see stays, and a notice names it.
    func forgetPurged(_ ids: [ItemID], in store: ItemStore) {
        let seen = ids.filter { id in
            guard let tombstone = (try? store.tombstoneContents(of: id)) ?? nil else { return false }
            guard let version = unseenVersion(of: id, by: tombstone) else { return true }
            let kept = "\(Layout.device)/\(Layout.known)/\(id.shard)/\(id).\(version.hex).json"
            let hasFolder = !store.isKnownGone(id)
            store.tell(.purgedUnseen(id, kept: kept, hasFolder: hasFolder))
            return false
        }
        forget(seen)
    }

    /// The last state known here, if a purge elsewhere did not see it. A join of versions that it saw has nothing else.
    private func unseenVersion(of id: ItemID, by tombstone: Tombstone) -> Items.ContentHash? {
        guard !tombstone.listsNothing, let at = read(id).at, !tombstone.versions.contains(at),
            let version = keptVersion(at, of: id),
            version.parents.count < 2 || !tombstone.versions.isSuperset(of: version.parents)
        else { return nil }
        let content = VersionOutline(version).content
        let isSeen = Component.allCases.compactMap { content[$0] }.allSatisfy(tombstone.hashes.contains)
        return isSeen ? nil : at
    }
}
