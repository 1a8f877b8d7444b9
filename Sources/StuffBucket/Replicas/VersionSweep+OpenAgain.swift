internal import Files
internal import Items

/// Conflicts whose resolution a person took back with git: Documentation/Merge.md § 6.
extension VersionSweep {
    /// Opens conflicts again, under another name, that versions end and that a step back of git brought: the next look would remove them
    /// under the old name.
    func reopenConflicts() throws(ItemError) {
        if !isWorkTree { return }
        for path in ended.sorted() where Self.isConflict(path) {
            guard let status = status(of: path), status.kind == .regular,
                GitHead.wentBack(store.root.path, since: status.modified),
                let contents =
                    (try? store.root.contentsIfPresent(of: folder + "/" + path, limit: ConflictFile.byteLimit)) ?? nil,
                var new = ConflictFile.reopened(contents.bytes)
            else { continue }
            while ended.contains(Layout.conflicts + "/" + new.name), let next = ConflictFile.reopened(new.bytes) {
                new = next
            }
            try session.keepConflict(new.bytes, as: new.name, of: id, in: folder)
        }
    }
}
