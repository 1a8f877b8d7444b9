internal import Files
internal import Items
internal import Search
private import Synchronization
internal import Time

/// Makes the index anew from all items.
///
/// A first pass reads every item.json for the times, so that a second one can read the items in the order of their
/// changes: as many lanes as there are threads, each with about as many bytes.
struct Rebuild {
    private let store: ItemStore
    private let place: IndexPlace
    private let begunAt = Timestamp.now

    private struct Entry: Sendable {
        let id: ItemID
        let shard: UInt8
        /// Effective time, milliseconds since 1970 UTC.
        let updated: Int64
        /// Bytes that are to be read.
        let weight: Int
    }

    init(_ store: ItemStore, _ place: IndexPlace) {
        self.store = store
        self.place = place
    }

    /// - Returns: `nil` if another process writes the index all the time.
    func run(_ progress: LibraryIndex.Progress?, threads: Int = Workers.count) throws -> SweepReport? {
        var (entries, faults) = try survey(threads)
        entries.sort { ($0.updated, $0.id) < ($1.updated, $1.id) }
        let lanes = Self.lanes(entries, max(1, threads))
        guard let build = try IndexBuild.begin(place.indexFolder(), lanes: lanes.count) else { return nil }
        let all = Mutex<(faults: [String], done: Int, count: Int)>(([], 0, 0))
        let total = entries.count
        try Workers.run(lanes.count, threads: threads) { [store, begunAt] lane in
            for (number, entry) in lanes[lane].enumerated() {
                let folder = Layout.items + "/" + Hexadecimal.pair(entry.shard) + "/" + entry.id.description
                do {
                    if let item = try ItemDocument.read(entry.id, in: folder, store, at: begunAt) {
                        try build.add(item.document, lane: lane)
                        all.withLock { $0.count += 1 }
                    }
                } catch let error as ItemError {
                    all.withLock { $0.faults.append("\(error)") }
                }
                if number % 256 == 255 {
                    let done = all.withLock { all in
                        all.done += 256
                        return all.done
                    }
                    progress?(done, total)
                }
            }
        }
        try build.finish(threads: threads)
        faults += all.withLock { $0.faults }
        faults.sort()
        SweepState(begunAt: begunAt, faults: faults).write(in: place)
        let count = all.withLock { $0.count }
        return SweepReport(count: count, added: count, faults: faults, isComplete: true)
    }

    /// Looks at every item once, without its texts.
    private func survey(_ threads: Int) throws -> (entries: [Entry], faults: [String]) {
        let shards = try store.shards().names
        let all = Mutex<([Entry], [String])>(([], []))
        try Workers.run(shards.count, threads: threads) { [store, begunAt] number in
            var entries: [Entry] = []
            var faults: [String] = []
            let shard = UInt8(shards[number], radix: 16) ?? 0
            for id in try store.shard(shards[number]).ids {
                let folder = Layout.items + "/" + shards[number] + "/" + id.description
                // A copy in a wrong shard does not count beside the one in its own.
                if UInt8(truncatingIfNeeded: id.low) != shard, try store.folder(of: id) != folder { continue }
                do throws(ItemError) {
                    guard let stored = try store.item(id, in: folder, now: begunAt) else { continue }
                    let page = try? store.root.statusOfKnownPath(folder + "/" + Layout.readerFile)
                    entries.append(
                        Entry(
                            id: id, shard: shard, updated: stored.effectiveUpdatedAt.milliseconds,
                            weight: 2000 + stored.status.byteCount + (stored.text?.byteCount ?? 0)
                                + (page?.byteCount ?? 0)))
                } catch {
                    faults.append("\(error)")
                }
            }
            all.withLock {
                $0.0 += entries
                $0.1 += faults
            }
        }
        return all.withLock { $0 }
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
