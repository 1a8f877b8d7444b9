internal import Files
internal import Items
internal import Merge

/// A document that a program renamed: Documentation/Merge.md § 3. Copying programs bring the new name and leave the old one.
extension VersionSweep {
    /// Removes the document under its former names, if the one that stands is in document/ under its own, or if there is none. A version must
    /// have these bytes under that name. What nobody replaced, and has other bytes, is kept as a lost document.
    ///
    /// Where the one that stands is live already, only files go that a program renamed, or got by renaming, that somebody took out and a tool
    /// brought again, or that lie under their conflict names, too, and that are older than what is known of them: what a person put beside it
    /// later stays.
    ///
    /// - Parameter isCarried: whether a tool gave document/ its time.
    mutating func removeFormerNames(_ state: ItemState, isCarried: Bool) throws(ItemError) {
        guard !isWorkTree, drafts == nil, live.away.isEmpty else { return }
        let winner = state.files.first { Component(of: $0) == .document }
        let isThere = winner.map(lies) ?? (LiveState.documentPath(in: state.members) == nil)
        if !isThere {
            for file in try DocumentPast(self).files where lies(file) {
                guard let status = (try? store.root.statusIfPresent(of: folder + "/" + file.path)) ?? nil else {
                    continue
                }
                formerNamesLeft.insert(.init(inode: status.inode, modified: status.modified))
            }
            return
        }
        let isLive = winner.map(live.files.contains) ?? true
        if isLive, try store.fileNames(in: folder + "/" + Layout.document).count < 2 { return }
        let past = try DocumentPast(self)
        // Another copy took out what was the document here.
        let own = isDocumentEdited ? nil : try memory.at.map(existing)?.files.first { Component(of: $0) == .document }
        // A sync brings a person's own files, too, and tells each device which it removes.
        let isSynced = (try? SyncFolder.all(store))?.isEmpty == false
        var isChanged = false
        for file in past.files where winner.map({ !file.isAt($0.path) }) ?? true && lies(file) {
            guard let status = (try? store.root.statusIfPresent(of: folder + "/" + file.path)) ?? nil else { continue }
            // `removeDetached` looks after it.
            if winner == nil, live.files.contains(file) { continue }
            let wasBeside = memory.beside.contains { $0.modified == status.modified }
            let isBrought = (knewVersion || bytes?.last(id) != nil) && (isCarried || file == own)
            let isOut = isBrought && !wasBeside && past.wasTakenOut(file)
            // rsync leaves the folder its time within one second. A person's own file stays.
            var hasLost = isKept(file)
            if hasLost, !isBrought, wasBeside || isSynced { hasLost = false }
            if hasLost, !isBrought, try isWrittenHere(file, status) { hasLost = false }
            let isFormer = past.wasRenamed(file) || isOut || hasLost
            // A join gives files that won whole seconds, which may be later.
            let isKnown = file == own || hasLost && status.modified % 1_000_000_000 == 0
            let isOlder = isKnown || status.modified / 1_000_000 <= birth(of: past.versions(with: file))
            if isLive, !isFormer || !isOlder { continue }
            // It was the document while there was no other: after `detach` and `undo`, for example.
            if !isFormer, memory.beside.contains(.init(inode: status.inode, modified: status.modified)) {
                continue
            }
            if file.sha256 != winner?.sha256, !past.wasReplaced(file) {
                let own = OtherCopy(store, folder: folder)
                if let path = try session.keepDocument(file, from: own, isLast: true, of: id, in: folder) {
                    kept.append(path)
                }
            }
            if isOut || hasLost, !live.files.contains(file) {
                guard let second = try keepBeside(file) else { continue }
                if isOut { notices.append(.detachedReturned(id, kept: second)) }
            }
            if live.files.contains(file) { states.keepFiles(of: .document, live, of: id, in: store, &memory.files) }
            if try session.removeDocument((file.path, status), of: id, in: folder) { isChanged = true }
        }
        if isChanged { try lookAgain() }
    }

    /// When the first of some versions was made here, in milliseconds since 1970; the earliest time if nothing tells.
    private func birth(of versions: [Items.ContentHash]) -> Int64 {
        let first = versions.map(versionFolder.birth).min() ?? .max
        return first == .max ? .min : first
    }

    /// Gives a document that lies beside the present one a second name, for 30 days from now on.
    ///
    /// - Returns: its path, relative to the library's folder; `nil` if it cannot have one.
    private func keepBeside(_ file: Version.File) throws(ItemError) -> String? {
        guard let name = file.path.pathComponents.last, let hash = StateHashes.hash([file]) else { return nil }
        do throws(FileError) {
            var kept = try states.makePlace(named: name, hash, of: id)
            var isThere = try store.root.statusIfPresent(of: kept) != nil
            if isThere, try store.root.file(kept).sha256() != file.sha256.hex {
                // A program wrote into the file that it was a name of.
                states.setAsideFiles(hash, of: id)
                kept = try states.makePlace(named: name, hash, of: id)
                isThere = false
            }
            if !isThere {
                let place = kept.pathComponents.dropLast().joined(separator: "/")
                try store.root.directory(folder + "/" + Layout.document).keep(
                    name, in: store.root.directory(place), as: name)
            }
            let second = try store.root.file(kept)
            guard try second.sha256() == file.sha256.hex else { return nil }
            try second.setModified(second.status().modified)
            return kept
        } catch {
            return nil
        }
    }

    /// Whether a document lies under its conflict name, too: it lost against one of another name.
    private func isKept(_ file: Version.File) -> Bool {
        guard let name = file.path.pathComponents.last else { return false }
        let kept = Layout.document + "/" + Layout.conflictName(of: name, file.sha256)
        return lies(Version.File(path: kept, sha256: file.sha256, size: file.size))
    }

    /// Whether a program here wrote a file, and no tool brought it with its time.
    private func isWrittenHere(_ file: Version.File, _ status: FileStatus) throws(ItemError) -> Bool {
        do throws(FileError) {
            let birth = try store.root.fileIfPresent(folder + "/" + file.path)?.birth() ?? 0
            return ItemStore.isWrittenHere(birth: birth, modified: status.modified, changed: status.changed)
        } catch {
            throw .file(error)
        }
    }

    /// Whether a file of a version is in the item's folder.
    func lies(_ file: Version.File) -> Bool {
        guard Directory.isSafe(file.path), let item = try? store.root.directory(folder),
            (try? item.statusIfPresent(of: file.path))??.byteCount == file.size
        else { return false }
        return (try? ItemStore.hashed(file.path, in: item)) ?? nil == file
    }
}
