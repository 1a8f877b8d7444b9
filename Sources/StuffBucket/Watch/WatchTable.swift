internal import Files
internal import Items

/// Which folder of the library each watch of the kernel belongs to.
struct WatchTable {
    /// A watched folder.
    enum Place: Hashable {
        case root, items, tombstones, inbox
        case shard(UInt8)
        case tombstoneShard(UInt8)
        case named(NamedFolder)
        case item(Sweep.Hint)
        /// document/ of an item.
        case document(Sweep.Hint)
    }

    private struct ItemWatches {
        var folder: Int32 = -1
        var document: Int32 = -1
    }

    private var places: [Int32: Place] = [:]
    private var items: [Sweep.Hint: ItemWatches] = [:]

    /// The number of watches.
    var count: Int { places.count }
    /// The number of watched items.
    var itemCount: Int { items.count }

    subscript(watch: Int32) -> Place? { places[watch] }

    mutating func add(_ watch: Int32, _ place: Place) {
        // The kernel gives a folder that moved its old number.
        if let before = places[watch], before != place { remove(watch) }
        places[watch] = place
        switch place {
        case .item(let item): items[item, default: ItemWatches()].folder = watch
        case .document(let item): items[item, default: ItemWatches()].document = watch
        default: break
        }
    }

    /// Forgets a watch that has ended.
    mutating func remove(_ watch: Int32) {
        switch places.removeValue(forKey: watch) {
        case .item(let item): change(item) { if $0.folder == watch { $0.folder = -1 } }
        case .document(let item): change(item) { if $0.document == watch { $0.document = -1 } }
        default: break
        }
    }

    private mutating func change(_ item: Sweep.Hint, _ body: (inout ItemWatches) -> Void) {
        guard var watches = items[item] else { return }
        body(&watches)
        items[item] = watches.folder < 0 && watches.document < 0 ? nil : watches
    }

    func isWatched(_ item: Sweep.Hint) -> Bool { items[item].map { $0.folder >= 0 } ?? false }
    func isDocumentWatched(_ item: Sweep.Hint) -> Bool { items[item].map { $0.document >= 0 } ?? false }
}
