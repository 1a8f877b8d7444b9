internal import Files
internal import Items

/// Documents and saved pages that a sync waits for: Documentation/Exchange.md § 7. A command that would replace one is refused, since nobody
/// here saw it.
extension SyncMemory {
    /// What the packs that were taken lack, and what was awaited where they were written: paths in the exchange.
    var awaited: Set<String> {
        Set(unfinished.flatMap(\.missing)).union(outdated.values.map { ExchangeLayout.object($0, .raw) })
    }

    func awaits(_ hash: Items.ContentHash) -> Bool { awaited.contains(ExchangeLayout.object(hash, .raw)) }
}

extension Library {
    /// The path of a document, relative to the item's folder, that has not arrived while an earlier one is shown in its place; `nil` if there
    /// is none. A sync, or a program that carries the library, brought the news of it first.
    public func awaitedDocument(of stored: StoredItem) -> String? {
        guard KnownStates(store)?.read(stored.id).showing[.document] != nil, replicas.awaitsDocument(of: stored) else {
            return nil
        }
        return stored.item.documentRelativePath ?? stored.document?.path
    }
}

extension Replicas {
    /// Whether the page that an exchange names of an item is one that a sync waits for, and not here.
    func awaitsPage(of stored: StoredItem) -> Bool {
        for exchange in (try? SyncFolder.all(store)) ?? [] {
            let awaited = exchange.memory()?.awaited ?? []
            if awaited.isEmpty { continue }
            guard let state = exchange.states(stored.id.shard)[stored.id],
                let bundle = state.bundles.first(where: \.folder.isEmpty),
                awaited.contains(ExchangeLayout.object(bundle.sha256, .tar))
            else { continue }
            guard let live = (try? store.live(stored.id, in: stored.folder)) ?? nil else { return true }
            let here = Set(live.files)
            if !state.files(ofBundle: "").allSatisfy({ here.contains($0.version) }) { return true }
        }
        return false
    }

    func awaitsDocument(of stored: StoredItem) -> Bool {
        awaitedDocument(of: stored) != nil || !laterDocuments(of: stored).isEmpty
    }

    /// The hashes of the documents that replaced the one that is here and are not here: another program carries the library, and brought
    /// the versions first. Nobody here saw them. What this device recorded as an edit was here.
    func laterDocuments(of stored: StoredItem) -> Set<Items.ContentHash> {
        if isWorkTree { return [] }
        let folder = VersionFolder(of: stored.folder, in: store)
        guard let shown = KnownStates(store)?.read(stored.id).showing[.document],
            let live = (try? store.live(stored.id, in: stored.folder)) ?? nil, live.hashes.document == shown,
            let versions = try? folder.list().outlines, versions.contains(where: { $0.content.document == shown })
        else { return [] }
        let later = Set(versions.heads.map(\.content.document))
        if later.isEmpty || later.contains(nil) || later.contains(shown) { return [] }
        let documents = Dictionary(versions.map { ($0.name, $0.content.document) }) { one, _ in one }
        let wasHere = versions.contains { version in
            let document = version.content.document
            return version.parents.count < 2 && later.contains(document)
                && version.parents.allSatisfy { documents[$0] != document }
                && (try? folder.isWrittenHere(version.name)) ?? false
        }
        if wasHere { return [] }
        let files = versions.heads.flatMap { (try? folder.existing($0.name).files) ?? [] }
        return Set(files.filter { Component(of: $0) == .document }.map(\.sha256))
    }

    /// The hash of the document that a sync waits for; `nil` if it waits for none.
    func awaitedDocument(of stored: StoredItem) -> Items.ContentHash? {
        let exchanges = (try? SyncFolder.all(store)) ?? []
        let awaited = Set(exchanges.flatMap { $0.memory()?.awaited ?? [] })
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
