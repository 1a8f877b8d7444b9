internal import Files
internal import Items
internal import JSONFormat
internal import Search
private import Synchronization
internal import Time

/// Rebuilds the index from all items.
///
/// A first pass reads the times from every item.json. A second pass then reads the items roughly in the order of their
/// changes. It uses one lane per thread, and each lane has about the same number of bytes.
struct Rebuild {
    private let store: ItemStore
    private let place: IndexPlace
    private let begunAt = Timestamp.now

    fileprivate struct Entry: Sendable {
        let id: ItemID
        let shard: UInt8
        /// The approximate effective time, in milliseconds since 1970 UTC.
        let updated: Int64
        /// The number of bytes to read.
        let weight: Int
    }

    /// What a first pass saw.
    struct Survey: Sendable {
        fileprivate var entries: [Entry] = []
        /// Shards that may not be read. A new index lacks their items.
        fileprivate(set) var unread: [ItemFault] = []
    }

    init(_ store: ItemStore, _ place: IndexPlace) {
        self.store = store
        self.place = place
    }

    /// - Parameter survey: of now.
    /// - Returns: `nil` if another process writes the index all the time.
    func run(_ survey: Survey, _ monitor: Monitor, threads: Int = Workers.count) throws -> SweepReport? {
        var entries = survey.entries
        entries.sort { ($0.updated, $0.id) < ($1.updated, $1.id) }
        let lanes = Self.lanes(entries, max(1, threads))
        guard let build = try IndexBuild.begin(place.indexFolder(), lanes: lanes.count) else { return nil }
        let all = Mutex<(faults: [ItemFault], done: Int, count: Int)>(([], 0, 0))
        let states = KnownStates(store)
        let unseen = Mutex<[ItemID]>([])
        let bytes = KnownBytes(store).map { KnownBytes.Renewal($0) }
        let total = entries.count
        try Workers.run(lanes.count, threads: threads) { [store, begunAt] lane in
            for (number, entry) in lanes[lane].enumerated() {
                try monitor.check()
                let folder = Layout.itemFolder(entry.id, shard: entry.shard)
                do {
                    if let item = try ItemDocument.read(entry.id, in: folder, store, at: begunAt) {
                        try build.add(item.document, lane: lane)
                        all.withLock { $0.count += 1 }
                        let isChanged = item.source.flatMap { bytes?.add(entry.id, $0) } ?? false
                        let isEdited = isChanged || item.hasNewerDocument
                        let isBehind =
                            item.record.look[.history] != nil
                            && states?.isBehind(entry.id, in: folder, document: item.documentPath, store) ?? false
                        if isBehind, states?.read(entry.id).at == nil { bytes?.keepLast(entry.id) }
                        if isEdited || isBehind || hasCopies(item, in: folder) {
                            unseen.withLock { $0.append(entry.id) }
                        }
                    }
                } catch let error as ItemError {
                    let fault = try ItemFault(folder, error)
                    all.withLock { $0.faults.append(fault) }
                }
                if number % 256 == 255 {
                    let done = all.withLock { all in
                        all.done += 256
                        return all.done
                    }
                    monitor.show(done, of: total)
                }
            }
        }
        try monitor.check()
        bytes?.finish()
        ForeignChanges(store)?.note(unseen.withLock { $0 })
        try build.finish(threads: threads)
        let faults = all.withLock { $0.faults.sorted() }
        SweepState(begunAt: begunAt, faults: faults).write(in: place)
        let count = all.withLock { $0.count }
        return SweepReport(count: count, added: count, faults: faults + survey.unread, isComplete: true)
    }

    /// Whether a copying program left a conflict copy in the folder of an item without versions, which no device has looked at.
    private func hasCopies(_ item: ItemDocument, in folder: String) -> Bool {
        if item.record.look[.history] != nil { return false }
        let name = item.documentPath?.pathComponents.last
        return (try? store.conflictCopies(in: folder, document: name).isEmpty) == false
    }

    /// Reads every item.json once, without texts.
    ///
    /// The order only makes searches by time fast, so a rough look at item.json is enough. Faults are found later.
    func survey(_ monitor: Monitor, threads: Int = Workers.count) throws -> Survey {
        let shards = try store.shards().names
        let all = Mutex(Survey())
        try Workers.run(shards.count, threads: threads) { number in
            try monitor.check()
            var entries: [Entry] = []
            let denial = try ItemError.denial { entries = try survey(shard: shards[number]) }
            let fault = try denial.map { try ItemFault(Layout.items + "/" + shards[number], $0) }
            all.withLock { all in
                if let fault { all.unread.append(fault) } else { all.entries += entries }
            }
        }
        return all.withLock { all in
            all.unread.sort()
            return all
        }
    }

    private func survey(shard name: String) throws -> [Entry] {
        let shard = UInt8(name, radix: 16) ?? 0
        let directory = try store.root.directory(Layout.items + "/" + name)
        // Without the right to look at its files, none of them would seem to be there.
        _ = try directory.statusIfPresent(of: Layout.itemFile)
        return try store.shard(name).ids.compactMap { id in
            if try !store.isCounted(id, inShard: shard) { return nil }
            let contents = try? directory.contentsIfPresent(
                of: id.description + "/" + Layout.itemFile, limit: JSONDocument.byteLimit)
            let modified = (contents ?? nil).map { Timestamp(nanoseconds: $0.status.modified) }
            return Entry(
                id: id, shard: shard,
                updated: ((contents ?? nil).flatMap { Self.updatedAt($0.bytes) } ?? modified ?? begunAt).milliseconds,
                weight: 2000 + ((contents ?? nil)?.bytes.count ?? 0))
        }
    }

    /// The value after the last `"updatedAt"`.
    private static func updatedAt(_ json: [UInt8]) -> Timestamp? {
        let key = Array("\"updatedAt\"".utf8)
        var place = json.count - key.count
        while place >= 0 {
            if json[place] == 0x22, json[place..<place + key.count].elementsEqual(key) {
                let value = json[(place + key.count)...].prefix(80).split(separator: 0x22, maxSplits: 2)
                return value.count > 1 ? Timestamp(String(decoding: value[1], as: UTF8.self)) : nil
            }
            place -= 1
        }
        return nil
    }

    /// Cuts the list into `count` runs of about the same weight.
    private static func lanes(_ entries: [Entry], _ count: Int) -> [ArraySlice<Entry>] {
        let total = entries.reduce(0) { $0 + $1.weight }
        var lanes: [ArraySlice<Entry>] = []
        var start = 0
        var sum = 0
        for (index, entry) in entries.enumerated() {
            sum += entry.weight
            if lanes.count < count - 1, sum * count >= total * (lanes.count + 1) {
                lanes.append(entries[start...index])
                start = index + 1
            }
        }
        lanes.append(entries[start...])
        return lanes
    }
}
