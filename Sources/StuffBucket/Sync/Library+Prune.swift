internal import Files
public import Items
public import Time

/// What of an exchange nobody needs.
public struct PruneReport: Sendable {
    /// A device with a head in the exchange.
    public struct Device: Sendable {
        /// Its id in the exchange.
        public let id: ItemID
        /// The number of packs that it wrote.
        public let packCount: Int
        /// When its head was written last, as the file says.
        public let writtenAt: Timestamp
        /// Whether it is this device.
        public let isOwn: Bool
        /// For how many days it wrote nothing, if that is long for another device (90 days): it may not come back.
        public let quietDays: Int?

        init(_ id: ItemID, packCount: Int, writtenAt: Timestamp, isOwn: Bool, now: Timestamp) {
            self.id = id
            self.packCount = packCount
            self.writtenAt = writtenAt
            self.isOwn = isOwn
            let days = Int((now.milliseconds - writtenAt.milliseconds) / 86_400_000)
            // A cloud may list a head without its time.
            quietDays = !isOwn && writtenAt.milliseconds > 0 && days >= Self.longDays ? days : nil
        }

        private static let longDays = 90
    }

    /// The devices, those that wrote least recently first.
    public internal(set) var devices: [Device] = []
    /// Objects that no head names, or no pack that a head names.
    public internal(set) var unusedCount = 0
    /// The sum of their bytes.
    public internal(set) var unusedByteCount = 0
    /// When the next of them may be deleted: 30 days after this device first found it unused; `nil` without any.
    public internal(set) var nextDeletion: Timestamp?
    /// Objects that were deleted, or would be.
    public internal(set) var deletedCount = 0
    /// The sum of the deleted objects' bytes.
    public internal(set) var deletedByteCount = 0
    /// Files that could not be read, so that nothing was deleted: paths relative to the exchange.
    public internal(set) var unreadable: [String] = []
    /// Why the clock is not believed: nothing is deleted then.
    public internal(set) var doubt: ClockDoubt?
    /// Devices whose heads were here once, are gone, and were not forgotten on this device: nothing was deleted.
    public internal(set) var gone: [ItemID] = []

    init() {}
}

/// Why a device cannot be forgotten.
public enum PruneError: Error, Sendable, CustomStringConvertible {
    /// The exchange has no head of this device, or it is this device's own.
    case noDevice(String)
    /// Several devices have ids with these characters at the beginning or at the end.
    case severalDevices(String, [ItemID])
    /// Not everything that the device wrote was taken here: sync first.
    case notTaken(ItemID)
    /// A newer program wrote the device's head.
    case tooNew(ItemID)
    /// The head is that of a device of another library.
    case otherLibrary(ItemID)
    /// This device only reads the exchange.
    case readOnly

    /// The error as a sentence for a person.
    public var description: String {
        switch self {
        case .noDevice(let id): "the exchange has no other device \(id)"
        case .severalDevices(let part, let ids):
            "\(part) fits \(ids.map(\.description).joined(separator: " and ")); give more of the id"
        case .tooNew(let id): "a newer sbfs wrote the head of \(id), so nobody here can tell what it names"
        case .otherLibrary(let id): "\(ExchangeLayout.head(id)) is of another library, which has an exchange of its own"
        case .notTaken(let id): "not all that \(id) wrote is here yet"
        case .readOnly: "this device only reads the exchange, so nothing is deleted; --dry-run says what would be"
        }
    }
}

extension Library {
    /// Finds objects of an exchange that nothing names, and deletes those that were unused for 30 days.
    ///
    /// Such objects come from syncs that were interrupted. Reads every pack. Deletes nothing while a head or a pack cannot be
    /// read, while a head is gone whose device was not forgotten here, and while the clock is in doubt.
    ///
    /// - Parameters:
    ///   - folder: the exchange.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run writes and deletes nothing, and remembers nothing.
    ///   - monitor: is told the number of packs read, and cancels.
    /// - Throws: `SyncError`, `ItemError`, `CaptureWorker.Failure`.
    public func prune(
        _ folder: ExchangeFolder, _ worker: CaptureWorker, _ mode: ChangeMode = .real, _ monitor: Monitor = Monitor()
    ) throws -> PruneReport {
        if folder.isReadOnly, mode == .real { throw PruneError.readOnly }
        return try withRun(folder, worker, monitor) { run in try run.prune(mode) }
    }

    /// Removes the head of a device that will not come back. What it wrote stays: this device's head names it from now on.
    ///
    /// If the device does come back, it writes its head again, and nothing is lost. A device with a damaged head can be forgotten, too.
    ///
    /// - Parameters:
    ///   - device: its id in the exchange, or at least 4 characters from its beginning or end.
    ///   - folder: the exchange.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run finds the device and removes nothing.
    /// - Returns: the device's id.
    /// - Throws: `PruneError`, `SyncError`, `ItemError`.
    public func forget(
        _ device: String, in folder: ExchangeFolder, _ worker: CaptureWorker, _ mode: ChangeMode = .real
    ) throws -> ItemID {
        if folder.isReadOnly { throw PruneError.readOnly }
        return try withRun(folder, worker, Monitor()) { run in try run.forget(device, mode) }
    }

    func withRun<Result>(
        _ folder: ExchangeFolder, _ worker: CaptureWorker, _ monitor: Monitor, _ body: (SyncRun) throws -> Result
    ) throws -> Result {
        try requireWritable()
        guard let lock = try SyncFolder.lock(store) else { throw SyncError.isBusy }
        defer { withExtendedLifetime(lock) {} }
        do {
            guard let place = try syncFolder(folder) else { throw ItemError.refused(.notWritable(path: path)) }
            return try body(SyncRun(self, folder, try exchange(folder, monitor), place, worker, monitor))
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }
}

extension SyncRun {
    private static let daySeconds: Int64 = 86_400
    private static let unusedDays: Int64 = 30

    func prune(_ mode: ChangeMode) throws -> PruneReport {
        var report = PruneReport()
        var used: Set<String> = []
        var packs: Set<Items.ContentHash> = []
        let heads = try exchange.heads()
        for (device, bytes) in heads {
            do {
                let head = try exchange.head(bytes, of: device, knowing: packsKnown(of: device))
                packs.formUnion(head.packs)
                used.formUnion(head.lists.map { ExchangeLayout.object($0, .raw) })
                report.devices.append(
                    .init(
                        device, packCount: head.packs.count, writtenAt: exchange.headTime(device),
                        isOwn: device == memory.device, now: .now))
            } catch is ExchangeHead.Refusal {
                report.unreadable.append(ExchangeLayout.head(device))
            }
        }
        // A state of before may have named it, and no other device may have the file.
        for (_, away) in library.awayRecords() {
            if let bundle = away.bundle { used.insert(ExchangeLayout.object(bundle, .tar)) }
            if let document = away.document {
                for form in [ExchangeLayout.Form.raw, .zip] {
                    used.insert(ExchangeLayout.object(document.file.sha256, form))
                }
            }
        }
        report.devices.sort { ($0.writtenAt, $0.id) < ($1.writtenAt, $1.id) }
        // What it named that was not taken here nobody can tell.
        report.gone = memory.taken.keys.filter { heads[$0] == nil }.sorted()
        for (count, pack) in packs.sorted().enumerated() {
            try monitor.check()
            monitor.show(count, of: packs.count)
            let path = ExchangeLayout.object(pack, .tar)
            used.insert(path)
            guard let states = try unpacked(pack)?.states else {
                report.unreadable.append(path)
                continue
            }
            for state in states {
                for file in state.files {
                    for form in [ExchangeLayout.Form.raw, .zip] {
                        used.insert(ExchangeLayout.object(file.sha256, form))
                    }
                }
                for bundle in state.bundles { used.insert(ExchangeLayout.object(bundle.sha256, .tar)) }
            }
        }
        try findUnused(besides: used, mode, &report)
        return report
    }

    private func findUnused(
        besides used: Set<String>, _ mode: ChangeMode, _ report: inout PruneReport
    ) throws {
        let now = Timestamp.now
        var seen: [String: Timestamp] = [:]
        var due: [(Items.ContentHash, ExchangeLayout.Form)] = []
        try exchange.forEachObject { hash, form, byteCount in
            let path = ExchangeLayout.object(hash, form)
            if used.contains(path) { return }
            // A clock that was set back since must not shorten the time.
            let since = min(memory.unused[path] ?? now, now)
            seen[path] = since
            report.unusedCount += 1
            report.unusedByteCount += byteCount
            let end = since.adding(seconds: Self.unusedDays * Self.daySeconds)
            if end <= now {
                due.append((hash, form))
                report.deletedCount += 1
                report.deletedByteCount += byteCount
            } else {
                report.nextDeletion = min(report.nextDeletion ?? end, end)
            }
        }
        if !due.isEmpty { report.doubt = library.clockDoubt() }
        if !report.unreadable.isEmpty || !report.gone.isEmpty || report.doubt != nil {
            report.deletedCount = 0
            report.deletedByteCount = 0
            due = []
        }
        if mode == .dry { return }
        try exchange.removeObjects(due)
        for (hash, form) in due { seen[ExchangeLayout.object(hash, form)] = nil }
        memory.unused = seen
        try place.write(memory)
    }

    func forget(_ device: String, _ mode: ChangeMode) throws -> ItemID {
        let part = device.lowercased()
        func fits(_ id: ItemID) -> Bool {
            part.utf8.count >= 4 && id != memory.device
                && (id.description.hasSuffix(part) || id.description.hasPrefix(part))
        }
        var found = try exchange.heads().filter { fits($0.key) }
        let isThere = !found.isEmpty
        // Its head may be gone already.
        for id in memory.taken.keys where found[id] == nil && fits(id) { found[id] = [] }
        guard let (id, bytes) = found.first else { throw PruneError.noDevice(device) }
        if found.count > 1 { throw PruneError.severalDevices(device, found.keys.sorted()) }
        var packs = memory.taken[id] ?? []
        do {
            packs = try exchange.head(bytes, of: id, knowing: packsKnown(of: id)).packs
        } catch ExchangeHead.Refusal.damaged {
            // What it names besides, nobody can tell. If the device lives, it writes its head again.
        } catch ExchangeHead.Refusal.tooNew {
            throw PruneError.tooNew(id)
        } catch ExchangeHead.Refusal.otherLibrary {
            throw PruneError.otherLibrary(id)
        } catch is ExchangeHead.Refusal {
            throw PruneError.notTaken(id)
        }
        guard memory.names.isSuperset(of: packs) else { throw PruneError.notTaken(id) }
        if mode == .dry { return id }
        if try !adopt(packs) {
            // A pack that is lost must not be named: what is here is written once more.
            memory.former.formUnion(packs)
            try writeAll()
        }
        memory.former.formUnion(memory.taken.removeValue(forKey: id) ?? [])
        try writeHead()
        if isThere { try exchange.removeHead(id) }
        return id
    }
}
