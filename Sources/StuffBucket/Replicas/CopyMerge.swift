internal import Files
internal import Items
internal import JSONFormat
internal import Synchronization

/// Joins another copy of the library into this one: Documentation/Merge.md § 4. The other copy is only read.
struct CopyMerge {
    private let library: Library
    private let other: ItemStore
    private let monitor: Monitor
    /// Whether nothing is written, and the report says what would be.
    private let isDry: Bool
    /// Files of items that the other copy has with the bytes that they have here, and that are not in its folder. An exchange
    /// brings no bytes that are here. `nil` if the other copy is not from an exchange.
    private let sameHere: [ItemID: [Version.File]]?
    /// Items whose files differ from the index: nothing is noted where nothing is written.
    private let changed: Set<ItemID>
    /// The items that are joined; `nil` for all.
    private let only: Set<ItemID>?
    /// What was done so far, also if an error ended it.
    private(set) var report = MergeReport()
    /// Items in both, with their folders.
    private var common: [(id: ItemID, ours: String, theirs: String)] = []
    /// Items that only the other copy has, with their folders.
    private var new: [(id: ItemID, theirs: String)] = []
    /// Of the items in both, those that are the same.
    private var equal: Set<ItemID> = []

    private var store: ItemStore { library.store }

    init(
        _ library: Library, _ other: ItemStore, isDry: Bool, sameHere: [ItemID: [Version.File]]? = nil,
        changed: Set<ItemID> = [], only: Set<ItemID>? = nil, _ monitor: Monitor
    ) {
        self.only = only
        self.library = library
        self.other = other
        self.isDry = isDry
        self.sameHere = sameHere
        self.changed = changed
        self.monitor = monitor
    }

    mutating func run() throws -> MergeReport {
        try list()
        try nameSpecialFiles()
        let total = common.count + new.count
        if isDry {
            for (count, item) in new.enumerated() {
                report.added.append(item.id)
                monitor.show(count + 1, of: total)
            }
            try lookAtSmallFiles()
        } else {
            try bringNew(total)
        }
        try meetCommon(total)
        try bringTombstones()
        return report
    }

    // MARK: Which items

    private mutating func list() throws {
        try library.session.findMisplaced()
        for name in try other.shards().names {
            var readable: ItemStore.Shard?
            if let denial = try ItemError.denial({ readable = try other.shard(name) }) {
                leave(Layout.items + "/" + name, denial)
            }
            guard let shard = readable else { continue }
            for stray in shard.strays {
                guard let file = stray.name.string, ItemID(file) != nil, stray.kind != .directory else { continue }
                let path = "\(Layout.items)/\(name)/\(file)"
                report.left.append(.init(path, .leftOut(.notFile(Self.special(stray.kind)))))
            }
            for id in shard.ids {
                try monitor.check()
                if let only, !only.contains(id) { continue }
                let theirs = Layout.items + "/" + name + "/" + id.description
                // The folder in the item's own shard counts.
                if name != id.shard, try other.folder(of: id) != theirs {
                    report.left.append(.init(theirs, .leftOut(.secondFolder)))
                    continue
                }
                var ours: String?
                // A shard here that may not be read is named once.
                if let denial = try ItemError.denial({ ours = try library.session.folder(of: id) }) {
                    leave(Layout.items + "/" + id.shard, denial)
                    continue
                }
                if let ours {
                    common.append((id, ours, theirs))
                } else if let status = try store.root.statusIfPresent(of: Layout.itemFolder(id)) {
                    let path = store.root.full(Layout.itemFolder(id))
                    let refusal = Refusal.wrongKind(path: path, status.kind, expected: .directory)
                    report.left.append(.init(theirs, .fault(.refused(refusal))))
                } else {
                    var isPurged = false
                    if let denial = try ItemError.denial({ isPurged = try self.isPurged(id, theirs) }) {
                        leave(Layout.tombstone(id), denial)
                    } else if isPurged {
                        report.purgedHere.append(id)
                    } else {
                        new.append((id, theirs))
                    }
                }
            }
        }
    }

    /// Whether an item of the other copy was purged here, in a state that the purge saw.
    private mutating func isPurged(_ id: ItemID, _ theirs: String) throws -> Bool {
        guard let tombstone = try store.tombstoneContents(of: id) else { return false }
        do throws(ItemError) {
            guard let glance = try other.glance(id, in: theirs) else { return false }
            return try tombstone.purges(glance, in: other)
        } catch {
            return false
        }
    }

    // MARK: New items

    /// Takes items and small files that only the other copy has, as an import of a full export does.
    private mutating func bringNew(_ total: Int) throws {
        var left: [LeftOut] = []
        try withUnsafeMutablePointer(to: &left) { left in
            let unpacking = try Unpacking(library.session) { left.pointee.append($0) }
            do {
                for (count, item) in new.enumerated() {
                    try monitor.check()
                    let denial = try ItemError.denial { _ = try other.root.directory(item.theirs).entries() }
                    if let denial {
                        leave(item.theirs, denial)
                        continue
                    }
                    try bring(other.root.directory(item.theirs), item.theirs, unpacking)
                    monitor.show(count + 1, of: total)
                }
                for (folder, name) in try smallFiles() {
                    let path = folder.path + "/" + name
                    let denial = try ItemError.denial {
                        if try store.root.statusIfPresent(of: path) == nil {
                            try bringFile(other.root, path, path, unpacking)
                            report.smallFiles.append(path)
                        }
                    }
                    if let denial { leave(path, denial) }
                }
                try unpacking.finish()
            } catch {
                unpacking.abandon()
                report.added = newItemsHere()
                throw error
            }
        }
        report.left += left.map { MergeReport.Left($0.path, .leftOut($0.reason)) }
        let refused = Set(left.map(\.path))
        report.smallFiles.removeAll(where: refused.contains)
        // What was left out of an item is named; an item that was left out whole is not here.
        report.added = newItemsHere()
        try joinSmallFiles()
    }

    private func newItemsHere() -> [ItemID] {
        new.map(\.id).filter { id in (try? library.session.folder(of: id) == nil) == false }
    }

    private func bring(_ folder: borrowing Directory, _ path: String, _ unpacking: Unpacking) throws {
        try unpacking.folder(path, permissions: folder.status().permissions)
        for entry in try folder.entries().sorted(by: { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }) {
            try monitor.check()
            guard let name = entry.name.string else {
                unpacking.leaveOut(path + "/" + entry.name.repaired, .notUTF8)
                continue
            }
            // Names that a program gives to files that it writes.
            if Layout.isTemporary(name), entry.kind == .regular, !CopyName.isMarked(name), !name.hasPrefix(".") {
                continue
            }
            let inner = path + "/" + name
            switch entry.kind {
            case .directory: try bring(folder.directory(name), inner, unpacking)
            case .regular: try bringFile(folder, name, inner, unpacking)
            default: unpacking.leaveOut(inner, .notFile(Self.special(entry.kind)))
            }
        }
    }

    private static func special(_ kind: FileKind) -> LeftOut.Special {
        switch kind {
        case .symbolicLink: .symbolicLink
        case .fifo: .fifo
        case .device: .device
        default: .unknown
        }
    }

    private func bringFile(
        _ folder: borrowing Directory, _ name: String, _ path: String, _ unpacking: Unpacking
    ) throws {
        let file = try folder.file(name)
        let status = try file.status()
        try withoutActuallyEscaping({ try file.readChunk(1 << 20) }) { read in
            try unpacking.file(
                path,
                Unpacking.File(
                    byteCount: status.byteCount, permissions: status.permissions, modified: status.modified,
                    read: read))
        }
    }

    // MARK: Items in both

    /// Several at once: most of the time goes into waiting for the disk.
    private mutating func meetCommon(_ total: Int) throws {
        let meeting = ItemMeeting(library, other, isDry: isDry, isFromExchange: sameHere != nil, changed: changed)
        let (monitor, common, sameHere) = (monitor, common, sameHere)
        let done = Atomic<Int>(new.count)
        let failure = Mutex<ItemError?>(nil)
        let outcomes = try Workers.map(common, pieceSize: 8, threads: Self.threadCount) {
            item -> ItemMeeting.Outcome? in
            if failure.withLock({ $0 != nil }) { return nil }
            do throws(ItemError) {
                try monitor.check()
                defer { monitor.show(done.wrappingAdd(1, ordering: .relaxed).newValue, of: total) }
                return try meeting.meet(
                    item.id, ours: item.ours, theirs: item.theirs, same: sameHere?[item.id] ?? [])
            } catch {
                var endsAll = error.concernsTheDisk && !error.isDenied
                if case .cancelled = error { endsAll = true }
                if !endsAll { return ItemMeeting.Outcome(left: [.init(item.theirs, .fault(error))]) }
                failure.withLock { $0 = $0 ?? error }
                return nil
            }
        }
        for (item, outcome) in zip(common, outcomes) {
            guard let outcome else { continue }
            report.left += outcome.left
            report.kept += outcome.kept
            switch outcome.state {
            case .same: equal.insert(item.id)
            case .newer: report.newer.append(item.id)
            case .joined: report.joined.append(item.id)
            case .left: break
            }
            if outcome.conflictCount > 0 {
                report.conflicted.append(item.id)
                report.conflictCounts[item.id] = outcome.conflictCount
            }
        }
        report.sameCount = equal.count
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static let threadCount = 8

    // MARK: Small files

    /// The files of collections/, tags/ and smart/ in the other copy. `nameSpecialFiles` names folders that may not be read.
    private func smallFiles() throws -> [(folder: NamedFolder, name: String)] {
        var files: [(folder: NamedFolder, name: String)] = []
        for folder in NamedFolder.allCases {
            _ = try ItemError.denial {
                try lookInto(folder)
                files += try other.fileNames(in: folder.path)
                    .filter { $0.hasSuffix(".json") && !Layout.isTemporary($0) }.sorted().map { (folder, $0) }
            }
        }
        return files
    }

    /// Whether files of a folder here can be looked at.
    private func lookInto(_ folder: NamedFolder) throws {
        _ = try store.root.statusIfPresent(of: folder.path + "/" + Layout.libraryFile)
    }

    /// Names what permissions refuse, once.
    private mutating func leave(_ path: String, _ denial: ItemError) {
        if !report.left.contains(where: { $0.path == path }) { report.left.append(.init(path, .fault(denial))) }
    }

    /// Names what stands in the place of small files and is no file: a link could lead anywhere. Names folders of them that may not
    /// be read, here or there.
    private mutating func nameSpecialFiles() throws {
        for folder in NamedFolder.allCases {
            let denial = try ItemError.denial {
                guard let directory = try other.directoryIfPresent(folder.path) else { return }
                try lookInto(folder)
                for entry in try directory.entries() where entry.kind != .regular {
                    guard let name = entry.name.string, name.hasSuffix(".json") else { continue }
                    report.left.append(.init(folder.path + "/" + name, .leftOut(.notFile(Self.special(entry.kind)))))
                }
            }
            if let denial { leave(folder.path, denial) }
        }
    }

    /// What `bringNew` and `joinSmallFiles` would do.
    private mutating func lookAtSmallFiles() throws {
        for (folder, name) in try smallFiles() {
            let path = folder.path + "/" + name
            let denial = try ItemError.denial {
                if try store.root.statusIfPresent(of: path) == nil { report.smallFiles.append(path) }
            }
            if let denial { leave(path, denial) }
        }
        try joinSmallFiles()
    }

    private func modified(_ path: String, _ store: ItemStore) throws -> Int64 {
        try store.root.statusIfPresent(of: path)?.modified ?? 0
    }

    /// Joins those that both have. Of two values of a key, the later one stands.
    private mutating func joinSmallFiles() throws {
        for (folder, name) in try smallFiles() {
            let path = folder.path + "/" + name
            if report.smallFiles.contains(path) { continue }
            if let denial = try ItemError.denial({ try join(folder, name, path) }) { leave(path, denial) }
        }
        let waiting = try other.names(in: Layout.inbox).filter { $0 != "rejected" && !$0.hasPrefix(".") }
        if !waiting.isEmpty { report.left.append(.init(Layout.inbox, .inbox(count: waiting.count))) }
    }

    private mutating func join(_ folder: NamedFolder, _ name: String, _ path: String) throws {
        let limit = Layout.settingsByteLimit
        guard let theirs = try other.root.contentsIfPresent(of: path, limit: limit)?.bytes,
            let ours = try store.root.contentsIfPresent(of: path, limit: limit)?.bytes, ours != theirs
        else { return }
        let times = try (modified(path, store), modified(path, other))
        guard let joined = NamedUnion(NamedState(ours, modified: times.0), NamedState(theirs, modified: times.1))
        else {
            report.left.append(.init(path, .differs))
            return
        }
        if !joined.lost.isEmpty { report.left.append(.init(path, .newerStands(keys: joined.lost))) }
        if joined.isUnsure { report.left.append(.init(path, .deletionStands)) }
        if joined.bytes == ours { return }
        if try isDry
            || library.session.replaceNamed(folder, name, ours, with: joined.bytes, modified: joined.modified)
        {
            report.smallFiles.append(path)
        } else {
            report.left.append(.init(path, .differs))
        }
    }

    // MARK: Purged items

    /// Takes the other copy's tombstones of items that are here as the purge saw them.
    private mutating func bringTombstones() throws {
        var ids: [ItemID] = []
        if let denial = try ItemError.denial({ ids = try other.tombstoneIDs() }) { leave(Layout.tombstones, denial) }
        for id in ids {
            try monitor.check()
            // One that cannot be read says nothing.
            guard let tombstone = (try? other.tombstoneContents(of: id)) ?? nil else { continue }
            var isPurged = false
            if let denial = try ItemError.denial({ isPurged = try bring(tombstone, of: id) }) {
                leave(Layout.tombstone(id), denial)
            }
            if !isPurged { continue }
            report.purgedThere.append(id)
            report.joined.removeAll { $0 == id }
            report.newer.removeAll { $0 == id }
            report.conflicted.removeAll { $0 == id }
            report.conflictCounts[id] = nil
            if equal.remove(id) != nil { report.sameCount -= 1 }
        }
    }

    /// - Returns: whether an item that was here is purged.
    private func bring(_ tombstone: Tombstone, of id: ItemID) throws(ItemError) -> Bool {
        guard let ours = try library.session.folder(of: id),
            // An item that was changed or restored where the purge did not see it lives on.
            let here = (try? store.glance(id, in: ours)) ?? nil, try tombstone.purges(here, in: store)
        else {
            if !isDry { try library.session.keepTombstone(tombstone, of: id) }
            return false
        }
        if !isDry { try library.session.purgeAgain(here.stored, tombstone) }
        return true
    }
}
