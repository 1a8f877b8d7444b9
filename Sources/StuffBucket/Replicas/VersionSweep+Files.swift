internal import Items
internal import Merge

/// Pages and documents of which one lost: Documentation/Merge.md § 3. history/ does not hold their bytes, so the device that
/// has them keeps them.
extension VersionSweep {
    /// So many earlier joins are looked at, the latest.
    private static let joinLimit = 64

    /// The files that lost in this join, and in those that this device sees for the first time. If another copy is at hand,
    /// in all earlier ones: an interrupted join may have left what it has.
    func losers(_ joined: Joined) throws(ItemError) -> [Merged.Loser] {
        var losers = joined.losers
        let seen = other == nil ? Set(memory.at.flatMap { graph.node(of: $0) }.map(graph.lineage) ?? []) : []
        var places: Set<Int> = []
        for head in graph.heads { places.formUnion(graph.lineage(of: head)) }
        let joins = places.subtracting(seen).filter { graph.versions[$0].parents.count > 1 }
            .sorted { a, b in
                let (one, two) = (graph.versions[a].updatedAt?.milliseconds, graph.versions[b].updatedAt?.milliseconds)
                return (one ?? 0, a) > (two ?? 0, b)
            }
        for place in joins.prefix(Self.joinLimit) {
            let version = try versionFolder.existing(graph.versions[place].name)
            for loser in try graph.joinedParents(of: version, text: text)?.losers ?? [] where !losers.contains(loser) {
                losers.append(loser)
            }
        }
        return losers.filter { $0.unit == .page || $0.unit == .document }
    }

    /// Keeps what is live here and lost: a document beside the winner's place, a page as a snapshot.
    mutating func keepOwn(_ losers: [Merged.Loser]) throws(ItemError) {
        for loser in losers {
            if loser.unit == .page {
                if loser.files.isEmpty || loser.files != live.files.filter({ Component(of: $0) == .page }) { continue }
                // An exchange holds one that is away.
                if loser.files.contains(where: { live.away.contains($0.path) }) { continue }
                if let stored = try store.item(id, in: folder) { try session.keepPage(of: stored, at: now) }
            } else {
                for file in loser.files where live.files.contains(file) {
                    let copy = OtherCopy(store, folder: folder)
                    if let path = try session.keepDocument(file, from: copy, of: id, in: folder) { kept.append(path) }
                }
            }
        }
    }

    /// Keeps what is live in the other copy and lost, as above.
    mutating func keepOther(_ losers: [Merged.Loser]) throws(ItemError) {
        guard let other else { return }
        for loser in losers {
            if loser.unit == .page {
                if loser.files.isEmpty || loser.files != other.live.files.filter({ Component(of: $0) == .page }) {
                    continue
                }
                guard let stored = try store.item(id, in: folder) else { continue }
                try session.keepPage(loser.files, from: other.copy, in: stored, other.json, at: now)
            } else {
                for file in loser.files where other.live.files.contains(file) {
                    if let path = try session.keepDocument(file, from: other.copy, of: id, in: folder) {
                        kept.append(path)
                    }
                }
            }
        }
    }

    /// Makes the page and the document of a state live, from the other copy, where it has them.
    mutating func bringFiles(_ state: ItemState, _ hashes: StateHashes) throws(ItemError) {
        guard let other else { return }
        var isChanged = false
        for component in [Component.page, .document] {
            let value = hashes[component], now = live.hashes[component]
            if value == now || value == nil || value != other.live.hashes[component] { continue }
            // What no version has is not replaced.
            if let now, graph.versions(with: component, now, isCounting: true).isEmpty { continue }
            let files = state.files.filter { Component(of: $0) == component }
            if try bring(component, files, from: other) { isChanged = true }
        }
        guard isChanged, let now = try store.live(id, in: folder, known: memory.files) else { return }
        live = now
        memory.files = now.knownFiles
    }

    /// - Returns: false if the files are not there.
    private func bring(
        _ component: Component, _ files: [Version.File], from other: OtherState
    ) throws(ItemError) -> Bool {
        if component == .page {
            guard let stored = try store.item(id, in: folder) else { return false }
            return try session.bringPage(files, from: other.copy, in: stored, at: now)
        }
        guard files.count == 1 else { return false }
        let old = live.files.first { Component(of: $0) == .document }
        let seen = old.flatMap { file in live.statuses[file.path].map { (file, $0) } }
        return try session.bringDocument(files[0], from: other.copy, replacing: seen, of: id, in: folder)
    }
}
