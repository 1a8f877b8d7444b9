internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// Takes packs of other devices: their states become a copy of the library in `.sbfs`, which is joined as any other copy is.
extension SyncRun {
    /// A pack, or an object in it, is waited for so long. Then what came after it is taken without it.
    private static let patienceSeconds: Int64 = 86_400

    func take(_ header: StepHeader) throws {
        let names = memory.names
        forgetUnnamed()
        let isNew = heads.values.contains { !$0.packs.allSatisfy(names.contains) }
        if !isNew, memory.unfinished.isEmpty { return }
        guard let lock = ForeignChanges(store)?.lock() else { throw SyncError.isBusy }
        var header = header
        header.bringsItems = true
        let step = try library.begin(header)
        let outcome = Result { try takeNew(names) }
        // The end of the step looks at versions, and would wait for the lock.
        _ = consume lock
        if !header.isBackground { step.noteJoined(report.taken) }
        step.end()
        try outcome.get()
    }

    /// Takes packs that are not taken yet.
    private func takeNew(_ taken: Set<Items.ContentHash>) throws {
        var names = taken
        try retryUnfinished(names)
        var batch = PackBatch()
        // Devices with a pack that is taken without what it follows: so are the later ones.
        var awaited: Set<ItemID> = []
        // Since when a pack of a device was waited for that is taken as lost: so are those behind it, if they are not there.
        var lostSince: [ItemID: Timestamp] = [:]
        var isProgress = true
        while isProgress {
            isProgress = false
            for (device, head) in heads.sorted(by: { $0.key < $1.key }) {
                packs: for pack in head.packs where !names.contains(pack) {
                    try monitor.check()
                    try exchange.bring(upcoming(head.packs, names))
                    switch try arrival(of: pack, names, isAwaited: awaited.contains(device)) {
                    case .waits(let reason):
                        if isWaitedFor(pack, device, reason, since: lostSince[device]) { break packs }
                        lostSince[device] = memory.unfinished.first { $0.pack == pack }?.since
                        // Those of the batch come before it.
                        try join(&batch)
                        memory.taken[device, default: []].append(pack)
                        try place.write(memory)
                    case .whole(let unpacked):
                        if unpacked.header?.after.allSatisfy(names.contains) != true { awaited.insert(device) }
                        if isWritingAll, let header = unpacked.header, !isForAll(header) { notForAll.insert(pack) }
                        if !batch.canAdd(unpacked) { try join(&batch) }
                        try add(unpacked, pack, device, to: &batch)
                        // It may have waited for another head.
                        let path = ExchangeLayout.object(pack, .tar)
                        report.left.removeAll { $0.path == path }
                        if batch.isFull { try join(&batch) }
                    }
                    names.insert(pack)
                    isProgress = true
                }
            }
        }
        try join(&batch)
        try bringLackingHistory()
        try joinDeferred()
        try forgetOutdatedObjects(
            of: Set(heads.filter { !$0.value.packs.allSatisfy(taken.contains) }.keys))
    }

    /// Takes packs once more of which files were not joined yet: no other pack said what those here were made of.
    private func joinDeferred() throws {
        isJoiningDeferred = true
        for (pack, device) in deferredPacks {
            guard case .whole(let unpacked) = try arrival(of: pack, [], isAwaited: true) else { continue }
            var batch = PackBatch()
            try add(unpacked, pack, device, to: &batch)
            let missing = try joined(batch)
            finish(pack, device, missing[pack] ?? [])
        }
        ownRecord.settle()
        try saveKnown()
    }

    /// Packs of a head that come next; a cloud gives them together.
    private func upcoming(_ packs: [Items.ContentHash], _ names: Set<Items.ContentHash>) -> [String] {
        packs.lazy.filter { !names.contains($0) }.prefix(16).map { ExchangeLayout.object($0, .tar) }
    }

    /// What came of reading a pack.
    enum Arrival {
        case whole(UnpackedPack)
        /// It cannot be taken now.
        case waits(SyncReport.Reason)
    }

    /// Waits no more for packs that no head names: their device wrote all of them once more.
    private func forgetUnnamed() {
        let named = Set(heads.values.flatMap(\.packs)).union(memory.packs)
        // The head of a device that cannot be read now may name them, and one that is gone may be on its way.
        memory.unfinished = memory.unfinished.filter { unfinished in
            let isHeadGone = !devicesWithHead.contains(unfinished.device) && wasLongAwaited(unfinished.pack)
            return named.contains(unfinished.pack) || heads[unfinished.device] == nil && !isHeadGone
        }
    }

    /// Tries again what earlier syncs could not take.
    private func retryUnfinished(_ names: Set<Items.ContentHash>) throws {
        isRetrying = true
        defer { isRetrying = false }
        for unfinished in memory.unfinished where names.contains(unfinished.pack) {
            switch try arrival(of: unfinished.pack, names) {
            case .waits(let reason): leave(ExchangeLayout.object(unfinished.pack, .tar), reason)
            case .whole(let unpacked):
                var batch = PackBatch()
                try add(unpacked, unfinished.pack, unfinished.device, to: &batch)
                let missing = try joined(batch)
                finish(unfinished.pack, unfinished.device, missing[unfinished.pack] ?? [])
            }
        }
    }

    /// Joins the packs of a batch, and remembers that they were taken.
    private func join(_ batch: inout PackBatch) throws {
        if batch.packs.isEmpty { return }
        let missing = try joined(batch)
        for (pack, device) in batch.packs {
            memory.taken[device, default: []].append(pack)
            finish(pack, device, missing[pack] ?? [])
            report.takenPackCount += 1
            monitor.show(report.takenPackCount)
        }
        batch = PackBatch()
        try saveKnown()
        try place.write(memory)
    }

    /// Remembers what a pack lacked when it was taken; nothing if it lacked nothing.
    func finish(_ pack: Items.ContentHash, _ device: ItemID, _ missing: [String]) {
        let since = memory.unfinished.first { $0.pack == pack }?.since ?? .now
        memory.unfinished.removeAll { $0.pack == pack }
        if !missing.isEmpty {
            memory.unfinished.append(.init(pack: pack, device: device, since: since, missing: missing))
        }
    }

    /// Devices that may not come back: a pack of them was waited for in vain for a day.
    func notHeardOf() -> [ItemID] {
        let useless = Set(report.left.filter { $0.reason.isOfBytes }.map(\.path))
        let awaited = memory.unfinished.filter { wasLongAwaited($0.pack) && heads[$0.device] != nil }
            .filter { useless.contains(ExchangeLayout.object($0.pack, .tar)) }
        return Set(awaited.map(\.device)).sorted()
    }

    /// Whether a pack waits for a day: then it is taken without what it follows, which perhaps no head names any more.
    func wasLongAwaited(_ pack: Items.ContentHash) -> Bool {
        guard let known = memory.unfinished.first(where: { $0.pack == pack }) else { return false }
        return min(known.since, .now).adding(seconds: Self.patienceSeconds) <= .now
    }

    /// - Parameter lostSince: since when one before it was waited for in vain.
    /// - Returns: false if it was waited for long enough.
    private func isWaitedFor(
        _ pack: Items.ContentHash, _ device: ItemID, _ reason: SyncReport.Reason, since lostSince: Timestamp?
    ) -> Bool {
        leave(ExchangeLayout.object(pack, .tar), reason)
        let known = memory.unfinished.firstIndex { $0.pack == pack }
        // A clock that was ahead then must not make the wait longer.
        let since = min(known.map { memory.unfinished[$0].since } ?? .now, lostSince ?? .now, .now)
        if let known {
            memory.unfinished[known].since = since
        } else {
            memory.unfinished.append(.init(pack: pack, device: device, since: since))
        }
        // Another program may read it. A clock that jumped ends the wait and loses nothing: it is tried again.
        return reason == .tooNew || since.adding(seconds: Self.patienceSeconds) > .now
    }
}
