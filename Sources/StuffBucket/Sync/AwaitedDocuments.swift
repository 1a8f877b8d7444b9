internal import Files
internal import Items

/// Documents that a sync waits for: Documentation/Exchange.md § 7. A command that would replace one is refused, since nobody here saw it.
extension SyncRun {
    func awaits(_ hash: Items.ContentHash) -> Bool {
        memory.unfinished.contains { $0.missing.contains(ExchangeLayout.object(hash, .raw)) }
    }
}

extension Replicas {
    func awaitsDocument(of stored: StoredItem) -> Bool { awaitedDocument(of: stored) != nil }

    /// The hash of the document that a sync waits for; `nil` if it waits for none.
    func awaitedDocument(of stored: StoredItem) -> Items.ContentHash? {
        let exchanges = (try? SyncFolder.all(store)) ?? []
        let awaited = Set(exchanges.flatMap { $0.memory()?.unfinished.flatMap(\.missing) ?? [] })
        if awaited.isEmpty { return nil }
        var hashes = Set([stored.item.documentSHA256.flatMap { Items.ContentHash(hex: $0.utf8) }].compactMap(\.self))
        // An editor may have changed it since sbfs stored it: the last versions tell.
        let folder = VersionFolder(of: stored.folder, in: store), versions = (try? folder.list().outlines) ?? []
        for head in versions.heads {
            let files = (try? folder.existing(head.name).files) ?? []
            hashes.formUnion(files.filter { Component(of: $0) == .document }.map(\.sha256))
        }
        hashes = hashes.filter { awaited.contains(ExchangeLayout.object($0, .raw)) }
        guard let found = hashes.min() else { return nil }
        guard let live = (try? store.live(stored.id, in: stored.folder)) ?? nil else { return found }
        return live.files.contains { hashes.contains($0.sha256) } ? nil : found
    }
}
