internal import Items
internal import Merge

/// A page or a document that is saved while that of the last state known is not here: nobody here saw that one, so the new one does not come from it.
/// Documentation/Merge.md § 2.
extension VersionSweep {
    /// Notes the document on the version whose document was here, else as that of a first version.
    ///
    /// - Parameter at: the last state known here.
    /// - Returns: whether a sync waits for the document of that state.
    mutating func noteBesideAwaited(_ at: Items.ContentHash) throws(ItemError) -> Bool {
        if isWorkTree { return false }
        let old = try existing(at), document = livePiece(.document)
        guard let awaited = awaitedDocument(of: old) else { return false }
        if !old.files.contains(awaited) {
            // A first version may lack the document as it was stored.
            try note([.document: .files([awaited])], on: at)
            try note([.document: document], on: at)
            return true
        }
        if let parent = leftVersion(.document, before: at) {
            try note([.document: document], on: parent)
            return true
        }
        let files =
            old.files.filter { Component(of: $0) != .document } + live.files.filter { Component(of: $0) == .document }
        let version = Version(
            parents: [], item: old.item, text: old.text,
            files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
        try note(version, text: nil)
        return true
    }

    /// The document of a version, if a sync waits for it.
    private func awaitedDocument(of version: Version) -> Version.File? {
        for exchange in (try? SyncFolder.all(store)) ?? [] {
            guard let memory = exchange.memory(), !memory.awaited.isEmpty else { continue }
            let recorded = version.files.first { Component(of: $0) == .document }
            if let recorded {
                if memory.awaits(recorded.sha256) { return recorded }
                continue
            }
            guard let hash = LiveState.documentHash(in: version.item), memory.awaits(hash) else { continue }
            let files = exchange.states(id.shard)[id]?.files ?? []
            if let file = files.first(where: { $0.sha256 == hash && PackedState.isDocument($0.path) }) {
                return file.version
            }
        }
        return nil
    }

    /// The version of the page or the document that stayed here because its successor is not here: nobody here saw that one.
    func leftVersion(_ component: Component, before at: Items.ContentHash) -> Items.ContentHash? {
        if isWorkTree { return nil }
        let left = memory.showing[component].map { graph.versions(with: component, $0) } ?? []
        return left.filter { graph.isAncestor($0, of: at) }.max { depth($0) < depth($1) }
    }
}
