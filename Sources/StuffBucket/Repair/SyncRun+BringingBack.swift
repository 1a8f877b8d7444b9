internal import Files
internal import Items

/// Items that somebody removed by hand, from all packs of an exchange.
extension SyncRun {
    /// Brings versions from packs that were taken before a purge here removed them. Without them, this device would join later edits
    /// otherwise than those that have them.
    func bringLackingHistory() throws {
        if lackingHistory.isEmpty { return }
        let told = report.taken.left.count
        _ = try bringBack(lackingHistory, smallFiles: [])
        lackingHistory = []
        // What the packs have besides is from before the state that came.
        let old = report.taken.left[told...].filter { if case .older = $0.reason { false } else { true } }
        report.taken.left.replaceSubrange(told..., with: old)
    }

    /// Brings items back that are not here, with their history, or the history of items that are.
    ///
    /// - Parameters:
    ///   - ids: the items.
    ///   - small: files that are wanted besides.
    /// - Returns: the bytes of the latter, by their places, as the exchange has them last.
    func bringBack(_ ids: Set<ItemID>, smallFiles small: [SmallFile]) throws -> [String: [UInt8]] {
        try readHeads(exchange.heads())
        var lists = heads.mapValues(\.packs)
        lists[memory.device] = memory.packs
        var files: [String: [UInt8]] = [:]
        var names: Set<Items.ContentHash> = []
        var batch = PackBatch()
        // First in the order of the packs, then also those of which an earlier one is lost.
        for isAwaited in [false, true] {
            var isProgress = true
            while isProgress {
                isProgress = false
                for (device, packs) in lists.sorted(by: { $0.key < $1.key }) {
                    for pack in packs where !names.contains(pack) {
                        try monitor.check()
                        guard case .whole(var unpacked) = try arrival(of: pack, names, isAwaited: isAwaited) else {
                            if isAwaited { continue }
                            break
                        }
                        names.insert(pack)
                        isProgress = true
                        try take(small, &files)
                        try leaveOut(besides: ids, &unpacked)
                        if unpacked.states.isEmpty { continue }
                        if !batch.canAdd(unpacked) {
                            try joined(batch)
                            batch = PackBatch()
                        }
                        try add(unpacked, pack, device, to: &batch)
                    }
                }
            }
        }
        if !batch.packs.isEmpty { try joined(batch) }
        place.removeIncoming()
        try saveKnown()
        return files
    }

    /// Takes small files out of the pack that arrives, if they are those that the exchange has last.
    private func take(_ small: [SmallFile], _ files: inout [String: [UInt8]]) throws {
        let arriving = try place.arrivingFolder()
        for file in small {
            guard let bytes = try arriving.contentsIfPresent(of: file.place, limit: Version.byteLimit)?.bytes else {
                continue
            }
            let hash = Items.ContentHash(of: bytes)
            let last =
                file.hash ?? (file.isItemFile ? file.id.flatMap { state(of: $0)?.item.sha256 } : besides[file.place])
            if hash == last, file.isWhole(bytes) { files[file.place] = bytes }
        }
    }

    /// Removes from the pack that arrives what is not of some items.
    private func leaveOut(besides ids: Set<ItemID>, _ unpacked: inout UnpackedPack) throws {
        let arriving = try place.arrivingFolder()
        for state in unpacked.states where !ids.contains(state.id) {
            let shard = Layout.items + "/" + state.id.shard
            if try arriving.statusIfPresent(of: shard) != nil {
                try arriving.directory(shard).removeTree(state.id.description)
            }
        }
        for name in [Layout.tombstones] + NamedFolder.allCases.map(\.path) { try arriving.removeTree(name) }
        unpacked.states.removeAll { !ids.contains($0.id) }
        unpacked.header?.besides = []
    }
}
