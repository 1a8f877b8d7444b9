internal import Characters
internal import Files
internal import Items

/// The kernel's watches for the folders of a library, and what their events mean.
///
/// The watched folders: the library's own, items/, tombstones/ and their shards, those of collections, tags and smart
/// folders, inbox/ with its folders, each item's folder, and document/ and history/ where an item has them. assets/ and
/// snapshots/ need no watch: each change there changes item.json, too.
final class WatchedFiles {
    /// A change beside the items.
    enum Other {
        case settings, inbox
        case names(NamedFolder)
    }

    /// What a reading of events found besides.
    enum Found {
        case nothingSpecial
        /// Events are missing.
        case lost
        /// The library's folder was moved, removed or unmounted.
        case gone
        /// `.sbfs` was moved or removed.
        case deviceFolderGone
    }

    private let store: ItemStore
    private let root: String
    private let limit: Int
    private let saves: RecentSaves?
    /// `nil` without events.
    private var inotify: InotifyBox?
    private var table = WatchTable()
    private(set) var unwatchedCount = 0
    /// Whether the kernel refused a watch, or the limit is reached.
    private var isFull = false
    /// Whether nothing is known to be missing.
    private(set) var isComplete = true

    private final class InotifyBox {
        let queue: Inotify
        init() throws(FileError) { queue = try Inotify() }
    }

    /// The share of the kernel's watches that a library takes, so that other programs have some.
    private static let share = 0.8
    /// The kernel's smallest default (inotify(7)).
    private static let smallestLimit = 8192
    /// Watches that are left for items that come later.
    private static let reserve = 512

    /// - Parameter saves: gets what programs save, at once: a copying program may replace it soon after.
    init(_ store: ItemStore, limit: Int?, isPolling: Bool, saves: RecentSaves?) {
        self.store = store
        self.saves = saves
        root = store.root.path
        self.limit = limit ?? Int(Double(Inotify.watchLimit ?? Self.smallestLimit) * Self.share)
        let hasEvents = !isPolling && !store.root.isOnNetwork
        inotify = hasEvents ? try? InotifyBox() : nil
    }

    /// The descriptor to wait on; −1 without events.
    var number: Int32 { inotify?.queue.number ?? -1 }
    /// Whether there are no events.
    var isPolling: Bool { inotify == nil }
    /// Whether changes of some items or documents are not told by the kernel.
    var hasUnwatched: Bool { unwatchedCount > 0 || !isComplete }
    var watchedCount: Int { table.itemCount }
    var watchCount: Int { table.count }

    // MARK: Setting watches

    /// Sets all watches that are missing. Compare all files afterwards: events of before are lost.
    ///
    /// - Parameter plan: decides what is watched, from the number of items and of watches.
    func watchAll(_ plan: (_ items: Int, _ room: Int) throws -> WatchPlan) throws {
        if isPolling { return }
        isFull = false
        isComplete = true
        unwatchedCount = 0
        try watchSurroundings()
        var shards: [(UInt8, [ItemID])] = []
        var count = 0
        for name in try store.shards().names {
            let shard = UInt8(name, radix: 16) ?? 0
            set(Layout.items + "/" + name, .names, .shard(shard))
            let ids = items(in: name)
            count += ids.count
            shards.append((shard, ids))
        }
        // Some are left for new items.
        let chosen = try plan(count, limit - table.count - Self.reserve)
        for (shard, ids) in shards {
            for id in ids {
                if let items = chosen.chosen, !items.contains(id) {
                    unwatchedCount += 1
                } else {
                    watchItem(
                        Sweep.Hint(id: id, shard: shard), hasDocument: chosen.documents.contains(id),
                        hasHistory: chosen.histories.contains(id))
                }
            }
        }
    }

    private func watchSurroundings() throws {
        set("", [.names, .closedAfterWriting, .unmounted], .root)
        set(Layout.items, .names, .items)
        set(Layout.tombstones, .names, .tombstones)
        for folder in NamedFolder.allCases { set(folder.rawValue, .contents, .named(folder)) }
        if let names = try? store.root.directory(Layout.tombstones).entries() {
            for name in names.compactMap(\.name.string) where Layout.isShard(name) {
                set(Layout.tombstones + "/" + name, .names, .tombstoneShard(UInt8(name, radix: 16) ?? 0))
            }
        }
        watchInbox(Layout.inbox, depth: 0)
    }

    /// Folders of the inbox below this depth are looked at when the inbox is looked at for another reason.
    private static let inboxDepth = 16

    private func watchInbox(_ path: String, depth: Int) {
        if depth > Self.inboxDepth || set(path, .contents, .inbox) == nil { return }
        guard let entries = try? store.root.directory(path).entries() else { return }
        for entry in entries where entry.kind == .directory {
            if let name = entry.name.string { watchInbox(path + "/" + name, depth: depth + 1) }
        }
    }

    private func items(in shard: String) -> [ItemID] {
        var ids: [ItemID] = []
        guard let directory = try? store.root.directory(Layout.items + "/" + shard) else { return [] }
        try? directory.forEachName { name, kind in
            if kind == .directory || kind == .unknown, let id = ItemID(folderName: name) { ids.append(id) }
        }
        return ids
    }

    /// - Parameters:
    ///   - hasDocument: whether to look for a document. If one comes later, an event says so.
    ///   - hasHistory: whether to look for versions.
    /// - Returns: whether a watch was set that was not there.
    @discardableResult
    private func watchItem(_ item: Sweep.Hint, hasDocument: Bool = true, hasHistory: Bool = true) -> Bool {
        let folder = Layout.itemFolder(item.id, shard: item.shard)
        guard var isNew = set(folder, .contents, .item(item)) else { return false }
        for (isThere, name) in [(hasDocument, Layout.document), (hasHistory, Layout.history)] where isThere {
            isNew = set(folder + "/" + name, .contents, .part(item)) ?? false || isNew
        }
        return isNew
    }

    /// Sets the watches that items need now.
    ///
    /// - Returns: the items that got a watch: they are compared again, since their files may have changed before.
    func watchNew(_ items: [Sweep.Hint]) throws -> [Sweep.Hint] {
        if isPolling || hasUnwatched { return [] }
        return items.filter { watchItem($0) }
    }

    /// - Parameter path: relative to the library's folder; empty for that folder.
    /// - Returns: whether the folder was not watched before; `nil` if there is no such folder or no watch is left.
    @discardableResult
    private func set(_ path: String, _ kinds: Inotify.Kinds, _ place: WatchTable.Place) -> Bool? {
        guard let inotify else { return nil }
        do throws(FileError) {
            let watch = try inotify.queue.watch(path.isEmpty ? root : root + "/" + path, for: kinds)
            if table[watch] != nil || (table.count < limit && !isFull) { return table.add(watch, place) }
            inotify.queue.end(watch)
            refuse(place)
        } catch {
            if error.isAbsent || error.isEscape { return nil }
            // No watch is left, or the folder cannot be read: it is compared at intervals.
            if error.isOutOfSpace { refuse(place) } else if case .item = place { unwatchedCount += 1 }
        }
        return nil
    }

    /// Notes that there is no watch for a folder.
    private func refuse(_ place: WatchTable.Place) {
        isFull = true
        isComplete = false
        if case .item = place { unwatchedCount += 1 }
    }

    // MARK: Events

    /// Takes all events that are queued.
    ///
    /// - Parameters:
    ///   - item: called with each item that may have changed.
    ///   - other: called with each other change.
    func drain(item: (Sweep.Hint) -> Void, other: (Other) -> Void) throws -> Found {
        guard let inotify else { return .nothingSpecial }
        var found = Found.nothingSpecial
        while try inotify.queue.read({ event in
            switch take(event, item, other) {
            case .nothingSpecial: break
            case .lost: if case .nothingSpecial = found { found = .lost }
            case .gone: found = .gone
            case .deviceFolderGone: if found != .gone { found = .deviceFolderGone }
            }
        }) {}
        return found
    }

    private func take(_ event: Inotify.Event, _ item: (Sweep.Hint) -> Void, _ other: (Other) -> Void) -> Found {
        if event.kinds.contains(.overflow) { return .lost }
        guard let place = table[event.watch] else { return .nothingSpecial }
        if event.kinds.contains(.ended) {
            table.remove(event.watch)
            switch place {
            case .root: return .gone
            case .items, .shard: return .lost
            default: return .nothingSpecial
            }
        }
        if event.kinds.contains(.unmounted) { return .gone }
        switch place {
        case .root: return takeRoot(event, other)
        case .items:
            if isAway(event) { return .lost }
            return takeShard(event, item)
        case .shard(let shard):
            if isAway(event) { return .lost }
            guard let id = ItemID(folderName: event.name) else { return .nothingSpecial }
            let hint = Sweep.Hint(id: id, shard: shard)
            if event.kinds.contains(.created) || event.kinds.contains(.movedTo) { watchItem(hint) }
            item(hint)
        case .item(let hint): takeItem(event, hint, item)
        case .part(let hint):
            // A folder that moved away has left its item.
            if isAway(event) { end(event.watch) }
            if !isTemporary(event.name) { item(hint) }
        case .tombstones:
            if event.kinds.contains(.folder), let name = name(event), Layout.isShard(name) {
                set(Layout.tombstones + "/" + name, .names, .tombstoneShard(UInt8(name, radix: 16) ?? 0))
                return .lost
            }
        case .tombstoneShard:
            if let id = name(event).flatMap({ $0.hasSuffix(".json") ? ItemID(String($0.dropLast(5))) : nil }) {
                item(Sweep.Hint(id: id, shard: id.shardNumber))
            }
        case .named(let folder):
            if isAway(event) { end(event.watch) }
            if !isTemporary(event.name) { other(.names(folder)) }
        case .inbox:
            if isAway(event) { end(event.watch) }
            if event.kinds.contains(.folder), !event.kinds.isDisjoint(with: [.created, .movedTo]) {
                watchInbox(Layout.inbox, depth: 0)
            }
            other(.inbox)
        }
        return .nothingSpecial
    }

    private func takeRoot(_ event: Inotify.Event, _ other: (Other) -> Void) -> Found {
        if isAway(event) { return .gone }
        guard let name = name(event) else { return .nothingSpecial }
        if name == Layout.libraryFile { other(.settings) }
        if name == Layout.device, !event.kinds.isDisjoint(with: [.deleted, .movedFrom]) { return .deviceFolderGone }
        if event.kinds.contains(.folder), !event.kinds.isDisjoint(with: [.created, .movedTo]) {
            if name == Layout.items || name == Layout.tombstones { return .lost }
            if name == Layout.inbox {
                watchInbox(Layout.inbox, depth: 0)
                other(.inbox)
            }
            if let folder = NamedFolder(rawValue: name) {
                set(name, .contents, .named(folder))
                other(.names(folder))
            }
        }
        return .nothingSpecial
    }

    private func takeShard(_ event: Inotify.Event, _ item: (Sweep.Hint) -> Void) -> Found {
        guard event.kinds.contains(.folder), let name = name(event), Layout.isShard(name) else {
            return .nothingSpecial
        }
        // A shard that went takes items along that have no event of their own.
        if !event.kinds.isDisjoint(with: [.movedFrom, .deleted]) { return .lost }
        let shard = UInt8(name, radix: 16) ?? 0
        set(Layout.items + "/" + name, .names, .shard(shard))
        for id in items(in: name) {
            let hint = Sweep.Hint(id: id, shard: shard)
            watchItem(hint)
            item(hint)
        }
        return .nothingSpecial
    }

    private func takeItem(_ event: Inotify.Event, _ hint: Sweep.Hint, _ item: (Sweep.Hint) -> Void) {
        if event.kinds.contains(.selfMoved) {
            // A folder that moved within the library has its new place in the table already.
            let folder = Layout.itemFolder(hint.id, shard: hint.shard)
            if (try? store.root.statusIfPresent(of: folder)) ?? nil == nil { end(event.watch) }
        }
        if isTemporary(event.name) { return }
        if !event.kinds.isDisjoint(with: [.closedAfterWriting, .movedTo]) {
            if event.name.elementsEqual(Self.textFile) { saves?.keep(.text, of: hint) }
            if event.name.elementsEqual(Self.itemFile) { saves?.keep(.item, of: hint) }
        }
        if event.kinds.contains(.folder), let name = name(event), name == Layout.assets || name == Layout.snapshots {
            return
        }
        if event.kinds.contains(.folder), !event.kinds.isDisjoint(with: [.created, .movedTo]) { watchItem(hint) }
        item(hint)
    }

    /// Whether a watched folder itself was moved or removed.
    private func isAway(_ event: Inotify.Event) -> Bool {
        !event.kinds.isDisjoint(with: [.selfMoved, .selfDeleted])
    }

    private func end(_ watch: Int32) {
        inotify?.queue.end(watch)
        table.remove(watch)
    }

    private func name(_ event: Inotify.Event) -> String? {
        event.name.isEmpty ? nil : String(validating: event.name, as: UTF8.self)
    }

    private static let itemFile = Array(Layout.itemFile.utf8)
    private static let textFile = Array(Layout.textFile.utf8)

    private func isTemporary(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // Nearly all events are about these two.
        if name.isEmpty || name.elementsEqual(Self.itemFile) || name.elementsEqual(Self.textFile) { return false }
        return Layout.isTemporary(String(decoding: name, as: UTF8.self))
    }
}
