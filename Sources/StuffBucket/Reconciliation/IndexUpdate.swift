internal import Files
internal import Items
internal import Search
internal import Time

/// Reads items again and adds them to the index, in commits of bounded size, while holding the index's lock.
struct IndexUpdate {
    private let store: ItemStore
    private let writer: IndexWriter
    private let states: KnownBytes?
    private var wanted: [Wanted] = []
    private(set) var report = SweepReport()

    private struct Wanted: Sendable {
        let id: ItemID
        let shard: UInt8
        let isKnown: Bool
        let isForeign: Bool
    }

    private enum Outcome: Sendable {
        case document(IndexDocument, KnownBytes.Source?)
        case gone
        case fault(ItemFault)
    }

    /// Items read in parallel; their texts are in memory together.
    private static let groupSize = 256
    /// The largest number of bytes of text in one commit.
    private static let commitByteLimit = 8 << 20

    init(_ store: ItemStore, _ writer: IndexWriter) {
        self.store = store
        self.writer = writer
        states = KnownBytes(store)
    }

    private var uncommittedBytes = 0

    /// - Parameters:
    ///   - isKnown: whether the index already has the item.
    ///   - isForeign: whether another program changed it: what it was before stays known until its versions are looked at.
    mutating func take(_ id: ItemID, in shard: UInt8, isKnown: Bool, isForeign: Bool = false) {
        wanted.append(Wanted(id: id, shard: shard, isKnown: isKnown, isForeign: isForeign))
    }

    mutating func finish(_ monitor: Monitor = Monitor()) throws {
        for start in stride(from: 0, to: wanted.count, by: Self.groupSize) {
            try monitor.check()
            let group = Array(wanted[start..<min(start + Self.groupSize, wanted.count)])
            let outcomes = try Workers.map(group, pieceSize: 8) { [store] in try Self.read($0, store) }
            var documents: [IndexDocument] = [], sources: [(ItemID, KnownBytes.Source)] = [], gone: [ItemID] = []
            for (one, outcome) in zip(group, outcomes) {
                switch outcome {
                case .document(let document, let source):
                    documents.append(document)
                    if let source, !one.isKnown || !one.isForeign { sources.append((one.id, source)) }
                    if one.isKnown { report.changed += 1 } else { report.added += 1 }
                case .gone:
                    if one.isKnown {
                        writer.delete(DocumentKey(one.id))
                        report.removed += 1
                        gone.append(one.id)
                    }
                case .fault(let fault): report.faults.append(fault)
                }
            }
            states?.update(sources, gone: gone)
            // An item that is only missing may come back.
            if !gone.isEmpty { KnownStates(store)?.forgetPurged(gone, in: store) }
            // The index is fastest if documents come in the order of their changes.
            for document in documents.sorted(by: { $0.updated < $1.updated }) {
                uncommittedBytes += document.texts.reduce(1000) { $0 + $1.count }
                writer.put(document)
            }
            if uncommittedBytes > Self.commitByteLimit {
                try writer.commit()
                uncommittedBytes = 0
            }
            monitor.show(start + group.count, of: wanted.count)
        }
        try writer.commit()
    }

    private static func read(_ wanted: Wanted, _ store: ItemStore) throws -> Outcome {
        let own = Layout.itemFolder(wanted.id)
        let other = Layout.itemFolder(wanted.id, shard: wanted.shard)
        var folder = own
        do {
            // A symbolic link in place of the item's folder is ignored; the item may be in another shard.
            let isOwn = try store.root.statusIfPresent(of: own)?.kind == .directory
            folder = isOwn ? own : other
            if isOwn || other != own, let item = try ItemDocument.read(wanted.id, in: folder, store, at: .now) {
                return .document(item.document, item.source)
            }
            return .gone
        } catch {
            return .fault(try ItemFault(folder, error))
        }
    }
}
