internal import Files
internal import Items

/// Finds the damaged files of items by the bytes that an export read. An export says what it found: what cannot be compared is no
/// damage, and stops nothing.
struct DamageLook {
    private let exchanges: [SyncFolder]
    /// What exchanges have of the items of one shard.
    private var states: (shard: String, found: [ItemID: PackedState]) = ("", [:])
    private var wanted: WantedFiles
    private var folder = ""
    private var sums: [String: (hash: Items.ContentHash, status: FileStatus)] = [:]

    init(_ store: ItemStore, _ monitor: Monitor) {
        wanted = WantedFiles(store, monitor)
        exchanges = (try? SyncFolder.all(store)) ?? []
    }

    /// Begins with the files of an item's folder.
    mutating func begin(_ folder: String) {
        self.folder = folder + "/"
        sums = [:]
    }

    /// Notes a file that was read, by its path relative to the library's folder. One outside the item is passed over.
    mutating func note(_ path: String, _ digits: String, _ status: FileStatus) {
        if folder.isEmpty || !path.hasPrefix(folder) { return }
        sums[String(path.dropFirst(folder.count))] = Items.ContentHash(hex: digits.utf8).map { ($0, status) }
    }

    /// The damaged files of the item that was begun, relative to its folder, sorted.
    mutating func damage(of stored: StoredItem) -> [String] {
        if states.shard != stored.id.shard {
            states = (stored.id.shard, [:])
            for exchange in exchanges {
                states.found.merge(exchange.states(stored.id.shard)) { first, _ in first }
            }
        }
        let before = wanted.found.count
        wanted.sums = sums
        try? wanted.look(stored, states.found[stored.id])
        return wanted.found[before...].filter { !$0.isDoubtful }.map(\.path).sorted()
    }
}
