internal import Files
internal import Items
internal import Merge

/// A document that a program renamed: Documentation/Merge.md § 3. Copying programs bring the new name and leave the old one.
extension VersionSweep {
    /// Removes the document under its former names, if the one that stands is in document/ under its own. A version must have
    /// these bytes under that name. What nobody replaced, and has other bytes, is kept as a lost document.
    ///
    /// Where the one that stands is live already, only files go that a program renamed, or got by renaming, and that are older than what is
    /// known of them: what a person put beside it later stays.
    mutating func removeFormerNames(_ state: ItemState) throws(ItemError) {
        guard !isWorkTree, drafts == nil, let winner = state.files.first(where: { Component(of: $0) == .document }),
            live.away.isEmpty, lies(winner)
        else { return }
        let isLive = live.files.contains(winner)
        if isLive, try store.fileNames(in: folder + "/" + Layout.document).count < 2 { return }
        let past = try DocumentPast(self)
        var isChanged = false
        for file in past.files where !file.isAt(winner.path) && lies(file) {
            guard let status = (try? store.root.statusIfPresent(of: folder + "/" + file.path)) ?? nil else { continue }
            if isLive, !past.wasRenamed(file) || status.modified / 1_000_000 >= birth(of: past.versions(with: file)) {
                continue
            }
            // It was the document while there was no other: after `detach` and `undo`, for example.
            if !past.wasRenamed(file), memory.beside.contains(.init(inode: status.inode, modified: status.modified)) {
                continue
            }
            if file.sha256 != winner.sha256, !past.wasReplaced(file) {
                let own = OtherCopy(store, folder: folder)
                if let path = try session.keepDocument(file, from: own, isLast: true, of: id, in: folder) {
                    kept.append(path)
                }
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

    /// Whether a file of a version is in the item's folder.
    func lies(_ file: Version.File) -> Bool {
        guard Directory.isSafe(file.path), let item = try? store.root.directory(folder),
            (try? item.statusIfPresent(of: file.path))??.byteCount == file.size
        else { return false }
        return (try? ItemStore.hashed(file.path, in: item)) ?? nil == file
    }
}
