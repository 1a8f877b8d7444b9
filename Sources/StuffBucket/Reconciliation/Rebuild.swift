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

    private struct Entry: Sendable {
        let id: ItemID
        let shard: UInt8
        /// The approximate effective time, in milliseconds since 1970 UTC.
        let updated: Int64
        /// The number of bytes to read.
        let weight: Int
    }

    init(_ store: ItemStore, _ place: IndexPlace) {
        self.store = store
        self.place = place
    }

    /// - Returns: `nil` if another process writes the index all the time.
    func run(_ monitor: Monitor, threads: Int = Workers.count) throws -> SweepReport? {
        var entries = try survey(monitor, threads)
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
                        if isEdited || isBehind { unseen.withLock { $0.append(entry.id) } }
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
        return SweepReport(count: count, added: count, faults: faults, isComplete: true)
    }

    /// Reads every item.json once, without texts.
    ///
    /// The order only makes searches by time fast, so a rough look at item.json is enough. Faults are found later.
    private func survey(_ monitor: Monitor, _ threads: Int) throws -> [Entry] {
        let shards = try store.shards().names
        let all = Mutex<[Entry]>([])
        try Workers.run(shards.count, threads: threads) { [store] number in
            try monitor.check()
            var entries: [Entry] = []
            let shard = UInt8(shards[number], radix: 16) ?? 0
            let directory = try store.root.directory(Layout.items + "/" + shards[number])
            for id in try store.shard(shards[number]).ids {
                if try !store.isCounted(id, inShard: shard) { continue }
                let contents = try? directory.contentsIfPresent(
                    of: id.description + "/" + Layout.itemFile, limit: JSONDocument.byteLimit)
                let modified = (contents ?? nil).map { Timestamp(nanoseconds: $0.status.modified) }
                entries.append(
                    Entry(
                        id: id, shard: shard,
                        updated: ((contents ?? nil).flatMap { Self.updatedAt($0.bytes) } ?? modified ?? begunAt)
                            .milliseconds,
                        weight: 2000 + ((contents ?? nil)?.bytes.count ?? 0)))
            }
            all.withLock { $0 += entries }
        }
        return all.withLock { $0 }
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
