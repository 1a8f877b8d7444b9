internal import Files
internal import Items
internal import Time

/// A file of an item that is damaged or missing, and the hash of the bytes that it had.
struct WantedFile {
    /// Relative to the item's folder.
    let path: String
    /// The SHA-256 in hexadecimal digits, or its first 16.
    let digits: String
    /// When the file was modified, in nanoseconds since 1970; `nil` where nothing says it.
    let modified: Int64?
    /// The damaged file as it was read; `nil` for a missing one.
    let status: FileStatus?
    /// Whether a person may have put it there. It is damaged if another place has a file of its size with the wanted bytes.
    var isDoubtful = false
    /// When the item's page was captured, as item.json says it; of a missing file.
    var capturedAt: String?

    /// Whether a file of this many bytes may be what is wanted.
    func fits(byteCount: Int) -> Bool { !isDoubtful || byteCount == status?.byteCount }
}

/// Finds files of an item whose bytes are not those that were recorded.
///
/// A file that was modified since its hash was recorded was edited, and is not damaged.
struct WantedFiles {
    /// What is recorded of a file.
    private struct Record {
        let digits: String
        /// `nil` where the name alone says the hash.
        var modified: Int64?
        var size: Int?
    }

    let store: ItemStore
    let known: KnownStates?
    let monitor: Monitor
    private(set) var found: [WantedFile] = []
    /// Files that cannot be read, relative to the library's folder.
    private(set) var unreadable: [String] = []
    /// The files of the item that were read already, by their paths relative to its folder: no other one is read, and none is looked for.
    var sums: [String: (hash: Items.ContentHash, status: FileStatus)]?

    init(_ store: ItemStore, _ monitor: Monitor) {
        self.store = store
        known = KnownStates(store)
        self.monitor = monitor
    }

    /// Reads the files of an item whose hashes are recorded.
    ///
    /// - Parameters:
    ///   - state: what an exchange says of the item.
    ///   - isForRepair: whether to look at files that have their hash in their name or in item.json, too, and for missing
    ///     ones; `Check` reads these itself.
    ///   - absent: files that are away and that no exchange has: they are missing.
    mutating func look(
        _ stored: StoredItem, _ state: PackedState?, isForRepair: Bool = true, absent: [Version.File] = []
    ) throws {
        // By bytes: names of two forms of normalisation are two files.
        var records: [[UInt8]: Record] = [:]
        for file in state?.files ?? [] {
            records[Array(file.path.utf8)] = Record(digits: file.sha256.hex, modified: file.modified, size: file.size)
        }
        let known = known?.read(stored.id)
        // As an exchange got them. Some file systems know whole seconds alone: an edit may have such a time, too.
        for (path, file) in [(Layout.itemFile, state?.item), (Layout.textFile, state?.text)] {
            guard let file, file.modified % 1_000_000_000 != 0 else { continue }
            records[Array(path.utf8)] = Record(digits: file.sha256.hex, modified: file.modified)
        }
        for file in (known?.files ?? []) + (known?.settledFiles ?? []) {
            records[Array(file.file.path.utf8)] = Record(
                digits: file.file.sha256.hex, modified: file.modified, size: file.file.size)
        }
        if isForRepair { recordNames(of: stored, &records) }
        var own = RecordedFiles(stored, in: store)
        for (path, record) in records.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try compare(String(decoding: path, as: UTF8.self), record, stored, &own)
        }
        var unknown = [Layout.pageFile, Layout.readerFile]
        // `Check` compares the document with item.json.
        if isForRepair, let document = stored.document, !document.isLoose { unknown.append(document.path) }
        for path in unknown where records[Array(path.utf8)] == nil { try compareUnknown(path, stored, &own) }
        for file in absent { records[Array(file.path.utf8)] = Record(digits: file.sha256.hex, size: file.size) }
        if isForRepair, sums == nil { try lookForMissing(stored, records, absent.map(\.path)) }
    }

    private func recordNames(of stored: StoredItem, _ records: inout [[UInt8]: Record]) {
        // A person may have edited an asset: a repair offers the bytes of its name, and an export says nothing of it.
        let folders = [(Layout.assets, 16), (Layout.history, 64)].filter { sums == nil || $0.0 == Layout.history }
        for (folder, count) in folders {
            for name in names(in: stored.folder + "/" + folder) {
                let digits = String(name.prefix { $0 != "." })
                let isHash = folder == Layout.assets ? Layout.isAssetName(name) : ExchangeLayout.isHistoryName(name)
                if isHash, digits.utf8.count >= count {
                    records[Array((folder + "/" + name).utf8)] = Record(digits: digits)
                }
            }
        }
    }

    private func names(in folder: String) -> [String] {
        ((try? store.root.directory(folder).entries()) ?? []).filter { $0.kind == .regular }
            .compactMap(\.name.string).filter { !Layout.isTemporary($0) }
    }

    private mutating func compare(
        _ path: String, _ record: Record, _ stored: StoredItem, _ own: inout RecordedFiles
    ) throws {
        let read = try read(path, of: stored) { status in
            // A file that lost all of its bytes was not edited.
            if status.byteCount == 0, record.size ?? 0 > 0 { return true }
            guard let modified = record.modified else { return true }
            return !KnownFile.isSaved(
                (status.modified, status.byteCount), since: (modified, record.size ?? status.byteCount))
        }
        guard let (hash, status) = read, !hash.hex.hasPrefix(record.digits) else { return }
        // The record is of bytes that took the place of these, and that are gone again. A file that is empty lost its bytes.
        if record.size != nil, status.byteCount > 0, try own.names(hash, at: path) { return }
        let modified = record.modified ?? status.modified
        found.append(.init(path: path, digits: record.digits, modified: modified, status: status))
    }

    /// Compares a file of which this device remembers nothing: the item itself tells damage.
    private mutating func compareUnknown(
        _ path: String, _ stored: StoredItem, _ own: inout RecordedFiles
    ) throws {
        guard let (hash, status) = try read(path, of: stored, where: { _ in true }) else { return }
        let now = Version.File(path: path, sha256: hash, size: status.byteCount)
        guard let record = try own.damage(now, status) else { return }
        let isDoubtful = if case .doubtful = record { true } else { false }
        found.append(
            .init(
                path: path, digits: record.hash.hex, modified: status.modified, status: status, isDoubtful: isDoubtful))
    }

    /// - Returns: `nil` if there is no file, if it is not wanted, or if it cannot be read: then it is named.
    private mutating func read(
        _ path: String, of stored: StoredItem, where isWanted: (FileStatus) -> Bool
    ) throws -> (hash: Items.ContentHash, status: FileStatus)? {
        if let sums { return sums[path].flatMap { isWanted($0.status) ? $0 : nil } }
        let path = stored.folder + "/" + path
        try monitor.check()
        do throws(FileError) {
            guard let file = try store.root.fileIfPresent(path) else { return nil }
            let status = try file.status()
            guard isWanted(status), let hash = Items.ContentHash(hex: try file.sha256().utf8) else { return nil }
            return (hash, status)
        } catch {
            if error.isAbsent { return nil }
            // A disk that cannot read it any more: another copy may have it.
            // A FIFO or a folder in its place is no file.
            guard error.concernsOneFile || error.isNoFile || error.isEscape else { throw ItemError.file(error) }
            unreadable.append(path)
            return nil
        }
    }

    /// The page and the document that item.json names, the files that the page needs, and those that are away and in no exchange.
    private mutating func lookForMissing(
        _ stored: StoredItem, _ records: [[UInt8]: Record], _ absent: [String]
    ) throws {
        var missing = absent
        let away = Set((stored.away?.all ?? []).map(\.file.path)).subtracting(absent)
        if stored.item.archiveStatus == .full || stored.item.archiveStatus == .partial {
            missing += records.keys.map { String(decoding: $0, as: UTF8.self) }.filter {
                $0 == Layout.pageFile || $0 == Layout.readerFile
                    || $0.hasPrefix(Layout.assets + "/") && !Layout.isOwnAmongPages($0)
            }
        }
        // One that is here under another name was renamed or replaced.
        if let path = stored.item.documentRelativePath, stored.document?.isLoose ?? true { missing.append(path) }
        // What was set aside as damaged, and did not come again.
        missing += names(in: stored.folder + "/" + Layout.history).filter { $0.hasSuffix(Layout.damagedEnding) }
            .map { String($0.dropLast(Layout.damagedEnding.utf8.count)) }.filter(ExchangeLayout.isHistoryName)
            .map { Layout.history + "/" + $0 }
        // Also a page of which no hash is recorded: then it is only named.
        missing += stored.unavailablePaths
        missing += try store.assetReferences(of: stored).missing.filter(Layout.isAssetName).map {
            Layout.assets + "/" + $0
        }
        for path in Set(missing).subtracting(away).sorted() {
            let full = stored.folder + "/" + path
            if let status = try ItemStore.statusIfPresent(of: full, in: store) {
                // A link or a folder in its place is no file.
                if status.kind != .regular, !unreadable.contains(full) { unreadable.append(full) }
                continue
            }
            let name = path.pathComponents.last ?? ""
            let isNamedByHash =
                path.hasPrefix(Layout.assets + "/") && Layout.isAssetName(name) || path.hasPrefix(Layout.history + "/")
            let digits =
                records[Array(path.utf8)]?.digits ?? (isNamedByHash ? String(name.prefix { $0 != "." }) : nil)
                ?? (path == stored.item.documentRelativePath ? stored.item.documentSHA256 : nil)
            found.append(
                .init(
                    path: path, digits: digits ?? "", modified: records[Array(path.utf8)]?.modified, status: nil,
                    capturedAt: stored.capturedAt))
        }
    }
}

extension StoredItem {
    /// `archivedAt`, as item.json says it.
    var capturedAt: String? { json.member(ItemField.archivedAt.key, of: json.root).flatMap { json.string($0) } }
}

extension ItemStore {
    fileprivate static func statusIfPresent(of path: String, in store: ItemStore) throws -> FileStatus? {
        do throws(FileError) {
            return try store.root.statusIfPresent(of: path)
        } catch {
            throw ItemError.file(error)
        }
    }
}
