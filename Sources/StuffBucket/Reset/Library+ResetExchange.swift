internal import Files
public import Items

/// What emptying an exchange removes, and why it may not be done.
public struct ExchangeReset: Sendable {
    /// The number of other devices that sync through it. Each of them writes everything again when it syncs next.
    public internal(set) var deviceCount = 0
    /// The number of objects in it.
    public internal(set) var objectCount = 0
    /// The sum of their bytes.
    public internal(set) var byteCount = 0
    /// Packs of other devices that are not taken here, and objects that are missing: what they hold may be nowhere else.
    public internal(set) var untaken: [String] = []
    /// Items of which files are in an exchange and not on this device: no full device may hold them.
    public internal(set) var away: [ItemID] = []
    /// Whether the exchange was emptied.
    public internal(set) var isDone = false

    /// Whether something would be lost that this device cannot write again.
    public var losesFiles: Bool { !untaken.isEmpty || !away.isEmpty }
}

extension Library {
    /// Empties an exchange: removes the heads of all devices and all objects. The folder stays an exchange, and the next sync
    /// of each device writes everything again.
    ///
    /// Removes nothing if something in it is not on this device.
    ///
    /// - Parameters:
    ///   - folder: the exchange.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run only counts.
    ///   - monitor: cancels.
    /// - Throws: `SyncError`, `ItemError`.
    public func empty(
        _ folder: ExchangeFolder, _ worker: CaptureWorker, _ mode: ChangeMode = .real, _ monitor: Monitor = Monitor()
    ) throws -> ExchangeReset {
        try withRun(folder, worker, monitor) { run in try run.empty(mode) }
    }
}

extension SyncRun {
    fileprivate func empty(_ mode: ChangeMode) throws -> ExchangeReset {
        var reset = ExchangeReset()
        let taken = memory.names
        let found = try exchange.heads()
        for (device, bytes) in found.sorted(by: { $0.key < $1.key }) where device != memory.device {
            reset.deviceCount += 1
            guard let head = try? exchange.head(bytes, of: device, knowing: packsKnown(of: device)) else {
                reset.untaken.append(ExchangeLayout.head(device))
                continue
            }
            reset.untaken += head.packs.filter { !taken.contains($0) }.map { ExchangeLayout.object($0, .tar) }
        }
        reset.untaken += memory.unfinished.flatMap(\.missing)
        var objects: [(Items.ContentHash, ExchangeLayout.Form)] = []
        try exchange.forEachObject { hash, form, byteCount in
            objects.append((hash, form))
            reset.byteCount += byteCount
        }
        reset.objectCount = objects.count
        let names = Set(objects.map(\.0))
        reset.away = try Set(library.awayIDs()).union(idsOfHeldAlone(names)).sorted()
        if mode == .dry || reset.losesFiles || folder.isReadOnly { return reset }
        // The heads first: a device that finds its own gone writes everything again, whenever that is.
        for device in found.keys.sorted() { try exchange.removeHead(device) }
        for start in stride(from: 0, to: objects.count, by: 1_000) {
            try monitor.check()
            try exchange.removeObjects(Array(objects[start..<min(start + 1_000, objects.count)]))
        }
        try place.forgetKnown()
        memory = SyncMemory(device: .random())
        try place.write(memory)
        reset.isDone = true
        return reset
    }

    /// Items that have a file only in the exchange, whatever the records of what is away say.
    ///
    /// - Parameter objects: what the exchange has.
    private func idsOfHeldAlone(_ objects: Set<Items.ContentHash>) throws -> [ItemID] {
        let purged = Set(try store.tombstoneIDs())
        let held = try heldIDs()
        let all = try held.union(store.shards().names.flatMap { try store.shard($0).ids }).subtracting(purged)
        return try all.sorted().filter { id in
            try monitor.check()
            guard let folder = try library.session.folder(of: id) else { return held.contains(id) }
            // One that the last sync found damaged: the exchange has the good bytes.
            if known(of: id)?.look == FolderLook.unread, try ownState(id)?.damaged.isEmpty == false { return true }
            let state = state(of: id)
            let left = Set((state?.leftOut ?? []).map(\.path))
            // A file that has other bytes here was edited since.
            let absent = try (state?.files ?? []).filter { file in
                try !left.contains(PackedState.bundle(of: file.path) ?? file.path)
                    && store.root.statusIfPresent(of: folder + "/" + file.path)?.kind != .regular
            }
            let named = try absentDocument(id, in: folder).flatMap { objects.contains($0) ? $0 : nil }
            if absent.isEmpty, named == nil { return false }
            guard let own = try ownState(id)?.state else { return true }
            let hashes = Set(own.files.map(\.sha256))
            return !hashes.isSuperset(of: absent.map(\.sha256) + [named].compactMap { $0 })
        }
    }

    /// The hash of the document that item.json names, if no file has its path.
    private func absentDocument(_ id: ItemID, in folder: String) throws -> Items.ContentHash? {
        guard let stored = try? store.item(id, in: folder), let path = stored.item.documentRelativePath,
            stored.document?.path != path
        else { return nil }
        return stored.item.documentSHA256.flatMap { Items.ContentHash(hex: $0.utf8) }
    }
}
