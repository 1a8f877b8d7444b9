internal import Files

/// Every file below an item's folder with its size, time and identity. A purge is decided on this state.
public struct ItemTree: Equatable, Sendable {
    fileprivate struct Entry: Hashable {
        let path: [UInt8]
        let byteCount: Int
        let modified: Int64
        let inode: UInt64
    }

    fileprivate var entries: Set<Entry> = []

    init(of directory: borrowing Directory) throws(FileError) { try add(directory, prefix: [], depth: 0) }

    private mutating func add(
        _ directory: borrowing Directory, prefix: [UInt8], depth: Int
    ) throws(FileError) {
        let limit = 64
        if depth > limit { throw FileError(.list, directory.path, .tooDeep(limit: limit)) }
        for entry in try directory.entries() {
            let path = prefix + entry.name.bytes
            guard let name = entry.name.string, let status = try directory.statusIfPresent(of: name) else {
                // A name that is not UTF-8 counts only by itself.
                entries.insert(Entry(path: path, byteCount: -1, modified: 0, inode: 0))
                continue
            }
            let isFolder = status.kind == .directory
            // A folder's own time is ignored: it changes with the entries, which are compared one by one.
            entries.insert(
                Entry(
                    path: path, byteCount: isFolder ? 0 : status.byteCount, modified: isFolder ? 0 : status.modified,
                    inode: status.inode))
            if isFolder { try add(directory.directory(name), prefix: path + [0x2F], depth: depth + 1) }
        }
    }
}

extension ItemTree {
    /// Whether one of the item's folders holds anything.
    package func hasEntry(below folder: String) -> Bool {
        let prefix = Array(folder.utf8) + [0x2F]
        return entries.contains { $0.path.starts(with: prefix) }
    }

    /// Whether a program that copies the library left a conflict copy.
    package var hasConflictCopy: Bool {
        entries.contains { entry in
            let path = String(decoding: entry.path, as: UTF8.self)
            return CopyName.isMarked(path) || ConflictCopy(besideItemFile: path) != nil
        }
    }
}

extension ItemStore {
    /// The current contents of an item's folder.
    package func tree(of stored: StoredItem) throws(ItemError) -> ItemTree {
        try files { () throws(FileError) -> ItemTree in try ItemTree(of: root.directory(stored.folder)) }
    }
}
