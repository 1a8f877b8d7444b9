internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// item.json and text.md that the disk damaged: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Puts files back that have other bytes than at the last look though no program changed them: size, inode and both times are as
    /// they were. No version is made of the damaged bytes, so they do not travel; they are kept in conflicts/.
    ///
    /// A file whose bytes no version has stays as it is.
    mutating func mendSmallFiles() throws(ItemError) {
        if drafts != nil { return }
        var isMended = false
        for known in memory.settledFiles {
            let path = known.file.path
            guard let status = live.statuses[path], known.isOf(path, status),
                let damaged = path == Layout.itemFile ? live.itemBytes : live.text,
                Items.ContentHash(of: damaged) != known.file.sha256, let whole = try wholeBytes(of: known)
            else { continue }
            let time = Timestamp(milliseconds: status.modified / 1_000_000)
            let kept = Layout.conflictName(path, damaged, at: time.compact)
            try session.keepConflict(damaged, as: kept, of: id, in: folder)
            if try session.replaceJoined(path, of: id, in: folder, damaged, whole, at: time) {
                isMended = true
                store.tell(.damagedOnDisk(id, file: path, kept: "\(folder)/\(Layout.conflicts)/\(kept)"))
            }
        }
        if isMended { try lookAgain() }
    }

    /// The bytes that a file had; `nil` if they are nowhere.
    private func wholeBytes(of known: KnownFile) throws(ItemError) -> [UInt8]? {
        let hash = known.file.sha256
        if known.file.path == Layout.textFile { return try versionFolder.text(hash) ?? states.keptText(hash, of: id) }
        guard let at = memory.at, graph.place(of: at) != nil else { return nil }
        let bytes = try JSONWriter.file(.object(existing(at).item))
        return Items.ContentHash(of: bytes) == hash ? bytes : nil
    }
}
