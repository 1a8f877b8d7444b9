internal import Items

/// Objects of packs that were taken without them, and that nobody needs any more.
extension SyncRun {
    /// So many later packs of a device are read, the newest first.
    private static let laterPackLimit = 64

    /// Waits no more for objects that only earlier states of items name: in a later pack, the device that wrote them has states of these
    /// items that come from those, and that do without the objects.
    func forgetOutdatedObjects() throws {
        for entry in memory.unfinished where !entry.missing.isEmpty {
            guard let head = heads[entry.device], let place = head.packs.firstIndex(of: entry.pack),
                let states = try unpacked(entry.pack)?.states
            else { continue }
            let taken = Set(memory.taken[entry.device] ?? [])
            let later = head.packs[(place + 1)...].filter(taken.contains).suffix(Self.laterPackLimit).reversed()
            if later.isEmpty { continue }
            let lacking = states.filter { state in entry.missing.contains(where: state.names) }
            var newer: [ItemID: PackedState] = [:]
            for pack in later where newer.count < lacking.count {
                try monitor.check()
                for state in try unpacked(pack)?.states ?? []
                where newer[state.id] == nil && lacking.contains(where: { $0.id == state.id }) {
                    newer[state.id] = state
                }
            }
            let outdated = Set(
                entry.missing.filter { path in
                    lacking.allSatisfy { state in
                        !state.names(path)
                            || newer[state.id].map { !$0.names(path) && $0.comes(from: state) } ?? false
                    }
                })
            if outdated.isEmpty { continue }
            finish(entry.pack, entry.device, entry.missing.filter { !outdated.contains($0) })
            report.left.removeAll { outdated.contains($0.path) }
        }
    }
}

extension PackedState {
    /// Whether an object at this path of the exchange holds a file or a bundle of the state.
    fileprivate func names(_ path: String) -> Bool {
        files.contains {
            ExchangeLayout.object($0.sha256, .raw) == path || ExchangeLayout.object($0.sha256, .zip) == path
        } || bundles.contains { ExchangeLayout.object($0.sha256, .tar) == path }
    }

    /// Whether the item has all versions of the other state, and more.
    fileprivate func comes(from other: PackedState) -> Bool {
        let own = Set(history), others = Set(other.history)
        return own.isStrictSuperset(of: others)
    }
}
