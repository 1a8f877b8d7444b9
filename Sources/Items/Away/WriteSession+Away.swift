internal import Files

/// The record of what is away: DeviceFiles.md § D13.
extension WriteSession {
    /// Writes what is away of an item.
    ///
    /// - Parameters:
    ///   - texts: the visible texts of the page; `nil` if those of before stay.
    ///   - isSynced: whether it is durable when this returns; else `syncAway` makes it so.
    package func note(
        _ away: AwayFiles, _ texts: [AwayText: [UInt8]]? = nil, of id: ItemID, isSynced: Bool = true
    ) throws(ItemError) {
        guard let device else { throw store.unwritable }
        try files { () throws(FileError) in
            if try device.directory.makeDirectory(Layout.away, permissions: 0o700) { try device.directory.sync() }
            let all = try device.directory.directory(Layout.away)
            if try all.makeDirectory(id.shard, permissions: 0o700) { try all.sync() }
            let folder = try all.directory(id.shard)
            func write(_ name: String, _ bytes: [UInt8]) throws(FileError) {
                let temporary = ".\(name)-\(UInt64.random(in: 1...UInt64.max))"
                do throws(FileError) {
                    try folder.writeFile(temporary, bytes, permissions: 0o600, isSynced: isSynced)
                    try folder.replace(temporary, to: folder, as: name)
                } catch {
                    try? folder.removeFile(temporary)
                    throw error
                }
            }
            // The record comes last: with it, the texts count.
            for text in AwayText.allCases {
                guard let texts else { break }
                let name = Layout.awayText(id, text).pathComponents[2]
                if let bytes = texts[text] { try write(name, bytes) } else { try? folder.removeFile(name) }
            }
            try write(id.description, away.bytes)
            if isSynced { try folder.sync() }
        }
        noteChange(id)
    }

    /// Makes all records durable.
    package func syncAway() throws(ItemError) {
        guard let device else { throw store.unwritable }
        try files { () throws(FileError) in try device.directory.syncFileSystem() }
    }

    /// Removes the record of an item, and the texts of its page.
    package func forgetAway(of id: ItemID) {
        guard let device, let folder = try? device.directory.directory("\(Layout.away)/\(id.shard)") else { return }
        for text in AwayText.allCases { try? folder.removeFile(Layout.awayText(id, text).pathComponents[2]) }
        try? folder.removeFile(id.description)
    }

    /// Takes components of an item out of the record, and removes a record that says nothing more.
    package func forgetAway(_ components: Set<Component>, of id: ItemID) throws(ItemError) {
        guard var record = store.awayRecord(of: id) else { return }
        if components.contains(.page) { (record.page, record.bundle) = ([], nil) }
        if components.contains(.document) { record.document = nil }
        if record.isEmpty, !record.isKept { forgetAway(of: id) } else { try note(record, of: id) }
    }

    /// - Throws: `ItemError.refused` if the page of an item is away: it would not be kept as a snapshot.
    func refuseAwayPage(_ stored: StoredItem) throws(ItemError) {
        if let file = stored.away?.page.first { throw .refused(.away(stored.id, path: file.file.path)) }
    }

    /// - Throws: `ItemError.refused` if a sync waits for the page of an item: it would not be kept as a snapshot.
    func refuseAwaitedPage(_ stored: StoredItem) throws(ItemError) {
        if witness.withLock({ $0 })?.awaitsPage(of: stored) != true { return }
        throw .refused(.notArrived(stored.id, path: Layout.pageFile))
    }

    /// - Throws: `ItemError.refused` if the document of an item is away, or a sync waits for it: it could not be brought back.
    func refuseAwayDocument(_ stored: StoredItem) throws(ItemError) {
        if let file = stored.away?.document { throw .refused(.away(stored.id, path: file.file.path)) }
        if witness.withLock({ $0 })?.awaitsDocument(of: stored) != true { return }
        throw .refused(.notArrived(stored.id, path: stored.item.documentRelativePath ?? Layout.document))
    }
}
