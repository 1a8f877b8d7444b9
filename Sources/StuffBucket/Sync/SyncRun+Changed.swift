internal import Files
internal import Glibc
internal import Items

/// What is here and not in the exchange as it is.
extension SyncRun {
    /// An item whose look is not the one that the exchange has.
    struct Candidate: Sendable {
        let id: ItemID
        let folder: String
        let look: FolderLook
        /// The bytes of its files, but for those in closed folders.
        let byteCount: Int

        /// Whether the item's folder may not be read: it has no look.
        var isDenied: Bool { look == .unread }
    }

    /// Items that look as if they changed since the exchange got them, and those of which files that were too large are not any
    /// more, in order of their shards.
    func candidates() throws -> [Candidate] {
        var all: [Candidate] = []
        // The limit was raised since.
        let fitting = Set(
            memory.leftOut.filter { left in
                left.files.contains { $0.reason == .tooLarge && $0.byteCount <= reading.byteLimit }
            }.map(\.id))
        for name in try store.shards().names {
            try monitor.check()
            var ids: [ItemID] = []
            if try ItemError.denial({ ids = try store.shard(name).ids }) != nil {
                leave(Layout.items + "/" + name, .notReadable)
                // They are not missing.
                load(name)
                knownCounts[name] = known[name]?.count
                continue
            }
            let root = try store.root.duplicate()
            let shared = SharedFolder(root)
            let items = ids.map { (id: $0, last: known(of: $0)?.look) }
            let looks = try Workers.map(items, pieceSize: 64) { item in
                let folder = Layout.items + "/" + name + "/" + item.id.description
                return try Self.look(of: folder, last: item.last, in: shared.directory)
            }
            for (id, look) in zip(ids, looks) {
                guard let look else { continue }
                let known = known(of: id)
                if known != nil { knownCounts[name, default: 0] += 1 }
                if known?.look == look.look, !fitting.contains(id) { continue }
                // The folder in the item's own shard counts.
                let folder = Layout.items + "/" + name + "/" + id.description
                if name != id.shard, try store.folder(of: id) != folder { continue }
                all.append(Candidate(id: id, folder: folder, look: look.look, byteCount: look.byteCount))
            }
        }
        return all
    }

    /// - Returns: no look for a folder that may not be read: the item is read then, and named.
    private static func look(
        of folder: String, last: FolderLook?, in root: borrowing Directory
    ) throws(FileError) -> (look: FolderLook, byteCount: Int)? {
        do throws(FileError) {
            return try FolderLook.look(of: folder, in: root, last: last)
        } catch {
            if error.number == EACCES { return (.unread, 0) }
            throw error
        }
    }

    /// What reading an item gave.
    enum Reading: Sendable {
        case found(StateReading.Found)
        /// It travels once it can be read.
        case unreadable
        /// A program is writing the item: the next sync takes all of it.
        case changing
        /// No state may hold the path of its page or document, so nothing of the item travels until that has another name.
        case unnamable(path: String)
    }

    static func read(
        _ candidate: Candidate, _ last: PackedState?, _ records: [KnownFile]?, _ reading: StateReading
    ) throws -> Reading {
        do throws(ItemError) {
            let found = try reading.read(
                candidate.id, in: candidate.folder, last: last, records: records ?? [], areOthersWhole: records != nil)
            guard let found else { return .unreadable }
            guard let look = (try? FolderLook.look(of: candidate.folder, in: reading.store.root)) ?? nil,
                look.look == candidate.look
            else { return .changing }
            if let file = found.state.files.first(where: { !PackedState.isTaken($0.path) }) {
                return .unnamable(path: file.path)
            }
            return .found(found)
        } catch {
            return .unreadable
        }
    }

    /// Remembers an item that looks different and is as the exchange has it.
    func remember(
        _ state: PackedState, look: FolderLook, after last: PackedState, _ away: [PackedState.LeftOut]
    ) {
        var state = state
        state.bundles = last.bundles
        state.leftOut += away
        remember(state, look: look)
    }

    /// Tombstones and small files that the exchange does not have as they are here. One that cannot be read is named.
    func changedBesides() throws -> [(path: String, bytes: [UInt8], modified: Int64)] {
        var paths: [String] = []
        if try ItemError.denial({ paths = try store.tombstoneIDs().sorted().map(Layout.tombstone) }) != nil {
            leave(Layout.tombstones, .notReadable)
        }
        for folder in NamedFolder.allCases {
            let denial = try ItemError.denial {
                paths += try store.names(in: folder.path).filter(NamedFolder.isFile).sorted()
                    .map { folder.path + "/" + $0 }
            }
            if denial != nil { leave(folder.path, .notReadable) }
        }
        var changed: [(path: String, bytes: [UInt8], modified: Int64)] = []
        for path in paths {
            // A file that cannot be read now travels later.
            guard let contents = (try? store.root.contentsIfPresent(of: path, limit: Tombstone.byteLimit)) ?? nil,
                besides[path] != Items.ContentHash(of: contents.bytes)
            else { continue }
            guard NamedFolder.isReadable(contents.bytes) else {
                noteDamage(path)
                continue
            }
            changed.append((path, contents.bytes, contents.status.modified))
        }
        return changed
    }
}
