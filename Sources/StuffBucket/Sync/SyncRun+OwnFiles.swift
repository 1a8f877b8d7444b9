internal import Files
internal import Items
internal import Time

/// Files of the person's own that were changed or removed on a device: Documentation/Exchange.md § 7.
extension SyncRun {
    // MARK: The past

    /// The person's own files of an item, with what was changed or removed since this device synced last.
    ///
    /// - Parameters:
    ///   - own: the item as it is now.
    ///   - folder: the item's, relative to the library's.
    func ownFiles(of own: PackedState, in folder: String) throws -> [[UInt8]: OwnFile] {
        let last = state(of: own.id)
        let other = last == nil ? otherState(of: own.id) : nil
        let told = (last ?? other?.state)?.ownFiles ?? [:]
        let before = other != nil || isOwn(last) ? told : [:]
        let now = own.ownFiles, records = ownRecord[own.id]
        let keys = Set(now.keys).union(before.keys).union(records.keys)
        func known(_ key: [UInt8]) -> OwnFilePast? { records[key]?.past ?? before[key].map { OwnFilePast($0.sha256) } }
        let isPutBack = isPutBack(own, last ?? other?.state)
        let lookedAt = other?.lookedAt ?? memory.lookedAt
        let isCopied =
            keys.contains { key in known(key).map { $0.now != now[key]?.sha256 } ?? false }
            && isNewCopy(own, of: last ?? other?.state, in: folder, since: lookedAt)
        let documents = own.recordedDocuments
        lazy var moved = MovedFiles(from: last ?? other?.state, to: own)
        var files: [[UInt8]: OwnFile] = [:]
        for key in keys {
            let known = known(key)
            let isKnown = records[key]?.isKnown ?? (known != nil)
            if let known, let was = told[key], was.sha256 == known.now, !isPutBack {
                if let file = now[key], try isOlder(file, than: was, in: folder), !moved.contains(file) {
                    // Perhaps from a backup: nobody knows whether it is to replace the newer one.
                    let past = OwnFilePast.never.changed(to: file.sha256, modified: file.modified)
                    files[key] = OwnFile(past: past, isKnown: false, isNoted: true, modified: file.modified)
                    continue
                }
                if now[key] == nil, try isFolderOlder(than: was, in: folder, since: other == nil ? memory.beganAt : nil)
                {
                    files[key] = OwnFile(past: .never, isKnown: false, isNoted: true)
                    continue
                }
            }
            if isPutBack || isCopied, let known, known.now != now[key]?.sha256 {
                files[key] = OwnFile(
                    past: now[key].map { OwnFilePast($0.sha256) } ?? .never, isKnown: false, isNoted: true,
                    modified: now[key]?.modified ?? 0)
                continue
            }
            if let file = now[key] {
                var past = known ?? OwnFilePast(file.sha256)
                if past.now != file.sha256 { past = past.changed(to: file.sha256, modified: file.modified) }
                files[key] = OwnFile(
                    past: past, isKnown: isKnown, isNoted: known != nil, modified: file.modified)
            } else if let known {
                let path = String(decoding: key, as: UTF8.self)
                if known.now == nil {
                    // What is the document now has no marks in a state.
                    let isHidden = documents.contains(key)
                    files[key] = OwnFile(past: known, isKnown: true, isNoted: true, isHidden: isHidden)
                } else if try isRemoved(path, known.now, in: folder) {
                    files[key] = OwnFile(past: known.changed(to: nil, modified: 0), isKnown: true, isNoted: true)
                } else {
                    files[key] = OwnFile(past: known, isKnown: true, isNoted: true, isHidden: true)
                }
            }
        }
        return files
    }

    /// Whether an older folder of an item came back, as from a backup: nobody removed the files that it lacks, or changed those that it
    /// has.
    private func isPutBack(_ own: PackedState, _ last: PackedState?) -> Bool {
        if putBack.contains(own.id) {
            putBackSeen.insert(own.id)
            return true
        }
        guard let item = last?.item else { return false }
        return own.item.modified < item.modified && own.item.sha256 != item.sha256
    }

    /// Whether a backup was copied: the item's folder was made since this device looked at all items, or every file in it that has the bytes
    /// that it had. A person who removes or changes files leaves the folder, and a program that saves makes new files of those alone. A
    /// file system may not know when something was made.
    private func isNewCopy(
        _ own: PackedState, of last: PackedState?, in folder: String, since lookedAt: Timestamp?
    ) -> Bool {
        guard let looked = lookedAt?.milliseconds else { return false }
        func isNew(_ birth: Int64?) -> Bool { birth.map { $0 / 1_000_000 > looked } ?? false }
        if isNew(try? store.root.directory(folder).birth()) { return true }
        guard let last else { return false }
        let told = last.ownFiles
        var same = own.ownFiles.filter { told[$0]?.sha256 == $1.sha256 }.values.map(\.path)
        if own.item.sha256 == last.item.sha256 { same.append(Layout.itemFile) }
        if let text = own.text, text.sha256 == last.text?.sha256 { same.append(Layout.textFile) }
        return !same.isEmpty && same.allSatisfy { isNew(try? store.root.file(folder + "/" + $0).birth()) }
    }

    /// Whether a file was put in the place of a newer one with the time that it had: neither did a program write it now, nor is the
    /// time of the newer one alone wrong.
    private func isOlder(_ file: PackedState.File, than was: PackedState.File, in folder: String) throws -> Bool {
        guard file.sha256 != was.sha256, file.modified < was.modified,
            let status = try store.root.statusIfPresent(of: folder + "/" + file.path)
        else { return false }
        return file.modified < status.changed - 2_000_000_000
    }

    /// Whether the folder in which a file was is older than the file, or has not changed since the sync that saw the file there: a
    /// removal would have changed it, so it came from a backup.
    private func isFolderOlder(
        than file: PackedState.File, in folder: String, since beganAt: Timestamp?
    ) throws -> Bool {
        var place = folder
        var last: FileStatus?
        for part in file.path.pathComponents {
            guard let status = try? store.root.statusIfPresent(of: place), status.kind == .directory else { break }
            last = status
            place += "/" + part
        }
        guard let last else { return false }
        // Some file systems know every other second alone. On others the time of a change is that of the kernel's last tick, up to 10 ms
        // before the clock's.
        let unit: Int64 = last.changed % 1_000_000_000 == 0 ? 2000 : 10
        if let began = beganAt?.milliseconds, last.changed / 1_000_000 + unit < began { return true }
        // A file from the future says nothing.
        return last.modified < file.modified && file.modified < last.changed
    }

    /// What a state says of the past of an item's own files: of those that were changed or removed.
    func former(_ files: [[UInt8]: OwnFile]) -> [PackedState.Former] {
        files.filter { !$0.value.isHidden && !$0.value.past.isUnchanged && !$0.value.past.marks.isEmpty }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { .init(path: String(decoding: $0.key, as: UTF8.self), marks: $0.value.past.marks) }
    }

    /// Remembers an item's own files as this device knows them.
    ///
    /// - Parameter isWhole: whether the exchange has the item as it is here: then its state tells the files that never changed.
    func note(_ files: [[UInt8]: OwnFile], of id: ItemID, isWhole: Bool) {
        let old = ownRecord[id]
        ownRecord[id] = files.filter { key, file in
            file.isNoted && (!isWhole || !file.past.isUnchanged || old[key] != nil || !file.isKnown)
        }.mapValues { .init(past: $0.past, isKnown: $0.isKnown) }
    }

    /// Whether a state says all that this device knows of an item's own files.
    func isTold(_ files: [[UInt8]: OwnFile], by state: PackedState) -> Bool {
        let told = state.ownPasts
        return files.allSatisfy { key, file in file.isHidden || file.past.isWithin(told[key] ?? .never) }
    }

    /// Whether the device that wrote a state could have a file of an item as it is here, and has not: one for which a folder or a file
    /// of its own is in the way never comes to it.
    func lacks(_ files: [[UInt8]: OwnFile], _ state: PackedState) -> Bool {
        let told = state.ownPasts, there = state.ownFiles
        let foldersThere = Set(there.keys.flatMap(Self.foldersAbove))
        return files.contains { key, file in
            !file.isHidden && !file.past.isWithin(told[key] ?? .never) && !foldersThere.contains(key)
                && !Self.foldersAbove(key).contains { there[$0] != nil }
        }
    }

    /// The folders in which a path is.
    private static func foldersAbove(_ path: [UInt8]) -> [[UInt8]] {
        path.indices.filter { path[$0] == UInt8(ascii: "/") }.map { Array(path[..<$0]) }
    }

    /// Whether a person removed a file. A link in the place of a folder hides what is below.
    ///
    /// - Parameter hash: that of the file as it was known.
    private func isRemoved(_ path: String, _ hash: Items.ContentHash?, in folder: String) throws -> Bool {
        // In a work tree of git, files go with a checkout.
        if isWorkTree { return false }
        // The end of such a conflict is in a version, which ends none that somebody edited.
        if PackedState.isLostDocument(path), let hash, Layout.tells(path, hash) { return false }
        let parts = path.pathComponents
        for count in 1...parts.count {
            let status: FileStatus?
            do throws(FileError) {
                status = try store.root.statusIfPresent(
                    of: folder + "/" + parts.prefix(count).joined(separator: "/"))
            } catch {
                if error.concernsOneFile || error.isEscape || error.isNoFile { return false }
                throw error
            }
            guard let status else { return true }
            let isLast = count == parts.count
            // A folder took the place of the file, or a file that of its folder.
            if status.kind == (isLast ? .directory : .regular) { return true }
            if isLast || status.kind != .directory { return false }
        }
        return false
    }
}

/// Files of an item that a person renamed since this device synced last: no backup brought them.
private struct MovedFiles {
    private struct Content: Hashable {
        let sha256: Items.ContentHash, modified: Int64
    }
    private var contents: Set<Content> = []

    /// Files whose names of then have them no longer.
    init(from last: PackedState?, to now: PackedState) {
        let here = Set(now.files.map(\.version))
        for file in last?.files ?? [] where !here.contains(file.version) {
            contents.insert(Content(sha256: file.sha256, modified: file.modified))
        }
    }

    func contains(_ file: PackedState.File) -> Bool {
        contents.contains(Content(sha256: file.sha256, modified: file.modified))
    }
}

extension PackedState {
    /// The files of the person's own whose changes travel, by the bytes of their paths.
    var ownFiles: [[UInt8]: File] {
        let extras = Set(extras.map { Array($0.utf8) })
        return Dictionary(
            files.map { (Array($0.path.utf8), $0) }.filter { Self.isOwnFile($1.path) || extras.contains($0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The paths of files in document/ that are not of the person's own: that of the document.
    var recordedDocuments: Set<[UInt8]> {
        let own = ownFiles
        return Set(files.filter { Self.isInDocument($0.path) }.map { Array($0.path.utf8) }.filter { own[$0] == nil })
    }

    /// What the state says of the past of the person's own files.
    var ownPasts: [[UInt8]: OwnFilePast] {
        var pasts = ownFiles.mapValues { OwnFilePast($0.sha256) }
        let documents = recordedDocuments
        for former in former where !former.marks.isEmpty {
            let key = Array(former.path.utf8)
            if documents.contains(key) { continue }
            pasts[key] = OwnFilePast(now: pasts[key]?.now, marks: former.marks)
        }
        return pasts
    }
}
