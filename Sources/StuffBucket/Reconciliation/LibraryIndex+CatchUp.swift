internal import Items
internal import Search

extension LibraryIndex {
    /// Above this number of rows, they are not compared one by one.
    static let showLimit = 5000

    /// Compares items that are about to be shown with their files, and updates the index for those that changed.
    ///
    /// - Returns: whether the index was right about all of them.
    func catchUp(_ rows: [Row]) throws -> Bool {
        if rows.count > Self.showLimit { return false }
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return true }
        var changed: [ItemID] = []
        for row in rows {
            let path = ItemPath(prefix: String(row.folder.dropLast(36)))
            path.set(row.id)
            let isSame = try snapshot.stored(DocumentKey(row.id))?.withUnsafeBytes { bytes -> Bool in
                guard let record = ItemRecordView(bytes), case .same = try record.compare(store.root, path) else {
                    return false
                }
                return true
            }
            if isSame == false { changed.append(row.id) }
        }
        if changed.isEmpty { return true }
        return try !refresh(changed, in: folder, patience: .milliseconds(500))
    }
}
