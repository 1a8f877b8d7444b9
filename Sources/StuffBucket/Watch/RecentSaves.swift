internal import Files
internal import Items
internal import Synchronization

/// What programs saved a moment ago as item.json and text.md, in memory: a copying program may replace a file before its
/// version is noted, and then nothing else has its bytes.
///
/// A version is noted when an item is at rest. A file is read here as soon as the kernel tells that it was saved.
final class RecentSaves: Sendable {
    /// A file that was saved on this device.
    struct Save: Sendable {
        let bytes: [UInt8]
        /// Its status when it was read.
        let status: FileStatus
        /// The version of the last state known then; `nil` if the item had none.
        let at: Items.ContentHash?
        let seen: ContinuousClock.Instant
    }

    private let store: ItemStore
    private let states: KnownStates?
    private let saves = Mutex(Saves())

    private struct Saves {
        private(set) var all: [ItemID: [Component: Save]] = [:]
        private var byteCount = 0

        subscript(_ id: ItemID, _ component: Component) -> Save? {
            get { all[id]?[component] }
            set {
                byteCount += (newValue?.bytes.count ?? 0) - (all[id]?[component]?.bytes.count ?? 0)
                all[id, default: [:]][component] = newValue
                if all[id]?.isEmpty == true { all[id] = nil }
                // More than a program saves one by one: the earlier ones are left to the sweep.
                if byteCount > RecentSaves.totalLimit {
                    all = [:]
                    byteCount = 0
                }
            }
        }
    }

    /// Larger files are left to the sweep.
    private static let byteLimit = 4 << 20
    /// Of all files together.
    private static let totalLimit = 32 << 20
    /// A file that nobody replaced for so long is noted.
    private static let patience = Duration.seconds(10)

    init(_ store: ItemStore) {
        self.store = store
        states = KnownStates(store)
    }

    /// Keeps a file that a program just saved, if it was written on this device. An empty file is of a program that is about
    /// to write.
    func keep(_ component: Component, of item: Sweep.Hint) {
        let path = Self.path(component, of: item.id, shard: item.shard)
        guard let file = (try? store.root.fileIfPresent(path)) ?? nil, let status = try? file.status(),
            status.byteCount > 0,
            ItemStore.isWrittenHere(birth: file.birth(), modified: status.modified, changed: status.changed),
            let bytes = try? file.readAll(expecting: status.byteCount, limit: Self.byteLimit)
        else { return }
        let save = Save(bytes: bytes, status: status, at: states?.read(item.id).at, seen: .now)
        saves.withLock { $0[item.id, component] = save }
    }

    /// Takes what another program replaced, and forgets what lay there long enough to be noted.
    func takeReplaced() -> [ItemID: [Component: Save]] {
        saves.withLock { saves in
            var taken: [ItemID: [Component: Save]] = [:]
            for (id, files) in saves.all {
                for (component, save) in files {
                    let now = try? store.root.statusIfPresent(of: Self.path(component, of: id, shard: id.shardNumber))
                    let isReplaced = now?.isSameVersion(as: save.status) != true
                    if isReplaced { taken[id, default: [:]][component] = save }
                    if isReplaced || .now - save.seen > Self.patience { saves[id, component] = nil }
                }
            }
            return taken
        }
    }

    /// Keeps saves of an item again, because they could not be noted, where no later ones are kept.
    func keepAgain(_ files: [Component: Save], of id: ItemID) {
        saves.withLock { saves in
            for (component, save) in files where saves[id, component] == nil { saves[id, component] = save }
        }
    }

    private static func path(_ component: Component, of id: ItemID, shard: UInt8) -> String {
        Layout.itemFolder(id, shard: shard) + "/" + (component == .item ? Layout.itemFile : Layout.textFile)
    }
}
