internal import Files

extension WriteSession {
    /// Removes a conflict that was resolved. It is durable when this returns, and the journal keeps the bytes.
    ///
    /// - Returns: false if the file is not there any more, or has other bytes.
    @discardableResult
    package func removeConflict(_ conflict: ConflictFile, of stored: StoredItem) throws(ItemError) -> Bool {
        try refuseDoubles(stored)
        let isRemoved = try changeBeside(
            stored.folder + "/" + Layout.conflicts + "/" + conflict.name, conflict.bytes, nil)
        removeConflictFolder(of: stored.folder)
        return isRemoved
    }

    /// Removes an item's conflicts/ if it is empty.
    func removeConflictFolder(of folder: String) { try? store.root.directory(folder).removeDirectory(Layout.conflicts) }

    /// Whether an item has a conflict of this name.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    package func hasConflict(_ name: String, in folder: String) throws(ItemError) -> Bool {
        try files { () throws(FileError) in
            try store.root.statusIfPresent(of: folder + "/" + Layout.conflicts + "/" + name) != nil
        }
    }

    /// Puts a conflict into an item's folder. It is durable when this returns, and undoing the step removes it.
    ///
    /// - Parameters:
    ///   - name: the one that follows from the bytes.
    ///   - folder: the item's, relative to the library's.
    /// - Returns: false if there is a file of this name.
    package func addConflict(_ bytes: [UInt8], named name: String, in folder: String) throws(ItemError) -> Bool {
        try changeBeside(folder + "/" + Layout.conflicts + "/" + name, nil, bytes)
    }

    /// Brings back a conflict whose resolution is undone, under another name: a version says that the first one is resolved.
    ///
    /// - Returns: false if it is back.
    func reopenConflict(_ path: String, _ bytes: [UInt8]) throws(ItemError) -> Bool {
        guard var new = ConflictFile.reopened(bytes) else { throw .refused(.fileNotKept(path: path)) }
        let ended = try endedConflicts(besides: path)
        // It may have been resolved, brought back and resolved again.
        while ended.contains(Layout.conflicts + "/" + new.name), let next = ConflictFile.reopened(new.bytes) {
            new = next
        }
        let place = path.pathComponents.dropLast().joined(separator: "/") + "/" + new.name
        let there = try files { () throws(FileError) in try store.root.statusIfPresent(of: place) }
        if there != nil { return false }
        if try changeBeside(place, nil, new.bytes) { return true }
        throw .fileChangedSince(place)
    }

    /// Whether a path is that of a conflict which a version says is resolved.
    func isEnded(_ path: String) throws(ItemError) -> Bool {
        guard Self.conflictedItem(path) != nil else { return false }
        return try endedConflicts(besides: path).contains(path.pathComponents.suffix(2).joined(separator: "/"))
    }

    /// The conflicts of an item that versions end, relative to its folder.
    ///
    /// - Parameter path: that of a file in its folder conflicts/.
    private func endedConflicts(besides path: String) throws(ItemError) -> Set<String> {
        let item = path.pathComponents.prefix(3).joined(separator: "/")
        return try Set(VersionFolder(of: item, in: store).list().outlines.flatMap(\.resolved))
    }

    /// The item of a conflict, by its path; `nil` for any other path.
    package static func conflictedItem(_ path: String) -> ItemID? {
        let parts = path.pathComponents
        guard parts.count == 5, parts[0] == Layout.items, Layout.isShard(parts[1]), parts[3] == Layout.conflicts,
            ConflictFile.isName(parts[4].utf8)
        else { return nil }
        return ItemID(parts[2])
    }

    /// - Throws: `ItemError.noItem` if a conflict would come back without its item.
    func refuseOrphan(_ path: String) throws(ItemError) {
        guard let id = Self.conflictedItem(path) else { return }
        let folder = path.pathComponents.prefix(3).joined(separator: "/")
        let status = try files { () throws(FileError) in
            try store.root.statusIfPresent(of: folder + "/" + Layout.itemFile)
        }
        if status == nil { throw .noItem(id) }
    }

    /// The largest size at which a file beside the items, or in conflicts/, is read.
    static func limitBeside(_ path: String) -> Int {
        conflictedItem(path) == nil ? Layout.settingsByteLimit : ConflictFile.byteLimit
    }
}
