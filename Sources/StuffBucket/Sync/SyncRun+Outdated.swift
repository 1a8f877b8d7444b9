internal import Items

/// Objects of packs that were taken without them, and that nobody needs any more: Documentation/Exchange.md § 7.
extension SyncRun {
    /// So many later packs of a device are read, the newest first.
    private static let laterPackLimit = 64

    /// Waits no more for documents and bundles that a device replaced: in a later pack it has states of the items that come from those,
    /// and that have others in their places.
    ///
    /// - Parameter devices: those of which this run took packs; of the others nothing is new.
    func forgetOutdatedObjects(of devices: Set<ItemID>) throws {
        var read: [Items.ContentHash: [PackedState]] = [:]
        func states(_ pack: Items.ContentHash) throws -> [PackedState] {
            if let known = read[pack] { return known }
            try monitor.check()
            let states = try unpacked(pack)?.states ?? []
            read[pack] = states
            return states
        }
        for entry in memory.unfinished where devices.contains(entry.device) {
            let objects = entry.missing.filter { $0.hasPrefix(ExchangeLayout.objects + "/") }
            guard !objects.isEmpty, let head = heads[entry.device], let place = head.packs.firstIndex(of: entry.pack)
            else { continue }
            let taken = Set(memory.taken[entry.device] ?? [])
            let later = head.packs[(place + 1)...].filter(taken.contains).suffix(Self.laterPackLimit).reversed()
            if later.isEmpty { continue }
            let lacking = try states(entry.pack).filter { state in objects.contains(where: state.names) }
            var newer: [ItemID: PackedState] = [:]
            for pack in later where newer.count < lacking.count {
                for state in try states(pack)
                where newer[state.id] == nil && lacking.contains(where: { $0.id == state.id }) {
                    newer[state.id] = state
                }
            }
            let outdated = Set(
                objects.filter { path in
                    let named = lacking.filter { $0.names(path) }
                    return !named.isEmpty
                        && named.allSatisfy { state in newer[state.id]?.replaces(path, of: state) ?? false }
                })
            if outdated.isEmpty { continue }
            finish(entry.pack, entry.device, entry.missing.filter { !outdated.contains($0) })
            let still = Set(memory.unfinished.flatMap(\.missing))
            report.left.removeAll { outdated.contains($0.path) && !still.contains($0.path) }
        }
    }
}

extension PackedState {
    /// Whether an object at this path of the exchange holds a file or a bundle of the state.
    fileprivate func names(_ path: String) -> Bool {
        files.contains { $0.isAt(object: path) } || bundles.contains { ExchangeLayout.object($0.sha256, .tar) == path }
    }

    /// Whether this state comes from another one, and has other files in the place of those that an object holds: the document, or the files
    /// of a bundle.
    fileprivate func replaces(_ path: String, of other: PackedState) -> Bool {
        if names(path) || !Set(history).isSuperset(of: other.history) { return false }
        let files = other.files.filter { $0.isAt(object: path) }
        let bundles = other.bundles.filter { ExchangeLayout.object($0.sha256, .tar) == path }
        return files.allSatisfy { file in
            Self.isDocument(file.path) && !other.extras.contains(file.path)
                && self.files.contains { Self.isDocument($0.path) && !extras.contains($0.path) }
        } && bundles.allSatisfy { bundle in self.bundles.contains { $0.folder == bundle.folder } }
    }
}

extension PackedState.File {
    fileprivate func isAt(object path: String) -> Bool {
        [ExchangeLayout.Form.raw, .zip].contains { ExchangeLayout.object(sha256, $0) == path }
    }
}
