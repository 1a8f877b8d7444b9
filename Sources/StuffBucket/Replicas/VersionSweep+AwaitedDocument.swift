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

    /// The latest version that came before the document was saved, and whose document a tool had put in the place of that of the last state
    /// known: the person saw that one.
    ///
    /// The second name of the former document tells when a tool, or an editor, took its other name: before the save, it was a tool.
    func versionBroughtBefore(_ at: Items.ContentHash) throws(ItemError) -> Items.ContentHash? {
        let tick: Int64 = 50_000_000
        guard !isWorkTree, other == nil, let here = graph.node(of: at), let saved = live.status(of: .document),
            let former = documentBefore, try existing(at).files.contains(former.file),
            let hash = StateHashes.hash([former.file]),
            let second =
                (try? store.root.statusIfPresent(
                    of: KnownStates.keptFolder(hash, of: id) + "/" + former.file.path)) ?? nil,
            second.inode == former.inode, second.inode != saved.inode, second.changed + tick < saved.modified
        else { return nil }
        let older = Set(graph.lineage(of: here))
        let known = Set(older.map { graph.versions[$0].content.document })
        let brought = graph.counting.filter { place in
            let version = graph.versions[place]
            return !older.contains(place) && version.content.document != nil
                && !known.contains(version.content.document)
                && versionFolder.birth(of: version.name) <= saved.modified / 1_000_000
        }
        let paths = live.paths(of: .document)
        let depths = Dictionary(uniqueKeysWithValues: brought.map { ($0, graph.lineage(of: $0).count) })
        for place in brought.sorted(by: { depths[$0, default: 0] > depths[$1, default: 0] }) {
            let files = try existing(graph.versions[place].name).files.filter { Component(of: $0) == .document }
            if files.map(\.path) == paths { return graph.versions[place].name }
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
