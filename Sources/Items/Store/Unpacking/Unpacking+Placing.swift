internal import Files
internal import JSONFormat

/// Puts the staged files in place: settings and files beside the items first. If the process is killed, importing the
/// same file again continues the work.
extension Unpacking {
    /// Puts everything in place. All is durable when this returns.
    ///
    /// - Parameter isDry: whether everything is only checked and counted.
    package func finish(isDry: Bool = false) throws {
        let ready = try order.filter { try isWhole($0) }
        if isDry {
            addedCount = ready.count
            restoredCount = hidden.count
            for id in ready where try wasPurged(id) { restoredCount += 1 }
            addedCount -= restoredCount - hidden.count
            for path in besides.keys where try session.store.root.statusIfPresent(of: path) != nil { keptCount += 1 }
            if let settings {
                let isTaken =
                    try isLibraryEmpty && settings.json.bytes != LibraryFile.read(in: session.store.root).json.bytes
                if isTaken { fileCount += 1 } else { keptCount += 1 }
            }
            return
        }
        try staging.directory.syncFileSystem()
        try placeSettings()
        for (path, name) in besides.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if try ItemError.denial({ try placeBeside(path, name) }) != nil { leaveOut(path, .notWritable) }
        }
        // Holds the lock in short turns, so that other commands never wait long.
        for start in stride(from: 0, to: ready.count, by: Self.turn) {
            try place(ready[start..<min(start + Self.turn, ready.count)])
        }
        try session.store.root.syncFileSystem()
        for id in hidden.sorted() { try restore(id) }
    }

    private static let turn = 500

    // MARK: Purged items

    /// Whether an item of the import was purged, and has no folder here.
    private func wasPurged(_ id: ItemID) throws -> Bool {
        guard restoresPurged else { return false }
        return try session.store.root.statusIfPresent(of: Layout.tombstone(id)) != nil
    }

    /// Gives an item of the import that was purged a new time: its tombstone lists the state that it has, and would remove it
    /// again.
    private func renew(_ id: ItemID) throws {
        let path = id.description + "/" + Layout.itemFile
        let bytes = try staging.directory.contents(of: path, limit: JSONDocument.byteLimit).bytes
        let json = try JSONDocument(parsing: bytes)
        var edit = ItemEdit(base: json)
        edit.restore()
        edit.touch()
        guard let new = try edit.apply(to: json, at: .now) else { return }
        try staging.directory.directory(id.description).replaceFile(Layout.itemFile, with: new)
        restoredCount += 1
    }

    /// Takes an item of the import that a tombstone hides out of the trash. Its own files stay: they are not older.
    private func restore(_ id: ItemID) throws {
        guard let stored = try session.store.item(id) else { return }
        var edit = ItemEdit(base: stored.json)
        edit.restore()
        if try session.update(stored, edit) { restoredCount += 1 }
    }

    // MARK: Items

    /// Whether an item can be put in place. Reports everything that keeps it or parts of it out.
    private func isWhole(_ id: ItemID) throws -> Bool {
        guard let item = items[id] else { return false }
        let name = id.description
        for folder in item.heads where try isRepository(folder) {
            let names = try staging.directory.directory(folder).entries().compactMap(\.name.string)
            for name in names where ControlName.fold(name) == ControlName.head {
                try forget(name, in: folder, of: id, .repository)
            }
        }
        guard try staging.directory.statusIfPresent(of: name + "/" + Layout.itemFile)?.kind == .regular else {
            return try refuse(id, item, .noItemFile)
        }
        let found: Item
        do throws(ItemError) {
            found = try Item(id, from: staging.directory, name)
        } catch {
            guard let reason = LeftOut.Reason(itemFault: error) else { throw error }
            return try refuse(id, item, reason)
        }
        for hidden in Set(item.hiddenDocuments) {
            let path = Layout.document + "/" + hidden
            if found.documentRelativePath?.utf8.elementsEqual(path.utf8) == true { continue }
            try forget(hidden, in: name + "/" + Layout.document, of: id, .hidden)
        }
        return true
    }

    private func refuse(_ id: ItemID, _ item: StagedItem, _ reason: LeftOut.Reason) throws -> Bool {
        try forget(id)
        leaveOut(Layout.items + "/" + item.shard + "/" + id.description, reason)
        return false
    }

    private func isRepository(_ folder: String) throws -> Bool {
        let names = Set(
            try staging.directory.directory(folder).entries().filter { $0.kind == .directory }
                .compactMap { $0.name.string.map(ControlName.fold) })
        return ControlName.besideHead.allSatisfy(names.contains)
    }

    /// Puts items in place whose shards can be written.
    private func place(_ turn: ArraySlice<ItemID>) throws {
        var refusing: Set<String> = []
        for shard in Set(turn.map(\.shard)) {
            let path = Layout.items + "/" + shard
            var isWritable = false
            let denial = try ItemError.denial {
                try session.store.root.makeDirectory(path)
                isWritable = try session.store.root.directory(path).isWritable
            }
            if denial != nil || !isWritable { refusing.insert(shard) }
        }
        for id in turn where refusing.contains(id.shard) {
            try forget(id)
            leaveOut(Layout.itemFolder(id), .notWritable)
        }
        let turn = turn.filter { !refusing.contains($0.shard) }
        let purged = try turn.filter { try wasPurged($0) }
        for id in purged { try renew(id) }
        try session.journal { .added(turn.map(added)) }
        try session.locked { () throws(ItemError) in
            try Items.files { () throws(FileError) in
                for id in turn {
                    let shard = try session.store.root.directory(Layout.items + "/" + id.shard)
                    try staging.directory.move(id.description, to: shard, as: id.description)
                    items[id] = nil
                    if !purged.contains(id) { addedCount += 1 }
                    session.noteChange(id)
                }
            }
        }
    }

    /// An item in staging as the journal records it.
    private func added(_ id: ItemID) -> AddedItem {
        let folder = id.description
        guard
            let bytes = try? staging.directory.contents(
                of: folder + "/" + Layout.itemFile, limit: JSONDocument.byteLimit),
            let json = try? JSONDocument(parsing: bytes.bytes)
        else { return AddedItem(id, state: nil) }
        let text = try? staging.directory.contentsIfPresent(
            of: folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
        return AddedItem(id, json, text: (text ?? nil)?.bytes)
    }

    // MARK: Files beside the items

    private func placeSettings() throws {
        guard let settings else { return }
        let live = try LibraryFile.read(in: session.store.root).json.bytes
        if settings.json.bytes == live || !isLibraryEmpty {
            keptCount += 1
            return
        }
        do throws(ItemError) {
            guard try session.replaceSettings(live, with: settings.json.bytes) else {
                return leaveOut(Layout.libraryFile, .other)
            }
        } catch {
            guard case .refused = error else { throw error }
            return leaveOut(Layout.libraryFile, .unusable(error))
        }
        fileCount += 1
        // Keys that are no settings are kept, and mean nothing.
        for fault in settings.faults where LibraryFile.Setting(rawValue: fault.key) != nil {
            leaveOut(Layout.libraryFile, .value(fault))
        }
    }

    private func placeBeside(_ path: String, _ name: String) throws {
        let limit = Layout.settingsByteLimit
        let staged = try staging.directory.contents(of: name, limit: limit)
        let new = staged.bytes
        let live = try session.store.root.statusIfPresent(of: path)
        if let live, live.kind != .regular { return leaveOut(path, .taken) }
        let old = live == nil ? nil : try session.store.root.contentsIfPresent(of: path, limit: limit)?.bytes
        if old == new {
            keptCount += 1
            return
        }
        let parts = path.pathComponents
        if let folder = NamedFolder(rawValue: parts[0]) {
            if old != nil, !isLibraryEmpty {
                keptCount += 1
                return
            }
            do {
                _ = try NamedFile(folder: folder, file: parts[1], bytes: new)
            } catch {
                return leaveOut(path, .unusable(error))
            }
            let swap = Swap(session: session, target: .named(folder, parts[1]), modified: staged.status.modified)
            if try swap.run(old, new) {
                fileCount += 1
            } else {
                leaveOut(path, .other)
            }
        } else if old != nil {
            keptCount += 1
        } else if let reason = try refusal(ofTombstone: path, new) {
            leaveOut(path, reason)
        } else if try session.placeNew(name, from: staging.directory, as: path, new) {
            besides[path] = nil
            fileCount += 1
        } else {
            leaveOut(path, .other)
        }
    }

    /// Why a tombstone is not taken. One of a living item would purge it as soon as it is in the trash.
    private func refusal(ofTombstone path: String, _ bytes: [UInt8]) throws -> LeftOut.Reason? {
        guard path.hasPrefix(Layout.tombstones + "/"), let id = ItemID(String(path.pathComponents[2].dropLast(5)))
        else { return nil }
        do throws(JSONError) {
            _ = try Tombstone(bytes)
        } catch {
            return .unusable(.malformed(path: path, error))
        }
        return try items[id] != nil || session.folder(of: id) != nil ? .itemLives : nil
    }
}
