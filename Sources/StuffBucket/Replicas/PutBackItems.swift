internal import Files
internal import Items

/// Items of which another program put an earlier state back since the last sync, perhaps with their whole folder: an empty file
/// `.sbfs/put-back/<id>` for each. DeviceFiles.md § D12.
///
/// Nobody removed the person's own files that such a folder lacks: Documentation/Exchange.md § 7.
struct PutBackItems: ~Copyable {
    private let directory: Directory

    /// - Returns: `nil` if the library cannot be written, or was never synced with an exchange.
    init?(_ store: ItemStore) {
        guard let directory = try? store.device?.directory.duplicate(),
            (try? directory.statusIfPresent(of: Layout.sync)) ?? nil != nil
        else { return nil }
        self.directory = directory
    }

    /// Adds items. What cannot be noted is doubted by the time of item.json alone.
    func note(_ ids: [ItemID]) {
        if ids.isEmpty { return }
        guard (try? directory.makeDirectory(Layout.putBack)) != nil,
            let folder = try? directory.directory(Layout.putBack)
        else { return }
        for id in ids { try? folder.writeFile(id.description, []) }
    }

    func read() throws(FileError) -> Set<ItemID> {
        guard try directory.statusIfPresent(of: Layout.putBack)?.kind == .directory else { return [] }
        return Set(
            try directory.directory(Layout.putBack).entries().compactMap { $0.name.string.flatMap { ItemID($0) } })
    }

    func remove(_ ids: Set<ItemID>) throws(FileError) {
        if ids.isEmpty { return }
        do throws(FileError) {
            let folder = try directory.directory(Layout.putBack)
            for id in ids.sorted() where try folder.statusIfPresent(of: id.description) != nil {
                try folder.removeFile(id.description)
            }
        } catch {
            // A run may meet an item twice, and has removed its file then.
            if !error.isAbsent { throw error }
        }
    }
}
