package import Files
internal import JSONFormat
internal import Synchronization
package import Time

/// The items of one library, read from and written to their folders.
///
/// Reading takes no lock. Every write is staged in `.sbfs/staging`, synced, and put in place by one rename; FORMAT.md
/// § Writing says what a reader sees after each step.
package final class ItemStore: Sendable {
    package let root: Directory
    package let settings: LibraryFile
    /// `nil` where the library cannot be written.
    package let device: DeviceFolder?
    private let session = Mutex<StagingSession?>(nil)
    /// Why `.sbfs` cannot be used, where it is not only that nothing may be written.
    private let deviceFault: FileError?
    /// What was done without being asked for, for the person to know.
    private let told = Mutex<[String]>([])
    /// Items whose files were changed since `takeChanges` was called.
    private let changes = Mutex<Set<ItemID>>([])
    /// What this process writes into the journal.
    let journalState = Mutex<JournalState>(.off)
    /// Items in another shard than their own, once many items are to be changed.
    private let misplaced = Mutex<Set<ItemID>?>(nil)
    /// Threads of this process take turns here before they meet other processes at the lock.
    private let turn = Mutex<Void>(())

    /// Opens a library, re-creates folders that are missing, and clears what a killed process left.
    ///
    /// - Parameter path: the library's folder.
    /// - Throws: `ItemError` if there is no library, or one that this version cannot read.
    package init(path: String) throws(ItemError) {
        do throws(FileError) {
            root = try Directory(path: path)
        } catch {
            if error.isAbsent { throw .noLibrary(path: path) }
            throw .file(error)
        }
        settings = try LibraryFile.read(in: root)
        if settings.isWritable {
            // Reading needs nothing of it, so a damaged one only stops writers.
            do throws(FileError) {
                device = try DeviceFolder.open(in: root)
                deviceFault = nil
            } catch {
                device = nil
                deviceFault = error
            }
        } else {
            device = nil
            deviceFault = nil
        }
        if device != nil {
            completeFolders()
            recover()
            device?.keepReserve()
        }
    }

    /// The staging folder of this process, made when it is first needed.
    ///
    /// - Throws: `ItemError` where the library cannot be written.
    func staging() throws(ItemError) -> StagingSession {
        guard let device else { throw unwritable }
        do {
            return try session.withLock { session in
                if let session { return session }
                let new = try StagingSession(in: device.staging)
                session = new
                return new
            }
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .refused("\(error)")
        }
    }

    package func tell(_ sentence: String) { told.withLock { $0.append(sentence) } }

    /// What was done without being asked for since this was last called, as sentences.
    package func takeTold() -> [String] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }

    /// Notes that an item's files are others now, for what is derived from them.
    func noteChange(_ id: ItemID) { _ = changes.withLock { $0.insert(id) } }

    /// Whether `takeChanges` would give something.
    package var hasChanges: Bool { changes.withLock { !$0.isEmpty } }

    /// The items that this process added, changed or removed since this was last called.
    package func takeChanges() -> [ItemID] {
        changes.withLock { changes in
            defer { changes = [] }
            return Array(changes)
        }
    }

    var unwritable: ItemError {
        if let deviceFault { return .file(deviceFault) }
        return settings.isWritable
            ? .refused("\(root.path) cannot be written by you; nothing was changed")
            : .readOnlyFormat(path: root.path, format: settings.format, supported: LibraryFile.supportedFormat)
    }

    /// Runs `body` while no other sbfs writes to the library.
    ///
    /// - Throws: `ItemError.locked` after ten seconds.
    func locked<Result>(_ body: () throws(ItemError) -> Result) throws(ItemError) -> Result {
        guard let result = try lockedIfFree(patience: Self.lockPatience, body) else {
            throw .locked(path: root.path, seconds: Self.lockPatience)
        }
        return result
    }

    private static let lockPatience = 10

    /// The same, or `nil` if another sbfs writes for all of `patience` seconds.
    func lockedIfFree<Result>(
        patience: Int, _ body: () throws(ItemError) -> Result
    ) throws(ItemError) -> Result? {
        guard let device else { throw unwritable }
        return try turn.withLock { _ throws(ItemError) -> Result? in
            let lock = try files { () throws(FileError) -> FileLock? in
                try FileLock.acquire(Layout.lock, in: device.directory, patience: .seconds(patience))
            }
            guard let lock else { return nil }
            defer { withExtendedLifetime(lock) {} }
            return try body()
        }
    }

    // MARK: Reading

    /// What one shard folder holds.
    package struct Shard: Sendable {
        package var ids: [ItemID] = []
        /// Entries that are no items: not a UUID in lower case, or not a folder.
        package var strays: [DirectoryEntry] = []
    }

    /// The shards that exist, in order, and what else lies in items/.
    package func shards() throws(ItemError) -> (names: [String], strays: [DirectoryEntry]) {
        let entries = try files { () throws(FileError) -> [DirectoryEntry] in
            // Absent where git cloned an empty library and it cannot be written.
            if try root.statusIfPresent(of: Layout.items) == nil { return [] }
            return try root.directory(Layout.items).entries()
        }
        let names = entries.filter { $0.kind == .directory }.compactMap(\.name.string).filter(Layout.isShard)
        let strays = entries.filter { $0.kind != .directory || !($0.name.string.map(Layout.isShard) ?? false) }
        return (names.sorted(), strays)
    }

    /// The items of one shard in the order of their ids, whether or not they belong into this shard.
    package func shard(_ name: String) throws(ItemError) -> Shard {
        var shard = Shard()
        for entry in try files({ () throws(FileError) in try root.directory(Layout.items + "/" + name).entries() }) {
            if entry.kind == .directory, let id = ItemID(utf8: entry.name.bytes),
                !entry.name.bytes.contains(where: { $0 >= 0x41 && $0 <= 0x46 })
            {
                shard.ids.append(id)
            } else {
                shard.strays.append(entry)
            }
        }
        shard.ids.sort()
        return shard
    }

    /// The folder of an item, wherever it lies: its own shard, else another one.
    package func folder(of id: ItemID) throws(ItemError) -> String? {
        try folders(of: id).first
    }

    /// All folders with an item's name, its own shard first. More than one is a fault that `check` names.
    package func folders(of id: ItemID) throws(ItemError) -> [String] {
        let own = Layout.itemFolder(id)
        let isOwn = try files { () throws(FileError) in try root.statusIfPresent(of: own) }?.kind == .directory
        if let misplaced = misplaced.withLock({ $0 }), !misplaced.contains(id) { return isOwn ? [own] : [] }
        // Only shards that are folders: one that is a symbolic link holds no items, and `check` names it.
        let others = try shards().names.filter { $0 != id.shard }.map { Layout.items + "/" + $0 + "/" + id.description }
        return try files { () throws(FileError) in
            var folders = isOwn ? [own] : []
            for folder in others where try root.statusOfKnownPath(folder)?.kind == .directory { folders.append(folder) }
            return folders
        }
    }

    /// Looks once at all shards for items in wrong ones, so that changing many items need not look for each.
    func findMisplaced() throws(ItemError) {
        if misplaced.withLock({ $0 }) != nil { return }
        var found: Set<ItemID> = []
        for name in try shards().names {
            for id in try shard(name).ids where id.shard != name { found.insert(id) }
        }
        misplaced.withLock { $0 = found }
    }

    /// Reads an item by its id.
    ///
    /// - Returns: `nil` if there is none, or if its item.json is not here (yet).
    /// - Throws: `ItemError.malformed` or `.fault` if item.json cannot be used.
    package func item(_ id: ItemID) throws(ItemError) -> StoredItem? {
        do throws(ItemError) {
            if let item = try item(id, in: Layout.itemFolder(id)) { return item }
        } catch {
            // A link in the place of the item's folder is passed over; the item may lie in another shard.
            guard case .file(let cause) = error, cause.isEscape, try folder(of: id) != Layout.itemFolder(id) else {
                throw error
            }
        }
        guard let folder = try folder(of: id) else { return nil }
        return try item(id, in: folder)
    }

    /// What stat said of text.md a moment ago, so that it is not asked again where many items are read.
    package struct KnownFiles: Sendable {
        /// Of text.md, whatever it is; `nil` if there is none.
        package var text: FileStatus?

        package init(text: FileStatus?) { self.text = text }
    }

    /// Reads an item from a folder that is known.
    ///
    /// - Parameter known: what stat said a moment ago; looked at now if `nil`.
    package func item(
        _ id: ItemID, in folder: String, now: Timestamp = .now, known: KnownFiles? = nil
    ) throws(ItemError) -> StoredItem? {
        var loose: String?
        let found = try files { () throws(FileError) -> (FileContents, ItemParts)? in
            do throws(FileError) {
                let directory = try root.directory(folder)
                let file = try directory.contents(of: Layout.itemFile, limit: JSONDocument.byteLimit)
                return (file, try ItemParts(in: directory, loose: &loose))
            } catch let error where error.isAbsent {
                return nil
            }
        }
        guard let (contents, parts) = found else { return nil }
        let json = try parse(contents.bytes, folder: folder)
        var faults: [FieldFault] = []
        let item = Item(id: id, json: json, faults: &faults)
        if let fault = faults.first(where: { $0.key == ItemField.id.key || $0.key == Layout.itemFile }) {
            throw .fault(path: root.full(folder + "/" + Layout.itemFile), fault)
        }
        return try files { () throws(FileError) in
            let text: FileStatus?
            if let known {
                text = known.text?.kind == .regular ? known.text : nil
            } else {
                text = parts.contains(.text) ? try regular(folder + "/" + Layout.textFile) : nil
            }
            let document = try document(of: item, in: folder, parts, loose: loose)
            let times = [contents.status, text, document?.status].compactMap { $0 }
                .map { Timestamp(nanoseconds: $0.modified) }
            return StoredItem(
                item: item, json: json, folder: folder, status: contents.status, text: text, document: document,
                parts: parts, hasPromisedPage: try hasPromisedPage(item, in: folder, parts), faults: faults,
                effectiveUpdatedAt: StoredItem.effectiveTime(
                    updatedAt: item.updatedAt, times: times, adoptedAt: device?.adoptedAt, now: now),
                createdAt: StoredItem.bounded(item.createdAt ?? id.creation ?? times[0], now: now))
        }
    }

    /// The bytes of an item's item.json.
    func itemFile(in folder: String) throws(ItemError) -> FileContents? {
        try files { () throws(FileError) in
            try root.contentsIfPresent(of: folder + "/" + Layout.itemFile, limit: JSONDocument.byteLimit)
        }
    }

    func parse(_ bytes: [UInt8], folder: String) throws(ItemError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: root.full(folder + "/" + Layout.itemFile), error)
        }
    }

    /// The item's folder was opened a moment ago and is no link, so its entries are looked at by their whole path.
    private func regular(_ path: String) throws(FileError) -> FileStatus? {
        let status = try root.statusOfKnownPath(path)
        return status?.kind == .regular ? status : nil
    }

    /// Whether the file is there that item.json calls the saved page; `false` also where it names none.
    private func hasPromisedPage(_ item: Item, in folder: String, _ parts: ItemParts) throws(FileError) -> Bool {
        switch item.htmlRelativePath {
        case nil: return false
        case Layout.pageFile: return parts.contains(.page)
        case Layout.readerFile: return parts.contains(.reader)
        case let path?:
            do throws(FileError) {
                return try root.statusIfPresent(of: folder + "/" + path)?.kind == .regular
            } catch let error where error.isEscape {
                return false
            }
        }
    }

    /// The document: FORMAT.md § Which file is the document.
    private func document(
        of item: Item, in folder: String, _ parts: ItemParts, loose: String?
    ) throws(FileError) -> StoredDocument? {
        var isFolderEmpty = true
        if parts.contains(.documentFolder) {
            if let document = try document(of: item, in: folder, isFolderEmpty: &isFolderEmpty) { return document }
        }
        guard let loose, isFolderEmpty, item.documentRelativePath == nil, !parts.contains(.otherDocument),
            let status = try regular(folder + "/" + loose)
        else { return nil }
        return StoredDocument(name: loose, status: status, isLoose: true)
    }

    /// The file in document/ that documentRelativePath names, else the only one.
    ///
    /// - Parameter isFolderEmpty: becomes false if there is any regular file in document/.
    private func document(
        of item: Item, in folder: String, isFolderEmpty: inout Bool
    ) throws(FileError) -> StoredDocument? {
        let path = folder + "/" + Layout.document
        let prefix = Layout.document + "/"
        let hint = item.documentRelativePath.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        if let hint, !hint.contains("/"), let status = try regular(path + "/" + hint) {
            return StoredDocument(name: hint, status: status)
        }
        var names: [String] = []
        for entry in try root.directory(path).entries() where entry.kind == .regular {
            isFolderEmpty = false
            if let name = entry.name.string, !Layout.isTemporary(name) { names.append(name) }
        }
        // String equality is canonical equivalence, so an NFD name matches an NFC hint.
        let chosen =
            names.count == 1
            ? names[0] : names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.first { $0 == hint }
        guard let chosen, let status = try regular(path + "/" + chosen) else { return nil }
        return StoredDocument(name: chosen, status: status)
    }

    /// The item's text: text.md, else textContent.
    ///
    /// - Throws: `FileError.tooLarge` above `Layout.textByteLimit`.
    package func text(of stored: StoredItem) throws(ItemError) -> [UInt8]? {
        if stored.text != nil {
            let contents = try files { () throws(FileError) in
                try root.contentsIfPresent(of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            }
            if let contents { return contents.bytes }
        }
        return stored.item.textContent.map { Array($0.utf8) }
    }

    /// What lists show as the item's title.
    package func displayTitle(of stored: StoredItem) -> String {
        var start: [UInt8]?
        if !stored.item.hasTitle {
            if stored.text != nil {
                let path = stored.folder + "/" + Layout.textFile
                start = (try? root.prefixIfPresent(of: path, count: 2048)) ?? nil
            } else {
                start = stored.item.textContent.map { Array($0.utf8.prefix(2048)) }
            }
        }
        return stored.item.displayTitle(textStart: start, documentFileName: stored.document?.name)
    }

    /// Whether a tombstone hides an item: purged, and not changed since.
    ///
    /// A tombstone counts only against an item that is still in the trash by both marks and was not changed after the
    /// purge; whoever took it out of the trash elsewhere wins.
    package func isPurged(_ stored: StoredItem) throws(ItemError) -> Bool {
        // A tombstone that cannot be read purges nothing; `check` names it.
        guard stored.item.hasBothTrashMarks, let tombstone = (try? tombstone(of: stored.id)) ?? nil else {
            return false
        }
        return stored.effectiveUpdatedAt <= tombstone
    }

    /// The ids that have a tombstone and still have a folder.
    package func tombstones() throws(ItemError) -> [ItemID] {
        try files { () throws(FileError) -> [ItemID] in
            guard try root.statusIfPresent(of: Layout.tombstones)?.kind == .directory else { return [] }
            let folder = try root.directory(Layout.tombstones)
            var ids: [ItemID] = []
            for shard in try folder.entries() where shard.kind == .directory {
                guard let name = shard.name.string, Layout.isShard(name) else { continue }
                for entry in try folder.directory(name).entries() {
                    guard let file = entry.name.string, file.hasSuffix(".json"),
                        let id = ItemID(String(file.dropLast(5))),
                        try root.statusIfPresent(of: Layout.itemFolder(id)) != nil
                    else { continue }
                    ids.append(id)
                }
            }
            return ids
        }
    }

    /// When an item was purged, or `nil`.
    package func tombstone(of id: ItemID) throws(ItemError) -> Timestamp? {
        let path = Layout.tombstone(id)
        let contents = try files { () throws(FileError) in
            try root.contentsIfPresent(of: path, limit: Layout.settingsByteLimit)
        }
        guard let contents else { return nil }
        do throws(JSONError) {
            let json = try JSONDocument(parsing: contents.bytes)
            return json.member("purgedAt", of: json.root).flatMap { json.string($0) }.flatMap(Timestamp.init)
        } catch {
            throw .malformed(path: root.full(path), error)
        }
    }
}
