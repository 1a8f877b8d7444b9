internal import Items

/// A thin replica: what packs brought goes once it is joined. Documentation/Exchange.md § 9.
extension SyncRun {
    /// So many items share two calls of syncfs.
    private static let thinGroup = 256

    /// The files of the page and the document that are in the item's folder, but not those of a page or a document that an interrupted
    /// join brought: these stay.
    func filesHere(_ own: PackedState) -> Set<Version.File> {
        let away = Set((store.awayRecord(of: own.id)?.all ?? []).map(\.file))
        let arriving = memory.arriving[own.id] ?? []
        return Self.parts(own).filter { !arriving.contains($0.key) }.values.reduce(into: []) { files, part in
            files.formUnion(part.filter { !away.contains($0) })
        }
    }

    /// The files of the page and of the document of a state, by the hash of their list (`StateHashes`).
    private static func parts(_ state: PackedState) -> [Items.ContentHash: [Version.File]] {
        let own = Set(state.ownFiles.keys)
        let files = state.files.filter { !own.contains(Array($0.path.utf8)) }.map(\.version)
        var parts: [Items.ContentHash: [Version.File]] = [:]
        // Snapshots are no part of the page: a join adds some.
        for part in [state.files(ofBundle: "").map(\.version), files.filter { Component(of: $0) == .document }] {
            if let hash = StateHashes.hash(part) { parts[hash] = part }
        }
        return parts
    }

    /// Notes which pages and documents a batch is about to bring, before it is joined: a join may be interrupted.
    func noteArriving(_ states: [PackedState], besides here: [ItemID: Set<Version.File>]) throws {
        let before = memory.arriving
        for state in states {
            let here = here[state.id] ?? []
            let parts = Self.parts(state).filter { !here.isSuperset(of: $0.value) }.keys
            if !parts.isEmpty { memory.arriving[state.id, default: []].formUnion(parts) }
        }
        if memory.arriving != before { try place.write(memory) }
    }

    /// Notes which pages and documents of an item come back to a thin replica for a join.
    func noteArriving(_ parts: [[AwayFiles.File]], of id: ItemID) throws {
        let before = memory.arriving
        memory.arriving[id, default: []].formUnion(parts.compactMap { StateHashes.hash($0.map(\.file)) })
        if memory.arriving != before { try place.write(memory) }
    }

    /// Drops what came, but leaves the files of items that the person keeps here. What a fault left here goes with the next sync.
    func makeThin(_ ids: [ItemID], besides here: [ItemID: Set<Version.File>] = [:]) throws {
        let session = WriteSession(beside: library.session)
        let items = try ids.compactMap { id -> ThinItem? in
            guard let folder = try ownFolder(of: id), store.awayRecord(of: id)?.isKept != true else { return nil }
            return ThinItem(id: id, folder: folder, stays: here[id] ?? [])
        }
        for start in stride(from: 0, to: items.count, by: Self.thinGroup) {
            let (gone, left) = try drop(Array(items[start..<min(start + Self.thinGroup, items.count)]), session)
            for id in gone {
                guard let own = try? ownState(id), known(of: id)?.content == own.state.contentHash else { continue }
                remember(own.state, look: own.look)
            }
            faulted.formUnion(left)
        }
        for id in ids where !faulted.contains(id) { memory.arriving[id] = nil }
    }

    /// Drops what a fault of an earlier sync left here. An item that is not joined whole stays as it is.
    func makeLeftThin() throws {
        if !folder.isThin { return }
        var here: [ItemID: Set<Version.File>] = [:]
        for id in memory.arriving.keys where !faulted.contains(id) && !unjoined.contains(id) {
            guard let own = try ownState(id) else {
                memory.arriving[id] = nil
                continue
            }
            if known(of: id)?.content == own.state.contentHash { here[id] = filesHere(own.state) }
        }
        try makeThin(here.keys.sorted(), besides: here)
    }
}

/// An item of which files go from a thin replica.
struct ThinItem {
    let id: ItemID
    let folder: String
    /// Files that do not go.
    let stays: Set<Version.File>
}
