internal import Files
internal import Items

/// Items that a command changed while another process wrote the index: the file `pending`, one id a line.
///
/// The next query of the index takes these items in first, so a command finds its own changes without waiting for the
/// lock.
struct PendingChanges {
    let place: IndexPlace

    /// Notes items; the index need not be free.
    func note(_ ids: [ItemID]) throws(FileError) {
        guard let lock = try FileLock.acquire(Layout.pendingLock, in: place.directory, patience: .seconds(1)) else {
            return
        }
        defer { withExtendedLifetime(lock) {} }
        // A line end first, so that a torn last line spoils no other.
        let lines = "\n" + ids.map { "\($0)\n" }.joined()
        try place.directory.append(Array(lines.utf8), to: Layout.pending)
    }

    /// What is noted, and how long the file was.
    func read() -> (ids: [ItemID], byteCount: Int) {
        guard let contents = (try? place.directory.contentsIfPresent(of: Layout.pending, limit: 256 << 20)) ?? nil
        else {
            return ([], 0)
        }
        let ids = contents.bytes.split(separator: 0x0A).compactMap { ItemID(utf8: Array($0)) }
        return (Array(Set(ids)), contents.bytes.count)
    }

    /// Forgets what was read, unless more was noted since: then all is taken in once more.
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
