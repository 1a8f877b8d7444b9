public import Items

/// A found item and its folder; small, so that a million fit into memory.
public struct Row: Hashable, Sendable {
    /// The item's id.
    public let id: ItemID
    /// Relative to the library's folder.
    public let folder: String
    /// Whether the item is in the trash.
    public let isTrashed: Bool
}

extension Row {
    init(_ stored: StoredItem) {
        self.init(id: stored.id, folder: stored.folder, isTrashed: stored.item.isTrashed)
    }

    /// The row of a new item: in its own shard, not in the trash.
    public init(_ item: NewItem) { self.init(id: item.id, folder: Layout.itemFolder(item.id), isTrashed: false) }
}
