internal import Items

extension WriteSession {
    /// Removes an item that a copying program brought back beside its tombstone, or that another device purged: Documentation/Merge.md
    /// § 4. It is hidden already. One with anything that the purge did not see stays.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    /// - Returns: whether it is gone.
    func purgeHidden(_ id: ItemID, in folder: String) throws(ItemError) -> Bool {
        guard let tombstone = (try? store.tombstoneContents(of: id)) ?? nil,
            let glance = try store.glance(id, in: folder), try store.isPurgedWhole(glance, tombstone)
        else { return false }
        try purgeAgain(glance.stored, tombstone)
        return true
    }
}
