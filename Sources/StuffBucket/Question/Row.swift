package import Items

/// An item that was found, and where; small, so that a million fit into memory.
package struct Row: Hashable, Sendable {
    package let id: ItemID
    /// Relative to the library's folder.
    package let folder: String
    package let isTrashed: Bool
}

extension Row {
    init(_ stored: StoredItem) {
        self.init(id: stored.id, folder: stored.folder, isTrashed: stored.item.isTrashed)
    }

    package init(_ item: NewItem) { self.init(id: item.id, folder: Layout.itemFolder(item.id), isTrashed: false) }
}
