internal import Files
internal import Glibc

/// Imports the files of another library, or of an earlier state of this one: FORMAT.md § 16.1.
///
/// All files are read into staging and checked there before the first is put in place. Items that the library has
/// stay unchanged. Other files are put only where none is; a library without items also gets the imported settings.
/// Call `folder` and `file` for each entry in any order, then `finish`. Without `finish` nothing changes.
package final class Unpacking {
    let session: WriteSession
    private var store: ItemStore { session.store }
    let staging: StagingFolder
    /// Whether library.json and the files of § 9 may be replaced, because no item depends on them yet.
    let isLibraryEmpty: Bool
    let report: (LeftOut) -> Void

    /// An item with the files read so far.
    struct StagedItem {
        /// The shard in the import, which may be wrong.
        var shard: String
        /// Folders below the item that contain a file named HEAD, in any case.
        var heads: [String] = []
        /// Names in document/ that begin with a dot.
        var hiddenDocuments: [String] = []
        var fileCount = 0
    }
    var items: [ItemID: StagedItem] = [:]
    /// Items in the order in which they were read.
    var order: [ItemID] = []
    private var known: Set<ItemID> = []
    /// Items of the import that the library has, and that a tombstone hides.
    var hidden: Set<ItemID> = []
    /// Whether purged items come back: a person imports them, and no other copy brings them.
    let restoresPurged: Bool
    private var last: ItemID?
    /// Files beside the items: their names in staging, by path.
    var besides: [String: String] = [:]
    var settings: LibraryFile?
    private var lastFolder: OpenFolder?
    /// The permissions that the process's umask leaves to new files and folders.
    private let mask: UInt32

    /// The number of items put in place.
    package internal(set) var addedCount = 0
    package internal(set) var fileCount = 0
    /// The number of entries left out.
    package private(set) var leftOutCount = 0
    /// The number of items that the library already has.
    package var knownCount: Int { known.count - hidden.count }
    /// The number of items that were purged and are back.
    package internal(set) var restoredCount = 0
    /// The number of files beside the items that the library already has, equal or not.
    package internal(set) var keptCount = 0

    /// - Parameters:
    ///   - restoresPurged: whether purged items come back.
    ///   - report: called for every entry that is left out.
    package init(
        _ session: WriteSession, restoresPurged: Bool = false, report: @escaping (LeftOut) -> Void = { _ in }
    ) throws {
        self.session = session
        self.restoresPurged = restoresPurged
        self.report = report
        staging = try session.staging()
        var isEmpty = true
        for shard in try session.store.shards().names where isEmpty {
            // Nobody knows what a shard holds that may not be read.
            if try ItemError.denial({ isEmpty = try session.store.shard(shard).ids.isEmpty }) != nil { isEmpty = false }
        }
        isLibraryEmpty = isEmpty
        try session.findMisplaced()
        let probe = staging.temporaryName(for: "mode")
        _ = try staging.directory.makeDirectory(probe)
        mask = try staging.directory.statusIfPresent(of: probe)?.permissions ?? 0o755
        try staging.directory.removeDirectory(probe)
    }

    deinit {
        // Removes the leftovers that `finish` did not place.
        for id in order where items[id] != nil { try? staging.directory.removeTree(id.description) }
        for name in besides.values { try? staging.directory.removeFile(name) }
    }

    /// A file of the import.
    package struct File {
        /// `nil` if it is known only when the file was read.
        package let byteCount: Int?
        package let permissions: UInt32
        /// Nanoseconds since 1970.
        package let modified: Int64
        /// Returns the next piece; empty at the end.
        package let read: () throws -> [UInt8]

        package init(byteCount: Int?, permissions: UInt32, modified: Int64, read: @escaping () throws -> [UInt8]) {
            self.byteCount = byteCount
            self.permissions = permissions
            self.modified = modified
            self.read = read
        }
    }

    private final class OpenFolder {
        let path: String
        let directory: Directory

        init(_ path: String, in parent: borrowing Directory) throws(FileError) {
            self.path = path
            directory = try parent.directory(path)
        }
    }

    // MARK: Entries

    package func folder(_ path: String, permissions: UInt32) throws {
        switch FullExportPlace(path, isFolder: true) {
        case .leftOut(let why): leaveOut(path, why)
        case .item(let id, let shard, let rest):
            guard try begin(id, shard, path) else { return }
            try taking(path) { () throws(FileError) in
                if !rest.isEmpty { try make(id.description + "/" + rest, permissions) }
            }
        case .layout, .hiddenDocument, .settings, .named, .beside, .derived: break
        }
    }

    package func file(_ path: String, _ file: File) throws {
        switch FullExportPlace(path, isFolder: false) {
        case .leftOut(.hidden):
            if try !isOwnSupportFile(path, file) { leaveOut(path, .hidden) }
        case .leftOut(let why): leaveOut(path, why)
        case .item(let id, let shard, let rest):
            guard try begin(id, shard, path) else { return }
            let full = id.description + "/" + rest
            guard let (parent, name) = try write(file, in: id, as: full, path) else { return }
            if ControlName.fold(name) == ControlName.head {
                items[id]?.heads.append(parent)
            }
        case .hiddenDocument(let id, let shard, let name):
            guard try begin(id, shard, path) else { return }
            if try write(file, in: id, as: id.description + "/" + Layout.document + "/" + name, path) != nil {
                items[id]?.hiddenDocuments.append(name)
            }
        case .settings: try takeSettings(path, file)
        case .named, .beside: try takeBeside(path, file)
        case .layout, .derived: break
        }
    }

    /// Leaves out an entry that is neither a file nor a folder, or has an unusable name.
    package func leaveOut(_ path: String, _ reason: LeftOut.Reason) {
        leftOutCount += 1
        report(LeftOut(path, reason))
    }

    /// Removes the item whose files came last, because the import ends before all of them were read.
    package func abandonItem() throws {
        lastFolder = nil
        guard let last, items[last] != nil else { return }
        try forget(last)
        order.removeAll { $0 == last }
        leaveOut(Layout.itemFolder(last), .cutOff)
    }

    /// Removes everything from staging. Nothing of it was put in place.
    package func abandon() {
        lastFolder = nil
        for id in items.keys { try? staging.directory.removeTree(id.description) }
        for name in besides.values { try? staging.directory.removeFile(name) }
        items = [:]
        besides = [:]
    }

    /// Removes an item's staged files.
    func forget(_ id: ItemID) throws {
        guard let item = items.removeValue(forKey: id) else { return }
        fileCount -= item.fileCount
        lastFolder = nil
        try staging.directory.removeTree(id.description)
    }

    /// Removes one staged file of an item and reports the reason.
    func forget(_ name: String, in folder: String, of id: ItemID, _ reason: LeftOut.Reason) throws {
        guard let item = items[id] else { return }
        try staging.directory.directory(folder).removeFile(name)
        count(-1, in: id)
        let inside = folder.pathComponents.dropFirst().map { "/" + $0 }.joined()
        leaveOut(Layout.items + "/" + item.shard + "/" + id.description + inside + "/" + name, reason)
    }

    private func count(_ change: Int, in id: ItemID) {
        fileCount += change
        items[id]?.fileCount += change
    }

    /// - Returns: whether the item's files must be read.
    private func begin(_ id: ItemID, _ shard: String, _ path: String) throws -> Bool {
        if known.contains(id) { return false }
        last = id
        if let item = items[id] {
            if item.shard == shard { return true }
            // The folder in the item's own shard counts; any other is ignored.
            if shard != id.shard {
                leaveOut(path, .secondFolder)
                return false
            }
            leaveOut(Layout.items + "/" + item.shard + "/" + id.description, .secondFolder)
            try forget(id)
        } else {
            if try session.folder(of: id) != nil {
                known.insert(id)
                if restoresPurged, try isPurged(id) { hidden.insert(id) }
                return false
            }
            order.append(id)
        }
        items[id] = StagedItem(shard: shard)
        _ = try staging.directory.makeDirectory(id.description)
        return true
    }

    private func isPurged(_ id: ItemID) throws -> Bool {
        // Most items have no tombstone, and are not read.
        guard try store.root.statusIfPresent(of: Layout.tombstone(id)) != nil, let stored = (try? store.item(id)) ?? nil
        else { return false }
        return try store.isPurged(stored)
    }

    // MARK: Writing

    /// - Returns: false if the name is at fault; then it is reported. Errors of the disk are thrown.
    @discardableResult
    private func taking(_ path: String, _ body: () throws(FileError) -> Void) throws -> Bool {
        do throws(FileError) {
            try body()
            return true
        } catch {
            guard let reason = LeftOut.Reason(error) else { throw error }
            leaveOut(path, reason)
            return false
        }
    }

    /// Splits a path with at least one `/` into folder and name.
    private static func parted(_ path: String) -> (parent: String, name: String) {
        let border = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return (String(path[..<border]), String(Substring(path.utf8[border...].dropFirst())))
    }

    /// Writes a file of an item. A later file replaces an earlier one of the same name.
    ///
    /// - Parameter full: the path in staging.
    /// - Returns: the file's folder and name; `nil` if it was left out.
    private func write(
        _ file: File, in id: ItemID, as full: String, _ path: String
    ) throws -> (parent: String, name: String)? {
        let (parent, name) = Self.parted(full)
        guard try taking(path, { () throws(FileError) in try open(parent) }), let folder = lastFolder else {
            return nil
        }
        let permissions = file.permissions & mask & 0o644 | 0o600
        let new: Descriptor
        do throws(FileError) {
            new = try create(name, in: folder.directory, permissions, id, path)
        } catch {
            _ = try taking(path) { () throws(FileError) in throw error }
            return nil
        }
        // The umask removed a permission that the owner needs.
        if mask & 0o600 != 0o600 { try new.setPermissions(permissions) }
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            try new.write(piece)
        }
        try new.setModified(file.modified)
        count(1, in: id)
        return (parent, name)
    }

    private func create(
        _ name: String, in folder: borrowing Directory, _ permissions: UInt32, _ id: ItemID, _ path: String
    ) throws(FileError) -> Descriptor {
        do throws(FileError) {
            return try folder.createFile(name, permissions: permissions)
        } catch let error where error.isTaken {
            if try folder.statusIfPresent(of: name)?.kind != .regular {
                throw FileError(.create, path, .system(EISDIR))
            }
            try folder.removeFile(name)
            count(-1, in: id)
            leaveOut(path, .replaced)
            return try folder.createFile(name, permissions: permissions)
        }
    }

    /// Opens the folder for the next files, and makes it if it is missing.
    private func open(_ parent: String) throws(FileError) {
        if lastFolder?.path == parent { return }
        try make(parent, nil)
        lastFolder = try OpenFolder(parent, in: staging.directory)
    }

    private func make(_ path: String, _ permissions: UInt32?) throws(FileError) {
        var made = ""
        for part in path.pathComponents {
            made += (made.isEmpty ? "" : "/") + part
            try staging.directory.makeDirectory(made)
        }
        if let permissions {
            try staging.directory.directory(path).setPermissions(permissions & mask & 0o755 | 0o700)
        }
    }

    // MARK: Files beside the items

    private func takeSettings(_ path: String, _ file: File) throws {
        guard let bytes = try small(path, file) else { return }
        let shown = "library.json of the full export"
        do throws(ItemError) {
            let found = try LibraryFile(parsing: bytes, path: shown)
            if !found.isWritable { throw found.readOnlyError(path: shown) }
            if settings != nil { leaveOut(path, .replaced) }
            settings = found
        } catch {
            // This version cannot use the items of such a library either.
            if case .tooNew = error { throw error }
            leaveOut(path, .unusable(error))
        }
    }

    private func takeBeside(_ path: String, _ file: File) throws {
        guard let bytes = try small(path, file) else { return }
        if let earlier = besides[path] {
            leaveOut(path, .replaced)
            try staging.directory.removeFile(earlier)
        }
        let name = staging.temporaryName(for: "beside")
        let new = try staging.directory.createFile(name)
        try new.write(bytes)
        try new.setModified(file.modified)
        besides[path] = name
    }

    /// The bytes of a file whose readers all refuse it above the limit.
    private func small(_ path: String, _ file: File) throws -> [UInt8]? {
        let limit = Layout.settingsByteLimit
        guard let bytes = try bytes(of: file, limit: limit) else {
            leaveOut(path, .tooLarge(limit: limit))
            return nil
        }
        return bytes
    }

    /// - Returns: `nil` if the file has more bytes than `limit`.
    private func bytes(of file: File, limit: Int) throws -> [UInt8]? {
        if let count = file.byteCount, count > limit { return nil }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try file.read()
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        return nil
    }

    /// Whether this is a support file equal to the library's own. Leaving it out loses nothing.
    private func isOwnSupportFile(_ path: String, _ file: File) throws -> Bool {
        let made = SupportFile.allCases.first { $0.path == path }?.bytes
        guard made != nil || path == Layout.editorFile, let bytes = try bytes(of: file, limit: 65_536) else {
            return false
        }
        if bytes == made ?? SupportFile.editorSettings { return true }
        return (try? store.root.contentsIfPresent(of: path, limit: 65_536)?.bytes) == bytes
    }
}

extension LeftOut.Reason {
    /// - Returns: `nil` if the error is about the disk, not the name.
    fileprivate init?(_ error: FileError) {
        switch error.number {
        case nil: if error.reason == .unsafePath { self = .unsafePath } else { return nil }
        case ENOTDIR, EEXIST, EISDIR: self = .taken
        case ENAMETOOLONG, EILSEQ, EINVAL, ELOOP, EXDEV: self = .refusedName(error.number ?? 0)
        default: return nil
        }
    }
}
