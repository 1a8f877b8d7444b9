internal import Files
internal import Items
internal import Merge

/// A document that a program renamed: Documentation/Merge.md § 3. Copying programs bring the new name and leave the old one.
extension VersionSweep {
    /// Removes the document under its former names, if the one that stands is in document/ under its own. A version must have
    /// these bytes under that name. What nobody replaced, and has other bytes, is kept as a lost document.
    mutating func removeFormerNames(_ state: ItemState) throws(ItemError) {
        guard !isWorkTree, drafts == nil, let winner = state.files.first(where: { Component(of: $0) == .document }),
            !live.files.contains(winner), live.away.isEmpty, lies(winner)
        else { return }
        var documents: [Items.ContentHash: Set<Version.File>] = [:]
        for outline in outlines where outline.content.document != nil {
            documents[outline.name] = Set(try existing(outline.name).files.filter { Component(of: $0) == .document })
        }
        var replaced: Set<Version.File> = []
        for outline in outlines where outline.parents.count == 1 {
            replaced.formUnion((documents[outline.parents[0]] ?? []).subtracting(documents[outline.name] ?? []))
        }
        let former = Set(documents.values.joined())
        var isChanged = false
        for file in former.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
        where !file.isAt(winner.path) && lies(file) {
            guard let status = (try? store.root.statusIfPresent(of: folder + "/" + file.path)) ?? nil else { continue }
            if file.sha256 != winner.sha256, !replaced.contains(file) {
                let own = OtherCopy(store, folder: folder)
                if let path = try session.keepDocument(file, from: own, of: id, in: folder) { kept.append(path) }
            }
            if try session.removeDocument((file.path, status), of: id, in: folder) { isChanged = true }
        }
        if isChanged { try lookAgain() }
    }

    /// Whether a file of a version is in the item's folder.
    private func lies(_ file: Version.File) -> Bool {
        guard Directory.isSafe(file.path), let item = try? store.root.directory(folder),
            (try? item.statusIfPresent(of: file.path))??.byteCount == file.size
        else { return false }
        return (try? ItemStore.hashed(file.path, in: item)) ?? nil == file
    }
}
