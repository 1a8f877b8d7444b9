internal import Files
internal import Items

/// The saved page of an item, as text.
enum SavedPage {
    /// The text of the article, else of the whole page; `nil` if neither was saved or can be read.
    static func text(of stored: StoredItem, in store: ItemStore) -> [UInt8]? {
        for name in [Layout.readerFile, Layout.pageFile] {
            if let page = bytes(stored.folder + "/" + name, in: store) { return VisibleText.of(page) }
        }
        return nil
    }

    private static func bytes(_ path: String, in store: ItemStore) -> [UInt8]? {
        guard let status = (try? store.root.statusOfKnownPath(path)) ?? nil, status.kind == .regular else { return nil }
        // The beginning of a page that is too long is better than nothing.
        do {
            let file = try store.root.file(path)
            return try file.read(at: 0, count: min(status.byteCount, VisibleText.byteLimit))
        } catch {
            return nil
        }
    }
}
