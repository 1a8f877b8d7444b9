internal import Characters
internal import Files
internal import Items
internal import Synchronization

/// The bytes of items as they were last read when they had no versions: the files `.sbfs/states/<shard>`. DeviceFiles.md § D11.
///
/// If an editor changes such an item, its first version says what the item was before. Once this device knows a version, history/ has all
/// of it. Records are appended; the last one of an item counts. Only a holder of the index's lock
/// writes.
///
/// A record, numbers little-endian: magic u32, which says whether the files looked as sbfs wrote them, id two u64 (the high half first), length
/// of item.json u32, length of text.md u32 (all bits set: no such file), the bytes of both, hash of all of it u64.
final class KnownBytes: Sendable {
    /// The files of an item.
    struct Source: Sendable {
        let item: [UInt8]
        let text: [UInt8]?
        /// Whether they looked as sbfs wrote them, by their times: no program had changed them.
        let isAsWritten: Bool

        /// - Returns: `nil` above the limit: such an item has no first version before its first change.
        init?(item: [UInt8], text: [UInt8]?, isAsWritten: Bool) {
            if item.count + (text?.count ?? 0) > KnownBytes.byteLimit { return nil }
            self.item = item
            self.text = text
            self.isAsWritten = isAsWritten
        }
    }

    /// Of item.json and text.md together.
    private static let byteLimit = 1 << 20
    private static let magic: UInt32 = 0x5342_4B31
    private static let writtenMagic: UInt32 = 0x5342_4B32
    private static let headerByteCount = 28
    private static let none = UInt32.max
    /// Of one shard's file.
    private static let fileLimit = 1 << 30

    /// `.sbfs`; `states` in it is made with the first file.
    private let device: Directory

    /// - Returns: `nil` if the library cannot be written.
    init?(_ store: ItemStore) {
        guard let device = try? store.device?.directory.duplicate() else { return nil }
        self.device = device
    }

    /// What the device of another copy of the library knew, for reading alone.
    ///
    /// - Returns: `nil` if no sbfs ran there, or its folder cannot be read.
    init?(ofCopy store: ItemStore) {
        guard let device = try? store.root.directory(Layout.device) else { return nil }
        self.device = device
    }

    /// - Returns: `nil` if there is no such folder, or it cannot be made.
    private func directory(isMade: Bool) -> Directory? {
        if isMade { _ = try? device.makeDirectory(Layout.states, permissions: 0o700) }
        return try? device.directory(Layout.states)
    }

    // MARK: Reading

    /// One shard's file, and where the last record of each item is.
    private struct Shard {
        let bytes: [UInt8]
        var records: [ItemID: Range<Int>] = [:]
    }

    /// The files that were read last, the latest at the end: one for each of several threads.
    private let lastShards = Mutex<[(name: String, shard: Shard)]>([])
    private static let shardCount = 8

    /// The bytes of an item as they were last read; `nil` if nobody knows. A shard's file is read once for items that are
    /// asked for one after the other.
    func last(_ id: ItemID) -> Source? {
        let name = id.shard
        let shard = lastShards.withLock { last in
            if let place = last.firstIndex(where: { $0.name == name }) {
                last.append(last.remove(at: place))
            } else {
                if last.count == Self.shardCount { last.removeFirst() }
                last.append((name, read(name)))
            }
            return last[last.count - 1].shard
        }
        return shard.records[id].flatMap { Self.source(shard.bytes, $0) }
    }

    /// What tells whether an item still has the bytes of its last record.
    struct Mark {
        fileprivate let hash: UInt64
        fileprivate let magic: UInt32
    }

    /// The mark of the last record of each item.
    func marks() -> [ItemID: Mark] {
        guard let directory = directory(isMade: false), let entries = try? directory.entries() else { return [:] }
        var marks: [ItemID: Mark] = [:]
        for name in entries.compactMap(\.name.string) where Layout.isShard(name) {
            let shard = read(name)
            for (id, record) in shard.records {
                marks[id] = Mark(
                    hash: Self.wide(shard.bytes, record.upperBound - 8),
                    magic: Self.number(shard.bytes, record.lowerBound))
            }
        }
        return marks
    }

    /// Whether a record has these bytes of an item.
    static func isOf(_ mark: Mark, _ source: Source, _ id: ItemID) -> Bool {
        let bytes = record(id, source, mark.magic)
        return wide(bytes, bytes.count - 8) == mark.hash
    }

    private func read(_ name: String) -> Shard {
        let path = Layout.states + "/" + name
        let contents = (try? device.contentsIfPresent(of: path, limit: Self.fileLimit)) ?? nil
        var shard = Shard(bytes: contents?.bytes ?? [])
        Self.forEachRecord(shard.bytes) { record, owner in shard.records[owner] = record }
        return shard
    }

    /// Calls `body` with the range of each record, up to the first that is torn.
    private static func forEachRecord(_ bytes: [UInt8], _ body: (Range<Int>, ItemID) -> Void) {
        var place = 0
        while place + headerByteCount <= bytes.count {
            let kind = number(bytes, place)
            if kind != magic, kind != writtenMagic { return }
            let lengths = (number(bytes, place + 20), number(bytes, place + 24))
            let count = Int(lengths.0) + (lengths.1 == none ? 0 : Int(lengths.1))
            let end = place + headerByteCount + count + 8
            guard end <= bytes.count else { return }
            body(place..<end, ItemID(high: wide(bytes, place + 4), low: wide(bytes, place + 12)))
            place = end
        }
    }

    private static func source(_ bytes: [UInt8], _ record: Range<Int>) -> Source? {
        let body = record.lowerBound..<(record.upperBound - 8)
        guard hash(bytes[body]) == wide(bytes, body.upperBound) else { return nil }
        let item = Int(number(bytes, record.lowerBound + 20)), text = number(bytes, record.lowerBound + 24)
        let start = record.lowerBound + headerByteCount
        return Source(
            item: Array(bytes[start..<(start + item)]),
            text: text == none ? nil : Array(bytes[(start + item)..<(start + item + Int(text))]),
            isAsWritten: number(bytes, record.lowerBound) == writtenMagic)
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
    }

    private static func wide(_ bytes: [UInt8], _ place: Int) -> UInt64 {
        bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = ContentFingerprint()
        hash.add(Array(bytes))
        return hash.value
    }

    // MARK: Writing

    private static func record(_ id: ItemID, _ source: Source, _ magic: UInt32? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerByteCount + source.item.count + (source.text?.count ?? 0) + 8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(magic ?? (source.isAsWritten ? writtenMagic : Self.magic))
        append(id.high)
        append(id.low)
        append(UInt32(source.item.count))
        append(source.text.map { UInt32($0.count) } ?? none)
        bytes += source.item
        bytes += source.text ?? []
        append(hash(bytes[...]))
        return bytes
    }

    /// Appends the bytes of items, and removes items that are gone. Not synced: what is lost makes a later first version
    /// say less.
    func update(_ sources: [(ItemID, Source)], gone: [ItemID] = []) {
        if sources.isEmpty, gone.isEmpty { return }
        guard let directory = directory(isMade: !sources.isEmpty) else { return }
        for (shard, group) in Dictionary(grouping: sources, by: \.0.shard) {
            let bytes = group.flatMap { Self.record($0.0, $0.1) }
            try? directory.append(bytes, to: shard)
        }
        for (shard, ids) in Dictionary(grouping: gone, by: \.shard) { remove(Set(ids), from: shard, in: directory) }
    }

    /// Reads items and appends their bytes. Items that cannot be read are passed over.
    ///
    /// - Parameter purged: items whose records are removed.
    func remember(_ ids: [ItemID], _ store: ItemStore, purged: [ItemID]) {
        let sources = ids.compactMap { id -> (ItemID, Source)? in
            let item = try? ItemDocument.read(id, in: Layout.itemFolder(id), store, at: .now)
            return item?.source.map { (id, $0) }
        }
        update(sources, gone: purged)
    }

    private func remove(_ ids: Set<ItemID>, from shard: String, in directory: borrowing Directory) {
        guard let bytes = (try? directory.contentsIfPresent(of: shard, limit: Self.fileLimit))??.bytes else { return }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        Self.forEachRecord(bytes) { record, owner in if !ids.contains(owner) { kept += bytes[record] } }
        if kept.count < bytes.count { try? directory.replaceFile(shard, with: kept) }
    }

    /// Writes all files again, from all items.
    final class Renewal: Sendable {
        private let states: KnownBytes
        private let marks: [ItemID: Mark]
        private let waiting = Mutex<[String: [UInt8]]>([:])
        private let begun = Mutex<Set<String>>([])
        private static let prefix = ".new-"
        private static let pieceByteCount = 64 << 10

        init(_ states: KnownBytes) {
            self.states = states
            marks = states.marks()
            guard let directory = states.directory(isMade: false), let entries = try? directory.entries() else {
                return
            }
            for name in entries.compactMap(\.name.string) where name.hasPrefix(Self.prefix) {
                try? directory.removeFile(name)
            }
        }

        /// - Returns: whether another program changed the item since it was last read: what it was then stays known, until
        ///   its versions are looked at.
        func add(_ id: ItemID, _ source: Source) -> Bool {
            guard let mark = marks[id], !KnownBytes.isOf(mark, source, id), let last = states.last(id) else {
                keep(id, source)
                return false
            }
            keep(id, last)
            return true
        }

        /// Keeps what is known of an item that got versions since, as other copies of it did: its first version here says what it was.
        func keepLast(_ id: ItemID) {
            if marks[id] != nil, let last = states.last(id) { keep(id, last) }
        }

        private func keep(_ id: ItemID, _ source: Source) {
            let full = waiting.withLock { waiting -> [UInt8]? in
                waiting[id.shard, default: []] += KnownBytes.record(id, source)
                guard let bytes = waiting[id.shard], bytes.count >= Self.pieceByteCount else { return nil }
                // Written under the lock of the shard's turn below; the order of records does not matter.
                waiting[id.shard] = []
                return bytes
            }
            if let full { write(full, id.shard) }
        }

        private func write(_ bytes: [UInt8], _ shard: String) {
            begun.withLock { begun in
                begun.insert(shard)
                try? states.directory(isMade: true)?.append(bytes, to: Self.prefix + shard)
            }
        }

        func finish() {
            for (shard, bytes) in waiting.withLock({ $0 }) where !bytes.isEmpty { write(bytes, shard) }
            let begun = begun.withLock { $0 }
            guard let directory = states.directory(isMade: false), let entries = try? directory.entries() else {
                return
            }
            for shard in begun { try? directory.replace(Self.prefix + shard, to: directory, as: shard) }
            for name in entries.compactMap(\.name.string) where Layout.isShard(name) && !begun.contains(name) {
                try? directory.removeFile(name)
            }
        }
    }
}
