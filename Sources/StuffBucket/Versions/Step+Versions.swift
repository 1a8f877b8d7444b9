public import Items
public import Time

extension Step {
    /// Gives an item the fields, the tags and the text of one of its versions.
    ///
    /// These stay as they are: `createdAt`, whether the item is in the trash, and the page and the document with their
    /// fields, whose bytes no version holds.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError.refused` if the version or its text is not here, `.conflict` if another program changed the same
    ///   field or the text since `stored` was read; `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func restore(
        _ version: ItemVersion, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        let folder = VersionFolder(of: stored.folder, in: store)
        let found = try folder.existing(version.hash)
        return try session.restore(
            found, text: folder.neededText(of: found, stored.id), in: stored, at: time)
    }
}
