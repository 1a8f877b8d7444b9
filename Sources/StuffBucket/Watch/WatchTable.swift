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
        /// document/ or history/ of an item.
        case part(Sweep.Hint)
    }

    private var places: [Int32: Place] = [:]
    /// The number of watched items.
    private(set) var itemCount = 0

    /// The number of watches.
    var count: Int { places.count }

    subscript(watch: Int32) -> Place? { places[watch] }

    /// - Returns: whether the folder was not watched before.
    @discardableResult
    mutating func add(_ watch: Int32, _ place: Place) -> Bool {
        // The kernel gives a folder that is watched already, or that moved, its old number.
        let before = places.updateValue(place, forKey: watch)
        if before == place { return false }
        if let before { count(before, -1) }
        count(place, 1)
        return true
    }

    /// Forgets a watch that has ended.
    mutating func remove(_ watch: Int32) {
        if let place = places.removeValue(forKey: watch) { count(place, -1) }
    }

    private mutating func count(_ place: Place, _ change: Int) {
        if case .item = place { itemCount += change }
    }
}
