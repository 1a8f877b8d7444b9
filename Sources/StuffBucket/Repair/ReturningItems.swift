internal import Items

/// The states of items that come back from an exchange, as its packs have them: those that no other one follows.
///
/// A state names the files of one moment. So of an item only the newest state is joined, with the versions of all: an earlier one would
/// bring a document under a name that it has no more.
struct ReturningItems {
    /// A state that no other one follows yet.
    struct Newest {
        let state: PackedState
        let pack: Items.ContentHash
    }

    /// A state that came back without some of its files.
    struct Lacking {
        let id: ItemID
        let pack: Items.ContentHash
        /// Relative to the item's folder, sorted.
        let paths: [String]
        /// The objects that the exchange lacks: paths in it, sorted.
        let objects: [String]

        /// - Parameter missing: the objects that the exchange lacks.
        /// - Returns: `nil` if the state needs none of them.
        init?(_ newest: Newest, _ missing: Set<String>) {
            var objects: [String: String] = [:]
            for file in newest.state.files {
                let bundle = PackedState.bundle(of: file.path)
                let name = bundle.flatMap { folder in newest.state.bundles.first { $0.folder == folder }?.sha256 }
                let object = ExchangeLayout.object(name ?? file.sha256, bundle == nil ? .raw : .tar)
                if missing.contains(object) { objects[file.path] = object }
            }
            if objects.isEmpty { return nil }
            id = newest.state.id
            pack = newest.pack
            paths = objects.keys.sorted()
            self.objects = Set(objects.values).sorted()
        }
    }

    let ids: Set<ItemID>
    private var newest: [ItemID: [Newest]] = [:]
    /// The device that names a pack, as a number, and which of its packs that is.
    private var places: [Items.ContentHash: (device: Int, index: Int)] = [:]
    private let deviceCount: Int
    /// How many packs of each device precede a pack: a device takes the packs of another one in their order.
    private var before: [Items.ContentHash: [Int32]] = [:]

    /// - Parameter lists: the packs of each device, the earliest first.
    init(_ ids: Set<ItemID>, _ lists: [[Items.ContentHash]]) {
        self.ids = ids
        deviceCount = lists.count
        for (device, packs) in lists.enumerated() {
            for (index, pack) in packs.enumerated() where places[pack] == nil { places[pack] = (device, index) }
        }
    }

    /// Notes what a pack follows. To be called for each pack that was read, before its states are added.
    mutating func note(_ pack: Items.ContentHash, after: [Items.ContentHash]) {
        var counts = [Int32](repeating: 0, count: deviceCount)
        for earlier in after {
            if let place = places[earlier] { counts[place.device] = max(counts[place.device], Int32(place.index + 1)) }
            for (device, count) in (before[earlier] ?? []).enumerated() { counts[device] = max(counts[device], count) }
        }
        before[pack] = counts
    }

    private func precedes(_ earlier: Items.ContentHash, _ later: Items.ContentHash) -> Bool {
        guard let place = places[earlier], let counts = before[later] else { return false }
        return counts[place.device] > place.index
    }

    /// Adds a state of one of the items.
    ///
    /// - Parameter isReplaced: whether a path of the earlier state, which the later one lacks, is that of a document that the later one
    ///   does not name any more.
    mutating func add(
        _ state: PackedState, in pack: Items.ContentHash,
        isReplaced: (_ path: String, _ later: Newest) throws -> Bool
    ) rethrows {
        let new = Newest(state: state, pack: pack)
        let known = newest[state.id] ?? []
        if try known.contains(where: { try isFollowed(new, by: $0, isReplaced) }) { return }
        newest[state.id] = try known.filter { try !isFollowed($0, by: new, isReplaced) } + [new]
    }

    /// The states to join: in each round one of every item, sorted by id.
    func round(_ number: Int) -> [Newest] {
        newest.values.filter { $0.count > number }.map { $0[number] }.sorted { $0.state.id < $1.state.id }
    }

    private func isFollowed(
        _ earlier: Newest, by later: Newest, _ isReplaced: (_ path: String, _ later: Newest) throws -> Bool
    ) rethrows -> Bool {
        let (old, new) = (earlier.state, later.state)
        guard Set(new.history).isSuperset(of: old.history),
            precedes(earlier.pack, later.pack) || new.history.count > old.history.count
        else { return false }
        let left = Set(new.leftOut.map(\.path))
        let here = Set(new.files.map(\.path).filter { !left.contains(PackedState.bundle(of: $0) ?? $0) })
        let pasts = new.ownPasts
        for (key, past) in old.ownPasts {
            let path = String(decoding: key, as: UTF8.self)
            if let now = pasts[key] {
                if ![.same, .earlier].contains(past.order(to: now)) { return false }
            } else if past.now != nil, try !here.contains(path) && !isReplaced(path, later) {
                return false
            }
        }
        let own = old.ownFiles
        return try old.files.allSatisfy { file in
            try here.contains(file.path) || own[Array(file.path.utf8)] != nil || isReplaced(file.path, later)
        }
    }
}
