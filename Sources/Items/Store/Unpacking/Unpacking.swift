internal import Files
internal import Glibc

/// Takes the files of another library, or of an earlier state of this one, into the library: FORMAT.md § 16.1.
///
/// Everything is read into staging and looked at there before the first file is put in place. Items that the library has stay
/// as they are; other files are put where none is, and into a library without items in the place of its own. Call `folder`
/// and `file` for each entry in any order, then `finish`; without `finish` nothing changes.
package final class Unpacking {
    let session: WriteSession
    private var store: ItemStore { session.store }
    let staging: StagingFolder
    /// Whether library.json and the files of § 9 may be replaced: nothing hangs on them yet.
    let isLibraryEmpty: Bool
    let report: (LeftOut) -> Void

    /// An item whose files came so far.
    struct StagedItem {
        /// The archive's shard, which may be the wrong one.
        var shard: String
        /// Folders below it that have a file HEAD, in any case.
        var heads: [String] = []
        /// Names in its document/ that begin with a dot.
        var hiddenDocuments: [String] = []
        var fileCount = 0
    }
    var items: [ItemID: StagedItem] = [:]
    /// In the order in which they came.
    var order: [ItemID] = []
    private var known: Set<ItemID> = []
    private var last: ItemID?
    /// Files beside the items by their path, with their names in staging.
    var besides: [String: String] = [:]
    var settings: LibraryFile?
    private var lastFolder: OpenFolder?
    /// What the process's umask leaves of new files' and folders' permissions.
    private let mask: UInt32

    /// Items that were put in place, and files of all kinds.
    package internal(set) var addedCount = 0
    package internal(set) var fileCount = 0
    /// Entries that were not taken.
    package private(set) var leftOutCount = 0
    /// Items that the library has already.
    package var knownCount: Int { known.count }
    /// Files beside the items that the library has already, the same or others.
    package internal(set) var keptCount = 0

    /// - Parameter report: called for every entry that is left out.
    package init(_ session: WriteSession, report: @escaping (LeftOut) -> Void = { _ in }) throws {
        self.session = session
        self.report = report
        staging = try session.staging()
        var isEmpty = true
        for shard in try session.store.shards().names where isEmpty {
            isEmpty = try session.store.shard(shard).ids.isEmpty
        }
        isLibraryEmpty = isEmpty
        try session.findMisplaced()
        let probe = staging.temporaryName(for: "mode")
        _ = try staging.directory.makeDirectory(probe)
        mask = try staging.directory.statusIfPresent(of: probe)?.permissions ?? 0o755
        try staging.directory.removeDirectory(probe)
    }

    deinit {
        // What `finish` did not place.
        for id in order where items[id] != nil { try? staging.directory.removeTree(id.description) }
        for name in besides.values { try? staging.directory.removeFile(name) }
    }

    /// A file as the archive has it.
    package struct File {
        package let byteCount: Int
        package let permissions: UInt32
        /// Nanoseconds since 1970.
        package let modified: Int64
        /// Gives pieces of it, none at its end.
        package let read: () throws -> [UInt8]

        package init(byteCount: Int, permissions: UInt32, modified: Int64, read: @escaping () throws -> [UInt8]) {
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
        switch ArchivePlace(path, isFolder: true) {
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
        switch ArchivePlace(path, isFolder: false) {
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

    /// An entry that is neither a file nor a folder, or has no name that can be used.
    package func leaveOut(_ path: String, _ reason: LeftOut.Reason) {
        leftOutCount += 1
        report(LeftOut(path, reason))
    }

    /// Forgets the item whose files came last: the archive ends, and they are not all here.
    package func abandonItem() throws {
        lastFolder = nil
        guard let last, items[last] != nil else { return }
        try forget(last)
        order.removeAll { $0 == last }
        leaveOut(Layout.itemFolder(last), .cutOff)
    }

    /// Removes from staging what came of an item.
    func forget(_ id: ItemID) throws {
        guard let item = items.removeValue(forKey: id) else { return }
        fileCount -= item.fileCount
        lastFolder = nil
        try staging.directory.removeTree(id.description)
    }

    /// Removes one file of an item from staging, and says why.
    func forget(_ name: String, in folder: String, of id: ItemID, _ reason: LeftOut.Reason) throws {
        guard let item = items[id] else { return }
        try staging.directory.directory(folder).removeFile(name)
        count(-1, in: id)
        let inside = folder.split(separator: "/").dropFirst().map { "/" + $0 }.joined()
        leaveOut(Layout.items + "/" + item.shard + "/" + id.description + inside + "/" + name, reason)
    }

    private func count(_ change: Int, in id: ItemID) {
        fileCount += change
        items[id]?.fileCount += change
    }

    /// - Returns: whether the item's files are wanted.
    private func begin(_ id: ItemID, _ shard: String, _ path: String) throws -> Bool {
        if known.contains(id) { return false }
        last = id
        if let item = items[id] {
            if item.shard == shard { return true }
            // The item's own shard counts, whatever is in the other one.
            if shard != id.shard {
                leaveOut(path, .secondFolder)
                return false
            }
            leaveOut(Layout.items + "/" + item.shard + "/" + id.description, .secondFolder)
            try forget(id)
        } else {
            if try !session.folders(of: id).isEmpty {
                known.insert(id)
                return false
            }
            order.append(id)
        }
        items[id] = StagedItem(shard: shard)
        _ = try staging.directory.makeDirectory(id.description)
        return true
    }

    // MARK: Writing

    /// - Returns: false if the entry's name is at fault, which is reported; errors of the disk are thrown.
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

    /// The folder and the name of a path with at least one `/`.
    private static func parted(_ path: String) -> (parent: String, name: String) {
        let border = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return (String(path[..<border]), String(path[border...].dropFirst()))
    }

    /// Writes a file of an item; one that has the name already gives way to the later one.
    ///
    /// - Parameter full: the path in staging.
    /// - Returns: the file's folder and name; `nil` where it was left out.
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
        // The umask took something of what an owner needs.
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

    /// Opens the folder that the next files go into, and makes it where it is missing.
    private func open(_ parent: String) throws(FileError) {
        if lastFolder?.path == parent { return }
        try make(parent, nil)
        lastFolder = try OpenFolder(parent, in: staging.directory)
    }

    private func make(_ path: String, _ permissions: UInt32?) throws(FileError) {
        var made = ""
        for part in path.split(separator: "/") {
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
        let shown = "library.json of the archive"
        do throws(ItemError) {
            let found = try LibraryFile(parsing: bytes, path: shown)
            if !found.isWritable {
                throw .readOnlyFormat(path: shown, format: found.format, supported: LibraryFile.supportedFormat)
            }
            if settings != nil { leaveOut(path, .replaced) }
            settings = found
        } catch {
            // The items of such a library are not for this version either.
            if case .tooNew = error { throw error }
            leaveOut(path, .unusable("\(error)"))
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

    /// The bytes of a file that no reader takes above the limit.
    private func small(_ path: String, _ file: File) throws -> [UInt8]? {
        let limit = Layout.settingsByteLimit
        if file.byteCount > limit {
            leaveOut(path, .tooLarge(limit: limit))
            return nil
        }
        return try bytes(of: file)
    }

    private func bytes(of file: File) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try file.read()
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    /// Whether it is a support file with the bytes that the library's own has, or would have: nothing is lost without it.
    private func isOwnSupportFile(_ path: String, _ file: File) throws -> Bool {
        let made = SupportFile.allCases.first { $0.path == path }?.bytes
        guard made != nil || path == Layout.editorFile, file.byteCount <= 65_536 else { return false }
        let bytes = try bytes(of: file)
        if bytes == made ?? SupportFile.editorSettings { return true }
        return (try? store.root.contentsIfPresent(of: path, limit: 65_536)?.bytes) == bytes
    }
}

extension LeftOut.Reason {
    /// - Returns: `nil` if the disk is at fault, and not the name.
    fileprivate init?(_ error: FileError) {
        switch error.number {
        case nil: if error.reason == .unsafePath { self = .unsafePath } else { return nil }
        case ENOTDIR, EEXIST, EISDIR: self = .taken
        case ENAMETOOLONG, EILSEQ, EINVAL, ELOOP, EXDEV: self = .refusedName(error.number ?? 0)
        default: return nil
        }
    }
}
