internal import Files
internal import Items
private import Synchronization

/// The manifest of one view, in `.sbfs/views/<id>`: what the view holds, and what is about to be written. DeviceFiles.md § D8.
///
/// Legal order for an item: `intend` before its files are changed, then the changes, then `settle`.
final class ViewManifest: Sendable {
    let directory: Directory

    static let lockName = "lock"
    private static let items = "items"
    private static let behind = "behind"
    /// A longer file of an item is written again instead of growing.
    private static let usualByteCount = 16384
    private static let byteLimit = 64 << 20

    init(_ directory: consuming Directory) { self.directory = directory }

    private static func path(_ id: ItemID) -> String { items + "/" + id.shard + "/" + id.description }

    // MARK: Items

    /// The last whole line of an item's file; `nil` if there is none.
    func item(_ id: ItemID) throws(FileError) -> ViewItem? {
        guard let contents = try directory.contentsIfPresent(of: Self.path(id), limit: Self.byteLimit) else {
            return nil
        }
        let lines = contents.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        // What is behind the last line end is torn.
        for line in lines.dropLast().reversed() where !line.isEmpty {
            if let item = ViewItem(line: Array(line)) { return item }
        }
        return nil
    }

    /// Writes down what an item's files may be from now on: all that were, and all that will be.
    ///
    /// - Parameter isSynced: whether to wait until it is on the disk; otherwise the caller calls `sync`.
    func intend(_ id: ItemID, _ item: ViewItem, isSynced: Bool) throws(FileError) {
        try write(id, item)
        if isSynced { try directory.file(Self.path(id)).syncData() }
    }

    /// Waits until everything is on the disk.
    func sync() throws(FileError) { try directory.syncFileSystem() }

    /// Writes down what an item's files are. Not synced: after a loss of power, the line before it tells enough.
    func settle(_ id: ItemID, _ item: ViewItem) throws(FileError) {
        if item.entries.isEmpty {
            do throws(FileError) {
                try directory.directory(Self.items + "/" + id.shard).removeFile(id.description)
            } catch let error where error.isAbsent {}
        } else {
            try write(id, item)
        }
    }

    private func write(_ id: ItemID, _ item: ViewItem) throws(FileError) {
        let path = Self.path(id)
        let line = item.bytes
        let known = try directory.statusIfPresent(of: path)?.byteCount
        if known == nil { try directory.makeDirectory(Self.items, permissions: 0o700) }
        if known == nil { try directory.makeDirectory(Self.items + "/" + id.shard, permissions: 0o700) }
        if let known, known + line.count > max(Self.usualByteCount, 3 * line.count) {
            try directory.directory(Self.items + "/" + id.shard).replaceFile(id.description, with: line + [0x0A])
        } else {
            // Begins with a line end, so that a torn line damages no other line.
            try directory.append([0x0A] + line + [0x0A], to: path)
        }
    }

    /// The items that the view holds something of.
    func ids() throws(FileError) -> [ItemID] {
        guard try directory.statusIfPresent(of: Self.items)?.kind == .directory else { return [] }
        let folder = try directory.directory(Self.items)
        var ids: [ItemID] = []
        for shard in try folder.entries() where shard.kind == .directory {
            guard let name = shard.name.string, Layout.isShard(name) else { continue }
            ids += try folder.directory(name).entries().compactMap { ItemID(utf8: $0.name.bytes) }
        }
        return ids.sorted()
    }

    /// Removes what a killed process left beside the files of items.
    func removeLeftFiles() {
        guard let folder = try? directory.directory(Self.items), let shards = try? folder.entries() else { return }
        for shard in shards {
            guard let name = shard.name.string, let place = try? folder.directory(name) else { continue }
            place.removeLeftFiles()
        }
    }

    // MARK: What could not be written

    /// Items that an earlier refresh could not write.
    func behindIDs() -> [ItemID] {
        guard let contents = (try? directory.contentsIfPresent(of: Self.behind, limit: Self.byteLimit)) ?? nil else {
            return []
        }
        return Array(Set(contents.bytes.split(separator: 0x0A).compactMap { ItemID(utf8: Array($0)) })).sorted()
    }

    /// Notes items that could not be written, in place of those that were noted before. On a full disk, nothing can be
    /// noted; a refresh of the whole view finds them.
    func setBehind(_ ids: [ItemID]) {
        if ids.isEmpty {
            if (try? directory.statusIfPresent(of: Self.behind)) != nil { try? directory.removeFile(Self.behind) }
        } else {
            try? directory.replaceFile(Self.behind, with: Array(ids.map { "\($0)\n" }.joined().utf8))
        }
    }

    // MARK: The record

    func write(_ record: ViewRecord) throws(FileError) {
        try directory.writeFile(".view.json.new", record.bytes, permissions: 0o600)
        try directory.replace(".view.json.new", to: directory, as: ViewRecord.fileName)
        try directory.sync()
    }

    func lock(patience: Duration = .seconds(10)) throws -> FileLock {
        guard let lock = try FileLock.acquire(Self.lockName, in: directory, patience: patience) else {
            throw ViewError.busy(path: ViewRecord.read(in: directory)?.path ?? directory.path)
        }
        return lock
    }
}
