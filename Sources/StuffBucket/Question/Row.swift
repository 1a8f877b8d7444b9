public import Items

/// An item that was found, and where; small, so that a million fit into memory.
public struct Row: Hashable, Sendable {
    public let id: ItemID
    /// Relative to the library's folder.
    public let folder: String
    public let isTrashed: Bool
}

extension Row {
    init(_ stored: StoredItem) {
        self.init(id: stored.id, folder: stored.folder, isTrashed: stored.item.isTrashed)
    }

    public init(_ item: NewItem) { self.init(id: item.id, folder: Layout.itemFolder(item.id), isTrashed: false) }
}
