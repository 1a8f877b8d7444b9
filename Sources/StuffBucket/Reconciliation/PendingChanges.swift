internal import Files
internal import Items

/// Items that a command changed while another process wrote the index: the file `pending`, one id a line.
///
/// The next query adds these items to the index first, so a command finds its own changes without waiting for the
/// lock.
struct PendingChanges {
    let place: IndexPlace

    /// Notes items; needs no lock on the index.
    func note(_ ids: [ItemID]) throws(FileError) {
        guard let lock = try FileLock.acquire(Layout.pendingLock, in: place.directory, patience: .seconds(1)) else {
            return
        }
        defer { withExtendedLifetime(lock) {} }
        // Begins with a line end, so that a torn last line damages no other line.
        let lines = "\n" + ids.map { "\($0)\n" }.joined()
        try place.directory.append(Array(lines.utf8), to: Layout.pending)
    }

    /// The noted items, and the length of the file.
    func read() -> (ids: [ItemID], byteCount: Int) {
        guard let contents = (try? place.directory.contentsIfPresent(of: Layout.pending, limit: 256 << 20)) ?? nil
        else {
            return ([], 0)
        }
        let ids = contents.bytes.split(separator: 0x0A).compactMap { ItemID(utf8: Array($0)) }
        return (Array(Set(ids)), contents.bytes.count)
    }

    /// Removes the notes that were read, unless more were added since: then all of them are processed again.
    func forget(byteCount: Int) throws(FileError) {
        guard let lock = try FileLock.acquire(Layout.pendingLock, in: place.directory, patience: .seconds(1)) else {
            return
        }
        defer { withExtendedLifetime(lock) {} }
        if try place.directory.statusOfKnownPath(Layout.pending)?.byteCount == byteCount {
            try place.directory.removeFile(Layout.pending)
        }
    }
}
