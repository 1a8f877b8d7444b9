internal import Files
internal import Items
internal import JSONFormat

/// Reads the state of an item for an exchange.
struct StateReading: Sendable {
    let store: ItemStore
    /// What this device knew last: hashes of files that need not be read again.
    let known: KnownStates?
    /// Files and bundles above this many bytes are left out.
    let byteLimit: Int

    /// An item as it is now.
    struct Found: Sendable {
        var state: PackedState
        /// The item's folder, relative to the library's.
        let folder: String
        /// The bytes of item.json and text.md.
        let item: [UInt8]
        let text: [UInt8]?
        /// The paths of files that are away.
        let away: Set<String>
        /// The paths of files that are damaged. The state has them as they were recorded, but for those of which nothing says how
        /// many bytes they had.
        var damaged: Set<String>
        /// The paths of the page and the document, as far as a link or a folder is in their place.
        let notFiles: [String]
        /// history/ or conflicts/, as far as something else is in its place.
        let noFolders: [String]
        /// The path of the document that item.json names; `nil` if it names none.
        let documentPath: String?

        /// Whether the next sync reads the item again, and names these.
        var needsLook: Bool { !damaged.isEmpty || !notFiles.isEmpty || !noFolders.isEmpty }
    }

    /// - Parameters:
    ///   - last: the state that was read last; a file of a snapshot that looks as it was is not read again.
    ///   - records: the files as this device had them whole, which tell damage.
    ///   - areOthersWhole: whether this device remembers the item: a file that is not among the records is new then.
    /// - Returns: `nil` if there is no item, or one that no version can hold.
    /// - Throws: `ItemError.malformed` or `.fault` if item.json cannot be used; `.file`.
    func read(
        _ id: ItemID, in folder: String, last: PackedState?, records: [KnownFile], areOthersWhole: Bool
    ) throws(ItemError) -> Found? {
        let known = (known?.read(id).files ?? []) + records
        guard let live = try store.live(id, in: folder, known: known, areOthersWhole: areOthersWhole) else {
            return nil
        }
        var state = PackedState(
            id,
            item: .init(
                sha256: Items.ContentHash(of: live.itemBytes), modified: live.statuses[Layout.itemFile]?.modified ?? 0))
        if live.text == nil { try requireNoText(folder) }
        if let hash = live.hashes.text {
            state.text = .init(sha256: hash, modified: live.statuses[Layout.textFile]?.modified ?? 0)
        }
        for file in live.files {
            state.files.append(
                .init(
                    path: file.path, sha256: file.sha256, size: file.size,
                    modified: live.statuses[file.path]?.modified ?? 0))
        }
        var damaged = live.damaged
        let noFolders: [String]
        do throws(FileError) {
            noFolders = try store.noFolders(in: folder)
            try readOthers(folder, live, last, &state)
        } catch {
            if error.isAbsent { return nil }
            throw .file(error)
        }
        findDamage(records, live.statuses, &state, &damaged)
        let notFiles = try notFiles(in: folder, live)
        state.leaveOutBelowFiles()
        state.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        state.extras.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        leaveOutLarge(&state, last)
        return Found(
            state: state, folder: folder, item: live.itemBytes, text: live.text, away: live.away, damaged: damaged,
            notFiles: notFiles, noFolders: noFolders, documentPath: live.documentPath)
    }

    /// The page and the document in whose place is something else: they were not removed, and nothing can be written of them.
    private func notFiles(in folder: String, _ live: LiveState) throws(ItemError) -> [String] {
        let paths = [Layout.pageFile, Layout.readerFile] + [live.documentPath].compactMap(\.self)
        do throws(FileError) {
            var found: [String] = []
            for path in paths where live.statuses[path] == nil && Directory.isSafe(path) {
                do throws(FileError) {
                    let status = try store.root.statusIfPresent(of: folder + "/" + path)
                    if let status, status.kind != .regular { found.append(path) }
                } catch {
                    // A folder above it is a link or a file.
                    guard error.isEscape || error.isNoFile else { throw error }
                    found.append(path)
                }
            }
            return found
        } catch {
            throw .file(error)
        }
    }

    /// A text.md that is a link or a folder is no removed text.
    private func requireNoText(_ folder: String) throws(ItemError) {
        let path = folder + "/" + Layout.textFile
        do throws(FileError) {
            guard let status = try store.root.statusIfPresent(of: path), status.kind != .regular else { return }
            throw FileError(.open, store.root.full(path), .notRegular(status.kind))
        } catch {
            throw .file(error)
        }
    }

    /// Puts what was recorded of damaged files into a state: they are as they were for other devices.
    private func findDamage(
        _ records: [KnownFile], _ statuses: [String: FileStatus], _ state: inout PackedState,
        _ damaged: inout Set<String>
    ) {
        // By bytes: names of two forms of normalisation are two files.
        let byPath = Dictionary(
            records.map { (Array($0.file.path.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        for (place, file) in state.files.enumerated() {
            guard let record = byPath[Array(file.path.utf8)] else { continue }
            let isNew = record.file.sha256 != file.sha256
            if !damaged.contains(file.path) {
                guard isNew, !record.isSaved(file.modified, byteCount: file.size),
                    statuses[file.path].map({ record.isDamaged($0) }) ?? true,
                    !records.hasElsewhere(file.version)
                else { continue }
                damaged.insert(file.path)
            }
            if isNew || file.modified != record.modified {
                state.files[place] = .init(
                    path: file.path, sha256: record.file.sha256, size: record.file.size, modified: record.modified)
            }
        }
    }

    /// The files that no version records.
    private func readOthers(
        _ folder: String, _ live: LiveState, _ last: PackedState?, _ state: inout PackedState
    ) throws(FileError) {
        let item = try store.root.directory(folder)
        for entry in try item.entries() {
            guard let name = entry.name.string else {
                state.leftOut.append(.init(path: entry.name.repaired, reason: .name, byteCount: 0))
                continue
            }
            switch (name, entry.kind) {
            case (Layout.history, .directory):
                state.history = try Self.names(in: name, of: item, ExchangeLayout.isHistoryName, &state.leftOut)
            case (Layout.conflicts, .directory):
                state.conflicts = try Self.names(in: name, of: item, ExchangeLayout.isConflictName, &state.leftOut)
            case (Layout.history, _), (Layout.conflicts, _): break
            default: try add(entry.kind, name, in: item, "", live, last, &state)
            }
        }
    }

    /// The names in history/ or conflicts/ that travel, sorted. Others but temporary ones, and damaged ones that were set aside, are
    /// left out.
    private static func names(
        in folder: String, of item: borrowing Directory, _ travels: (String) -> Bool,
        _ leftOut: inout [PackedState.LeftOut]
    ) throws(FileError) -> [String] {
        var names: [String] = []
        for entry in try item.directory(folder).entries() {
            if let name = entry.name.string {
                if entry.kind == .regular, travels(name) {
                    names.append(name)
                    continue
                }
                if Layout.isTemporary(name) || name.hasSuffix(Layout.damagedEnding) { continue }
            }
            leftOut.append(.init(path: folder + "/" + entry.name.repaired, reason: .name, byteCount: 0))
        }
        return names.sorted()
    }

    private func add(
        _ kind: FileKind, _ name: String, in folder: borrowing Directory, _ prefix: String, _ live: LiveState,
        _ last: PackedState?, _ state: inout PackedState
    ) throws(FileError) {
        let path = prefix + name
        if Layout.isTemporary(name) { return }
        switch kind {
        case .directory:
            if path.pathComponents.count >= FullExportPlace.depthLimit {
                state.leftOut.append(.init(path: path, reason: .depth, byteCount: 0))
                return
            }
            let inner = try folder.directory(name)
            for entry in try inner.entries() {
                guard let child = entry.name.string else {
                    state.leftOut.append(
                        .init(path: path + "/" + entry.name.repaired, reason: .name, byteCount: 0))
                    continue
                }
                try add(entry.kind, child, in: inner, path + "/", live, last, &state)
            }
        case .regular:
            if path == Layout.itemFile || path == Layout.textFile || live.records(path) { return }
            guard PackedState.isTaken(path) else {
                state.leftOut.append(.init(path: path, reason: .name, byteCount: 0))
                return
            }
            if PackedState.isInDocument(path), !PackedState.isLostDocument(path) { state.extras.append(path) }
            let file = try folder.file(name)
            let status = try file.status()
            if PackedState.bundle(of: path) != nil,
                let same = last?.files.first(where: { $0.path.utf8.elementsEqual(path.utf8) }),
                same.size == status.byteCount, same.modified == status.modified
            {
                state.files.append(same)
                return
            }
            if status.byteCount > byteLimit {
                state.leftOut.append(.init(path: path, reason: .tooLarge, byteCount: status.byteCount))
                return
            }
            guard let read = try ItemStore.hashed(path, file) else { return }
            state.files.append(
                .init(path: path, sha256: read.sha256, size: read.size, modified: status.modified))
        default:
            // The page and the document are named already.
            if [Layout.pageFile, Layout.readerFile, live.documentPath].contains(path) { return }
            state.leftOut.append(.init(path: path, reason: .kind, byteCount: 0))
        }
    }

    /// Takes out what is above the limit, and takes over the names of bundles whose files are as they were.
    private func leaveOutLarge(_ state: inout PackedState, _ last: PackedState?) {
        for folder in Set(state.files.compactMap { PackedState.bundle(of: $0.path) }).sorted() {
            let files = state.files(ofBundle: folder)
            let byteCount = files.reduce(0) { $0 + $1.size }
            if byteCount > byteLimit {
                state.leftOut.append(.init(path: folder, reason: .tooLarge, byteCount: byteCount))
            } else if let last, let bundle = last.bundles.first(where: { $0.folder == folder }),
                last.files(ofBundle: folder).map(\.version) == files.map(\.version)
            {
                state.bundles.append(bundle)
            }
        }
        for file in state.files where PackedState.bundle(of: file.path) == nil && file.size > byteLimit {
            state.leftOut.append(.init(path: file.path, reason: .tooLarge, byteCount: file.size))
        }
        state.leftOut.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
