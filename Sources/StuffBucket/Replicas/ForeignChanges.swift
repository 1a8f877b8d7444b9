internal import Files
internal import Items

/// Items that other programs changed, and whose versions are not looked at yet: the file `.sbfs/changed`, one id a line.
///
/// Each comparison of the files with the index notes them first, also that of a command that only reads.
final class ForeignChanges: Sendable {
    private let directory: Directory

    /// - Returns: `nil` if the library cannot be written.
    init?(_ store: ItemStore) {
        guard let directory = try? store.device?.directory.duplicate() else { return nil }
        self.directory = directory
    }

    /// Adds items. Not synced: a lost line makes a later parent a guess.
    func note(_ ids: [ItemID]) {
        if ids.isEmpty { return }
        // Begins with a line end, so that a torn last line damages no other line.
        let lines = "\n" + ids.map { "\($0)\n" }.joined()
        try? directory.append(Array(lines.utf8), to: Layout.changed)
    }

    /// Whether nothing is listed. No list is read for this.
    var isEmpty: Bool { ((try? directory.statusOfKnownPath(Layout.changed)) ?? nil) == nil }

    /// The items, sorted, and the length of the file; `nil` if there are none.
    func read() -> (ids: [ItemID], byteCount: Int)? {
        guard let contents = (try? directory.contentsIfPresent(of: Layout.changed, limit: 256 << 20)) ?? nil else {
            return nil
        }
        let ids = contents.bytes.split(separator: 0x0A).compactMap { ItemID(utf8: Array($0)) }
        return (Set(ids).sorted(), contents.bytes.count)
    }

    /// Held by the one process that looks at versions; `nil` if another one does.
    func lock() -> FileLock? {
        (try? FileLock.acquire(Layout.changedLock, in: directory, patience: .seconds(5))) ?? nil
    }

    /// Removes the items that were read, but for some. If more were added since, all are looked at again.
    func forget(_ byteCount: Int, but left: [ItemID]) {
        guard (try? directory.statusOfKnownPath(Layout.changed))??.byteCount == byteCount else { return }
        if left.isEmpty {
            try? directory.removeFile(Layout.changed)
        } else {
            let lines = left.map { "\($0)\n" }.joined()
            try? directory.replaceFile(Layout.changed, with: Array(lines.utf8))
        }
    }
}
