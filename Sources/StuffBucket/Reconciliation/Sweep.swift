internal import Characters
internal import Files
internal import Items
internal import Search
private import Synchronization
internal import Time

/// Compares the files of items with the index by stat alone, and updates the items that differ. The one mechanism by
/// which the index follows the files: for all items, for some shards, or for single items that somebody names.
///
/// Folders of items are never listed: a folder's time changes when names come or go. A file that changed within two
/// seconds before it was read may change again without a new time (coarse clocks, FAT). Such items are read and
/// compared by content again, as git does with "racily clean" files.
struct Sweep {
    /// What is compared.
    enum Scope {
        case all
        /// Shards by number.
        case shards(Range<Int>)
        /// Single items.
        case items([Hint])

        /// Whether an item is compared, by its folder.
        func contains(_ folder: String) -> Bool {
            switch self {
            case .all: return true
            case .shards(let shards):
                return UInt8(folder.dropLast(37).suffix(2), radix: 16).map { shards.contains(Int($0)) } ?? true
            case .items(let hints):
                guard let id = ItemID(String(folder.suffix(36))) else { return true }
                return hints.contains { $0.id == id }
            }
        }
    }

    /// An item that may have changed.
    struct Hint: Hashable, Sendable {
        let id: ItemID
        /// The shard in which something was seen.
        let shard: UInt8
    }

    /// Judges a comparison: throws if too many items are gone without a tombstone, of those that the index knows.
    typealias LossJudgement = (_ gone: Int, _ added: Int, _ known: Int) throws -> Void

    private let index: LibraryIndex
    private let folder: IndexFolder
    private let snapshot: IndexSnapshot
    private let state: SweepState?
    private let scope: Scope
    /// Whether items that look unchanged are not read.
    private let trustsLooks: Bool
    /// How long to wait for another process that writes the index.
    private let patience: Duration
    /// Judges the number of items that are gone, before the index forgets them.
    private let guardsLoss: LossJudgement?
    private let begunAt = Timestamp.now

    private var store: ItemStore { index.store }

    /// From this number of changes on, building a new index is faster than changing the old one.
    private static let rebuildThreshold = 20_000
    /// Nanoseconds before a reading in which a change of a file may stay unseen.
    private static let racyNanoseconds: Int64 = 2_000_000_000

    init(
        _ index: LibraryIndex, _ folder: IndexFolder, _ snapshot: IndexSnapshot, since state: SweepState?,
        _ scope: Scope = .all, trustsLooks: Bool = true, patience: Duration = .seconds(10),
        guardsLoss: LossJudgement? = nil
    ) {
        self.scope = scope
        self.patience = patience
        self.guardsLoss = guardsLoss
        self.trustsLooks = trustsLooks
        self.index = index
        self.folder = folder
        self.snapshot = snapshot
        self.state = state
    }

    func run(_ monitor: Monitor) throws -> SweepReport {
        let differences = try compare(monitor)
        var report = SweepReport()
        let doubtful = try differences.doubtful.isEmpty ? [] : reallyChanged(differences.doubtful, monitor)
        let changes = differences.changed + doubtful
        if let guardsLoss {
            let gone = try changes.count { change in try change.isKnown && isLost(change) }
            let added = changes.count { !$0.isKnown }
            if gone > 0 || added > 0 { try guardsLoss(gone, added, snapshot.documentCount) }
        }
        noteForeign(changes)
        // A new index would lack the items of shards that may not be read.
        if differences.unread.isEmpty, changes.count > Self.rebuildThreshold,
            changes.count > snapshot.documentCount / 2
        {
            if let report = try index.rebuild(monitor) { return report }
        }
        if !changes.isEmpty {
            guard let writer = try index.openWriter(folder, patience: patience) else {
                // Another process writes all the time; the next sweep finds the changes that it misses.
                return SweepReport(faults: try state?.faults(store) ?? [], isPostponed: true)
            }
            var update = IndexUpdate(store, writer)
            for change in changes { update.take(change.id, in: change.shard, isKnown: change.isKnown, isForeign: true) }
            try update.finish(monitor)
            report = update.report
        }
        report.count = differences.count
        report.faults.sort()
        noteFaults(report.faults)
        report.faults += differences.unread
        return report
    }

    /// Takes in the changes that a look at known items shows. Reads no item that looks unchanged, and finds no new ones.
    func takeInVisible() throws {
        var hints: [Hint] = []
        try snapshot.forEachDocument { key, bytes in
            let id = ItemID(key)
            hints.append(Hint(id: id, shard: ItemRecordView(bytes)?.shard ?? id.shardNumber))
        }
        let changes = try compare(hints).changed
        if changes.isEmpty { return }
        noteForeign(changes)
        guard let writer = try index.openWriter(folder, patience: patience) else { return }
        var update = IndexUpdate(store, writer)
        for change in changes { update.take(change.id, in: change.shard, isKnown: change.isKnown, isForeign: true) }
        try update.finish()
    }

    /// The items that `run` would have looked at for their versions. Writes nothing.
    func differing(_ monitor: Monitor) throws -> [ItemID] {
        let differences = try compare(monitor)
        return foreign(differences.changed + (try reallyChanged(differences.doubtful, monitor)))
    }

    /// Whether the item's folder is gone without a tombstone.
    private func isLost(_ change: Change) throws -> Bool {
        for folder in [Layout.itemFolder(change.id, shard: change.shard), Layout.itemFolder(change.id)]
        where try store.root.statusIfPresent(of: folder) != nil { return false }
        return try store.root.statusIfPresent(of: Layout.tombstone(change.id)) == nil
    }

    /// Has the next writing command, or a daemon, look at the versions of items that other programs changed or brought.
    private func noteForeign(_ changes: [Change]) { ForeignChanges(store)?.note(foreign(changes)) }

    private func foreign(_ changes: [Change]) -> [ItemID] {
        changes.filter { change in
            if change.isKnown { return true }
            let history = Layout.itemFolder(change.id, shard: change.shard) + "/" + Layout.history
            return [history, Layout.tombstone(change.id)].contains { path in
                ((try? store.root.statusOfKnownPath(path)) ?? nil) != nil
            }
        }.map(\.id)
    }

    private func noteFaults(_ faults: [ItemFault]) {
        var folders = faults.map(\.folder)
        if case .all = scope {
            SweepState(begunAt: begunAt, faultFolders: folders).write(in: index.place)
            return
        }
        // A part of the items: the faults of the others stay, and so does the time of the last whole comparison.
        guard let state else { return }
        folders += state.faultFolders.filter { !scope.contains($0) }
        let new = SweepState(begunAt: state.begunAt, faultFolders: folders.sorted())
        if new.faultFolders != state.faultFolders.sorted() { new.write(in: index.place) }
    }

    // MARK: Comparing

    private struct Change: Sendable {
        let id: ItemID
        let shard: UInt8
        let isKnown: Bool
        /// The hash of the indexed content, if the content must be compared.
        var contentHash: UInt64 = 0
    }

    private struct Differences: Sendable {
        var changed: [Change] = []
        /// Items that look unchanged but may have changed at the moment of reading.
        var doubtful: [Change] = []
        /// Shards that may not be read: their items stay as the index has them.
        var unread: [ItemFault] = []
        var count = 0
    }

    /// A document of the index; its record stays in the mapped file.
    private struct Known {
        let id: ItemID
        let record: UnsafeRawBufferPointer
    }

    /// Sendable because the snapshot outlives the threads, and nothing writes to the mapped memory.
    private struct KnownByShard: @unchecked Sendable {
        var shards: [[Known]] = Array(repeating: [], count: 256)
    }

    private func known(_ shards: Range<Int>) throws -> KnownByShard {
        var known = KnownByShard()
        for shard in shards { known.shards[shard].reserveCapacity(snapshot.documentCount / 240) }
        try snapshot.forEachDocument { key, bytes in
            let id = ItemID(key)
            let shard = Int(ItemRecordView(bytes)?.shard ?? id.shardNumber)
            if shards.contains(shard) { known.shards[shard].append(Known(id: id, record: bytes)) }
        }
        return known
    }

    private func compare(_ monitor: Monitor) throws -> Differences {
        switch scope {
        case .all: try compare(0..<256, monitor)
        case .shards(let shards): try compare(shards, monitor)
        case .items(let hints): try compare(hints)
        }
    }

    private func compare(_ hints: [Hint]) throws -> Differences {
        var found = Differences()
        for hint in hints {
            let stored = try snapshot.stored(DocumentKey(hint.id))
            guard let stored else {
                // A copy in a wrong shard counts only if the item is nowhere else.
                if try store.isCounted(hint.id, inShard: hint.shard) {
                    found.changed.append(Change(id: hint.id, shard: hint.shard, isKnown: false))
                }
                continue
            }
            stored.withUnsafeBytes { bytes in
                guard let record = ItemRecordView(bytes) else {
                    found.changed.append(Change(id: hint.id, shard: hint.shard, isKnown: true))
                    return
                }
                let path = ItemPath(prefix: Layout.items + "/" + Hexadecimal.pair(record.shard) + "/")
                path.set(hint.id)
                let before = found.changed.count
                ItemComparison(store, lastLook: lastLook).run(record, hint.id, record.shard, store.root, path, &found)
                // The item may have moved from its folder to the one that the hint names.
                if found.changed.count > before, hint.shard != record.shard {
                    found.changed[before] = Change(id: hint.id, shard: hint.shard, isKnown: true)
                }
            }
        }
        found.count = hints.count
        return found
    }

    /// Without trust in looks, every item is doubtful. `Int64.min` if the last comparison is unknown.
    private var lastLook: Int64? {
        trustsLooks ? state.map { $0.begunAt.milliseconds } ?? Int64.min : nil
    }

    private func compare(_ shards: Range<Int>, _ monitor: Monitor) throws -> Differences {
        let known = try known(shards)
        let names = Set(try store.shards().names)
        let all = Mutex(Differences())
        let lastLook = lastLook
        try Workers.run(shards.count) { [store] place in
            try monitor.check()
            let number = shards.lowerBound + place
            let shard = UInt8(number)
            let name = Hexadecimal.pair(shard)
            var one = Differences()
            if names.contains(name) {
                try ShardComparison(store, name, known.shards[number], lastLook).run(&one)
            } else {
                one.changed = known.shards[number].map { Change(id: $0.id, shard: shard, isKnown: true) }
            }
            all.withLock {
                $0.changed += one.changed
                $0.doubtful += one.doubtful
                $0.unread += one.unread
                $0.count += one.count
            }
        }
        return all.withLock { $0 }
    }

    /// The items among these whose content differs from the indexed content.
    private func reallyChanged(_ doubtful: [Change], _ monitor: Monitor) throws -> [Change] {
        let isChanged = try Workers.map(doubtful) { [store] change in
            try monitor.check()
            let folder = Layout.itemFolder(change.id, shard: change.shard)
            let item = try? ItemDocument.read(change.id, in: folder, store, at: .now)
            return item?.record.contentHash != change.contentHash
        }
        return zip(doubtful, isChanged).filter(\.1).map(\.0)
    }

    /// Compares one shard's folder with the index.
    private struct ShardComparison {
        private let store: ItemStore
        private let name: String
        private let known: [Known]
        private let lastLook: Int64?

        init(_ store: ItemStore, _ name: String, _ known: [Known], _ lastLook: Int64?) {
            self.store = store
            self.name = name
            self.known = known.sorted { $0.id < $1.id }
            self.lastLook = lastLook
        }

        func run(_ found: inout Differences) throws {
            guard let denial = try ItemError.denial({ try compare(&found) }) else { return }
            found = Differences()
            found.unread = [try ItemFault(folder, denial)]
        }

        private var folder: String { Layout.items + "/" + name }

        private func compare(_ found: inout Differences) throws {
            let directory = try store.root.directory(folder)
            // Without the right to look at its files, all of them would seem to be gone.
            _ = try directory.statusIfPresent(of: Layout.itemFile)
            var ids: [ItemID] = []
            ids.reserveCapacity(known.count + 8)
            try directory.forEachName { name, kind in
                if kind == .directory || kind == .unknown, let id = ItemID(folderName: name) { ids.append(id) }
            }
            ids.sort()
            let shard = UInt8(name, radix: 16) ?? 0
            let path = ItemPath(prefix: "")
            var next = 0
            func gone(_ known: Known) -> Change { Change(id: known.id, shard: shard, isKnown: true) }
            for id in ids {
                while next < known.count, known[next].id < id {
                    found.changed.append(gone(known[next]))
                    next += 1
                }
                if try !store.isCounted(id, inShard: shard) { continue }
                found.count += 1
                guard next < known.count, known[next].id == id else {
                    found.changed.append(Change(id: id, shard: shard, isKnown: false))
                    continue
                }
                let bytes = known[next].record
                next += 1
                guard let record = ItemRecordView(bytes) else {
                    found.changed.append(Change(id: id, shard: shard, isKnown: true))
                    continue
                }
                path.set(id)
                ItemComparison(store, lastLook: lastLook).run(record, id, shard, directory, path, &found)
            }
            found.changed += known[next...].map(gone)
        }
    }

    /// Compares one item's files with its record.
    private struct ItemComparison {
        private let store: ItemStore
        private let lastLook: Int64?

        init(_ store: ItemStore, lastLook: Int64?) {
            self.store = store
            self.lastLook = lastLook
        }

        /// - Parameters:
        ///   - newest: the latest time of a file, in nanoseconds.
        ///   - readAt: when the item was read, in milliseconds.
        private func isRacy(_ newest: Int64, _ readAt: Int64) -> Bool {
            let (read, isTooLarge) = readAt.multipliedReportingOverflow(by: 1_000_000)
            return isTooLarge || newest >= read - Sweep.racyNanoseconds
        }

        func run(
            _ record: ItemRecordView, _ id: ItemID, _ shard: UInt8, _ directory: borrowing Directory, _ path: ItemPath,
            _ found: inout Differences
        ) {
            var change = Change(id: id, shard: shard, isKnown: true)
            // An item that cannot be compared is read, which reports the reason.
            guard case .same(let newest) = (try? record.compare(directory, path)) ?? .changed else {
                found.changed.append(change)
                return
            }
            if record.flags.contains(.purgeable),
                (try? store.root.statusOfKnownPath(Layout.tombstone(id))) ?? nil != nil
            {
                found.changed.append(change)
                return
            }
            if lastLook.map({ isRacy(newest, max(record.readAt, $0)) }) ?? true {
                change.contentHash = record.contentHash
                found.doubtful.append(change)
            }
        }
    }
}
