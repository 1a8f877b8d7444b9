internal import Files
internal import Time

extension WriteSession {
    /// Makes missing folders, as after `git clone`, and the files that tell other tools what to leave alone.
    ///
    /// A failure is ignored here: a later write reports it with its own error.
    func completeFolders() {
        for folder in Layout.folders where (try? store.root.statusIfPresent(of: folder)) == nil {
            _ = try? store.root.makeDirectory(folder)
        }
        for file in SupportFile.allCases where (try? store.root.statusIfPresent(of: file.path)) == nil {
            try? file.write(in: store.root)
        }
    }

    /// Clears the leftovers of dead processes in `.sbfs/staging`.
    ///
    /// Never throws: anything that cannot be cleared now is left to the next command.
    func recover() {
        guard let device else { return }
        device.directory.removeLeftFiles()
        guard let names = try? device.staging.entries() else { return }
        for entry in names {
            guard entry.kind == .directory, let name = entry.name.string else { continue }
            // The lock is free only if its process is dead.
            guard let lock = try? FileLock.acquireFolder(name, in: device.staging) else { continue }
            recoverSession(name, in: device.staging)
            withExtendedLifetime(lock) {}
        }
    }

    private func recoverSession(_ name: String, in staging: borrowing Directory) {
        guard let session = try? staging.directory(name), let entries = try? session.entries() else { return }
        let names = entries.compactMap(\.name.string)
        let kinds = Dictionary(entries.map { ($0.name.string ?? "", $0.kind) }) { first, _ in first }
        let staged = names.compactMap(StagedName.init).compactMap { file -> Held? in
            let contents = try? session.contents(of: file.name, limit: Layout.textByteLimit)
            return contents.map { Held(file: file, hash: StagedName.hash($0.bytes)) }
        }
        for entry in names {
            switch Leftover(entry, kinds[entry]) {
            case .file(let file): recoverFile(file, among: staged, in: session)
            case .purged(let id): recoverPurged(id, entry, in: session)
            case .inboxRemoval: recoverInbox(entry, in: session)
            case .dropped(let id): recoverDropped(id, entry, in: session)
            // A new item, version or document that was not put in place. Its command never reported success.
            case .unfinished: try? session.removeTree(entry)
            // `check` names it (`unknownLeftovers`).
            case nil: break
            }
        }
        try? staging.removeDirectory(name)
    }

    /// What a name in a session's folder stands for.
    private enum Leftover {
        case file(StagedName)
        case purged(ItemID)
        case inboxRemoval
        case dropped(ItemID)
        case unfinished

        /// - Returns: `nil` for a name that no version up to this one writes.
        init?(_ name: String, _ kind: FileKind?) {
            if let file = StagedName(name) {
                self = .file(file)
            } else if name.hasSuffix(purgedSuffix), kind == .directory,
                let id = ItemID(String(name.dropLast(purgedSuffix.count)))
            {
                self = .purged(id)
            } else if name.hasSuffix(droppedSuffix), kind == .directory,
                let id = ItemID(String(name.dropLast(droppedSuffix.count)))
            {
                self = .dropped(id)
            } else if InboxRemovalList.isName(name) {
                self = .inboxRemoval
            } else if ItemID(name) != nil || name.hasPrefix(keptPrefix) || name.hasPrefix(StagingFolder.partPrefix)
                || name.hasPrefix(documentPrefix)
            {
                self = .unfinished
            } else {
                return nil
            }
        }
    }

    /// Paths in `.sbfs/staging`, relative to the library's folder, that stay although their process is dead: recovery
    /// does not know what they are, or they are versions of an item that no longer exists. Each may be somebody's data,
    /// so none is deleted.
    static func unknownLeftovers(of store: ItemStore) -> [String] {
        guard let staging = try? store.root.directory(Layout.device + "/" + Layout.staging),
            let sessions = try? staging.entries()
        else { return [] }
        var paths: [String] = []
        for session in sessions {
            let path = Layout.device + "/" + Layout.staging + "/" + session.name.repaired
            guard session.kind == .directory, let name = session.name.string else {
                paths.append(path)
                continue
            }
            // The lock is free only if its process is dead.
            guard let lock = try? FileLock.acquireFolder(name, in: staging) else { continue }
            for entry in (try? staging.directory(name).entries()) ?? [] where isUnknown(entry, store) {
                paths.append(path + "/" + entry.name.repaired)
            }
            withExtendedLifetime(lock) {}
        }
        return paths
    }

    private static func isUnknown(_ entry: DirectoryEntry, _ store: ItemStore) -> Bool {
        switch entry.name.string.flatMap({ Leftover($0, entry.kind) }) {
        case nil, .dropped: true
        case .file(let file):
            if case .item(let id) = file.owner { store.isKnownGone(id) } else { false }
        case .purged, .inboxRemoval, .unfinished: false
        }
    }

    static let purgedSuffix = ".purged"
    static let documentPrefix = "document-"
    static let keptPrefix = "kept-"

    /// A staged file and the hash of its bytes at the time of the check.
    private struct Held {
        let file: StagedName
        let hash: String
    }

    /// A staged file holds its new bytes (not placed), the replaced bytes (placed), or, if an editor saved meanwhile,
    /// a version that exists nowhere else.
    private func recoverFile(_ file: StagedName, among staged: [Held], in session: borrowing Directory) {
        guard let bytes = try? session.contents(of: file.name, limit: Layout.textByteLimit).bytes else { return }
        let hash = StagedName.hash(bytes)
        let others = staged.filter { $0.file != file && $0.file.owner == file.owner && $0.file.file == file.file }
        // A merged version displaced ours, which it includes.
        if hash == file.new || hash == file.base || others.contains(where: { $0.file.new == hash }) {
            try? session.removeFile(file.name)
            return
        }
        _ = try? lockedIfFree(patience: 0) { () throws(ItemError) in
            guard let target = try target(of: file) else { return }
            let place = try files { () throws(FileError) -> Directory in try target.directory(in: store.root) }
            try recoverForeign(file, hash, among: others, in: session, target, place)
            try files { () throws(FileError) in try place.sync() }
        }
    }

    /// The place that a staged file belongs to; `nil` if its item is gone.
    private func target(of file: StagedName) throws(ItemError) -> SwapTarget? {
        switch file.owner {
        case .item(let id): try store.folder(of: id).map { .item(id, in: $0, file.file) }
        case .named(let folder): .named(folder, file.file)
        case .library: file.file == Layout.libraryFile ? .library : nil
        }
    }

    /// Finds a place for a version that exists only in staging. The caller holds the lock.
    private func recoverForeign(
        _ file: StagedName, _ hash: String, among others: [Held], in session: borrowing Directory,
        _ target: SwapTarget, _ place: borrowing Directory
    ) throws(ItemError) {
        let contents = try files { () throws(FileError) in
            try place.contentsIfPresent(of: target.name, limit: target.limit)
        }
        guard let live = contents.map({ StagedName.hash($0.bytes) }) else {
            // Unless this change removed the file, an editor may have moved it away in order to save it.
            if target.id != nil, file.new != StagedName.nothing { return }
            return try putBack(file.name, of: target, in: place, session)
        }
        // An earlier program merged the version and put the result in place at once.
        let isJoined = others.contains { $0.file.base == hash && $0.file.new == live }
        // Whether `file.new` was merged from another staged version and exists nowhere else.
        let isJoining = others.contains { $0.hash == file.base }
        if isJoined {
            try? session.removeFile(file.name)
        } else if live == file.new, !isJoining {
            // The other program's version goes back and displaces the version of the interrupted command.
            let isSwapped = try files { () throws(FileError) in
                try session.swap(file.name, with: place, target.name)
            }
            let out = try? session.contents(of: file.name, limit: target.limit).bytes
            guard isSwapped, out.map(StagedName.hash) == file.new else { return }
            try files { () throws(FileError) in try place.sync() }
            try? session.removeFile(file.name)
        } else {
            try keep(file.name, of: target, in: place, session)
        }
    }

    /// Files that were about to be dropped: nobody compared them, so they go back.
    private func recoverDropped(_ id: ItemID, _ entry: String, in session: borrowing Directory) {
        _ = try? lockedIfFree(patience: 0) { () throws(ItemError) in
            guard let folder = try store.folder(of: id) else { return }
            try putBack(entry, of: id, in: folder, session)
        }
    }

    /// An interrupted purge: completed if its tombstone was written and nothing was saved since, else undone.
    private func recoverPurged(_ id: ItemID, _ entry: String, in session: borrowing Directory) {
        let purgedAt = try? store.tombstone(of: id)
        var files = [Layout.itemFile, Layout.textFile]
        if let documents = try? session.directory(entry + "/" + Layout.document).entries() {
            files += documents.compactMap(\.name.string).map { Layout.document + "/" + $0 }
        }
        let saved = files.compactMap { try? session.statusIfPresent(of: entry + "/" + $0)?.modified }.max() ?? .max
        if purgedAt.map({ Timestamp(nanoseconds: saved) > $0 }) ?? true {
            _ = try? store.root.makeDirectory(Layout.items + "/" + id.shard)
            guard let shard = try? store.root.directory(Layout.items + "/" + id.shard) else { return }
            try? session.move(entry, to: shard, as: id.description)
            try? shard.sync()
        } else {
            let condemned = Self.keptPrefix + entry
            try? session.replace(entry, to: session, as: condemned)
            try? session.removeTree(condemned)
        }
    }
}
