internal import Items

/// A pack that was unpacked.
struct UnpackedPack {
    var header: PackHeader?
    var states: [PackedState] = []
}

/// Packs that follow each other and are joined at once: of an item, only the last state counts.
///
/// So a device that joins late does not take the edits of others one after the other, as if they had been made here.
struct PackBatch {
    private(set) var packs: [(pack: Items.ContentHash, device: ItemID)] = []
    /// The pack with the state of an item that counts.
    private(set) var owners: [ItemID: Items.ContentHash] = [:]
    private(set) var besides: [PackHeader.Beside] = []
    private var statesByID: [ItemID: PackedState] = [:]
    private var besideOwners: [String: Items.ContentHash] = [:]
    /// The packs of the batch that precede each one.
    private var before: [Items.ContentHash: Set<Items.ContentHash>] = [:]
    static let itemLimit = 2_000
    private static let packLimit = 256

    /// The states that count.
    var states: [PackedState] { statesByID.values.sorted { $0.id < $1.id } }

    /// Whether the batch has to be joined before more comes.
    var isFull: Bool { owners.count >= Self.itemLimit || packs.count >= Self.packLimit }

    /// Whether a pack may come to the batch: what it has of the batch was written by a device that had taken that, and no
    /// file of it is missing in the later state.
    func canAdd(_ unpacked: UnpackedPack) -> Bool {
        let earlier = preceding(unpacked)
        let isLater = unpacked.states.allSatisfy { state in
            // What was purged, and edited elsewhere, meets one after the other.
            if besideOwners[Layout.tombstone(state.id)] != nil { return false }
            guard let owner = owners[state.id], let last = statesByID[state.id] else { return true }
            return earlier.contains(owner) && state.holdsAll(of: last)
        }
        return isLater
            && (unpacked.header?.besides ?? []).allSatisfy { beside in
                if let id = beside.purged, owners[id] != nil { return false }
                return besideOwners[beside.path].map(earlier.contains) ?? true
            }
    }

    private func preceding(_ unpacked: UnpackedPack) -> Set<Items.ContentHash> {
        (unpacked.header?.after ?? []).reduce(into: []) { all, pack in
            guard let more = before[pack] else { return }
            all.formUnion(more)
            all.insert(pack)
        }
    }

    mutating func add(_ unpacked: UnpackedPack, _ pack: Items.ContentHash, _ device: ItemID) {
        before[pack] = preceding(unpacked)
        packs.append((pack, device))
        for state in unpacked.states {
            owners[state.id] = pack
            statesByID[state.id] = state
        }
        for beside in unpacked.header?.besides ?? [] {
            if besideOwners.updateValue(pack, forKey: beside.path) != nil {
                besides.removeAll { $0.path == beside.path }
            }
            besides.append(beside)
        }
    }
}

extension PackedState {
    /// Whether this state has every path, and each version and bundle's folder, that an earlier one has, and the exchange
    /// holds the files. A file of the person's own must be the same, or come from the earlier one.
    func holdsAll(of earlier: PackedState) -> Bool {
        let left = Set(leftOut.map(\.path))
        let paths = Set(files.map(\.path).filter { !left.contains(Self.bundle(of: $0) ?? $0) })
        let own = ownPasts
        let comesFromEarlier = earlier.ownPasts.allSatisfy { path, past in
            own[path].map { [.same, .earlier].contains(past.order(to: $0)) } ?? (past.now == nil)
        }
        return comesFromEarlier && earlier.files.allSatisfy { paths.contains($0.path) }
            && Set(history).isSuperset(of: earlier.history)
            && (text != nil || earlier.text == nil)
    }
}
