internal import Files

/// Puts the files of another library, or of an earlier state of this one, into the library: each item in one step.
///
/// Files of one item must come one after the other. Items that the library has stay as they are. Other files are written
/// only where none is, or everywhere if the library was empty. Nothing of `.sbfs` is ever taken. Call `folder` and `file` for
/// each path, parents first, then `finish`.
package final class Unpacking {
    private let store: ItemStore
    private let staging: StagingSession
    private let replacesFiles: Bool
    /// The item whose files are coming.
    private var current: (id: ItemID, isWanted: Bool)?
    /// Items that are whole in staging.
    private var staged: [ItemID] = []
    private static let groupSize = 256

    /// Items that were put in place, and those that the library has already.
    package private(set) var addedCount = 0
    package private(set) var knownCount = 0
    package private(set) var fileCount = 0

    package init(_ store: ItemStore) throws(ItemError) {
        self.store = store
        staging = try store.staging()
        var isEmpty = true
        for shard in try store.shards().names where isEmpty { isEmpty = try store.shard(shard).ids.isEmpty }
        replacesFiles = isEmpty
    }

    /// A file as it was.
    package struct File {
        package let permissions: UInt32
        /// Nanoseconds since 1970.
        package let modified: Int64
        /// Gives pieces of it, none at its end.
        package let read: () throws -> [UInt8]

        package init(permissions: UInt32, modified: Int64, read: @escaping () throws -> [UInt8]) {
            self.permissions = permissions
            self.modified = modified
            self.read = read
        }
    }

    private enum Target {
        case item(ItemID, rest: String)
        case other(String)
        case refused(String)
    }

    private func target(_ path: String) -> Target {
        guard Directory.isSafe(path) else { return .refused("its path leaves the library") }
        let parts = path.split(separator: "/").map(String.init)
        if parts[0] == Layout.device { return .refused("it belongs to another device") }
        if parts[0] == Layout.items, parts.count >= 3, let id = ItemID(parts[2]), id.description == parts[2] {
            return .item(id, rest: parts.dropFirst(3).joined(separator: "/"))
        }
        return .other(path)
    }

    /// Makes a folder.
    ///
    /// - Returns: why it was not made; `nil` also where it is there already.
    package func folder(_ path: String) throws -> String? {
        switch target(path) {
        case .refused(let why): return why
        case .item(let id, let rest):
            guard try begin(id) else { return nil }
            if !rest.isEmpty { try make(id.description + "/" + rest) }
        case .other(let path):
            try endItem()
            if try store.root.statusIfPresent(of: path) == nil { try makeInLibrary(path) }
        }
        return nil
    }

    /// Writes a file.
    ///
    /// - Returns: why it was not written; `nil` also where the library's own one stays.
    package func file(_ path: String, _ file: File) throws -> String? {
        switch target(path) {
        case .refused(let why): return why
        case .item(let id, let rest):
            guard try begin(id) else { return nil }
            if rest.isEmpty { return "a file where an item's folder should be" }
            let parent = (id.description + "/" + rest).split(separator: "/").dropLast().joined(separator: "/")
            try make(parent)
            try write(file, to: id.description + "/" + rest)
            fileCount += 1
        case .other(let path):
            try endItem()
            let status = try store.root.statusIfPresent(of: path)
            if let status, status.kind != .regular { return "\(status.kind.phrase) has its name" }
            if status != nil, !replacesFiles { return nil }
            let parts = path.split(separator: "/").map(String.init)
            let parent = parts.dropLast().joined(separator: "/")
            if !parent.isEmpty { try makeInLibrary(parent) }
            let name = staging.temporaryName(for: "file")
            try write(file, to: name)
            if JournalRecord.isSupportFile(path) {
                let limit = Layout.settingsByteLimit
                let old = try store.root.contentsIfPresent(of: path, limit: limit)?.bytes
                if let new = try? staging.directory.contents(of: name, limit: limit).bytes {
                    try store.journal { .bytes(.file(path), old: old.map { .init($0) }, new: .init(new)) }
                }
            }
            try store.locked { () throws(ItemError) in
                try files { () throws(FileError) in
                    if parent.isEmpty {
                        try staging.directory.replace(name, to: store.root, as: path)
                    } else {
                        let folder = try store.root.directory(parent)
                        try staging.directory.replace(name, to: folder, as: parts[parts.count - 1])
                    }
                }
            }
            fileCount += 1
        }
        return nil
    }

    /// Forgets the item whose files are coming: they will not all come.
    package func abandonItem() throws {
        if let current, current.isWanted { try staging.directory.removeTree(current.id.description) }
        current = nil
    }

    /// Puts what is left in place, durably.
    package func finish() throws {
        try endItem()
        try place()
        try store.root.syncFileSystem()
    }

    // MARK: Items

    /// - Returns: whether the item's files are wanted.
    private func begin(_ id: ItemID) throws -> Bool {
        if let current, current.id == id { return current.isWanted }
        try endItem()
        let isWanted = try store.folder(of: id) == nil && !staged.contains(id)
        if isWanted {
            _ = try staging.directory.makeDirectory(id.description)
        } else {
            knownCount += 1
        }
        current = (id, isWanted)
        return isWanted
    }

    private func endItem() throws {
        if let current, current.isWanted { staged.append(current.id) }
        current = nil
        if staged.count >= Self.groupSize { try place() }
    }

    private func place() throws {
        if staged.isEmpty { return }
        try staging.directory.syncFileSystem()
        for shard in Set(staged.map(\.shard)) { try store.root.makeDirectory(Layout.items + "/" + shard) }
        try store.journal { .added(staged) }
        try store.locked { () throws(ItemError) in
            try files { () throws(FileError) in
                for id in staged {
                    let shard = try store.root.directory(Layout.items + "/" + id.shard)
                    try staging.directory.move(id.description, to: shard, as: id.description)
                    store.noteChange(id)
                }
            }
        }
        addedCount += staged.count
        staged.removeAll(keepingCapacity: true)
    }

    // MARK: Files

    private func write(_ file: File, to path: String) throws {
        let new = try staging.directory.createFile(path)
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            try new.write(piece)
        }
        try new.setPermissions(file.permissions & 0o777)
        try new.setModified(file.modified)
    }

    private func make(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty ? "" : "/") + part
            try staging.directory.makeDirectory(made)
        }
    }

    private func makeInLibrary(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty ? "" : "/") + part
            try store.root.makeDirectory(made)
        }
    }
}
