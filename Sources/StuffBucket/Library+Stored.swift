internal import Files
public import Items

extension Library {
    /// The settings of the library at the time of opening.
    public var settings: LibraryFile { store.settings }

    /// An item by its id; `nil` if there is none.
    ///
    /// - Throws: `ItemError` if its item.json cannot be used.
    public func stored(_ id: ItemID) throws(ItemError) -> StoredItem? { try store.item(id) }

    /// The ids of all items, including those in the trash, from the names of their folders.
    ///
    /// - Throws: `ItemError`.
    public func ids() throws -> [ItemID] {
        try store.shards().names.flatMap { try store.shard($0).ids }
    }

    /// The title that lists show: the item's title, else the start of its text, its document's name, or its link.
    public func displayTitle(of stored: StoredItem) -> String { store.displayTitle(of: stored) }

    /// The bytes of an item's text, which need not be valid UTF-8; `nil` if it has none.
    ///
    /// - Throws: `ItemError.file` if the text cannot be read.
    public func text(of stored: StoredItem) throws(ItemError) -> [UInt8]? { try store.text(of: stored) }

    /// Asks what `Step.updateText` asks before it writes. Writes nothing.
    ///
    /// - Throws: the `ItemError` that the change would throw for the item as it is, such as `tooLarge`.
    public func checkText(of stored: StoredItem, _ change: TextChange) throws(ItemError) {
        try session.checkText(stored, change)
    }

    /// The bytes of an item.json, even of one that does not parse; empty if there is none.
    ///
    /// - Throws: `ItemError.file` if item.json cannot be read.
    public func itemBytes(of row: Row) throws(ItemError) -> [UInt8] { try store.itemBytes(in: row.folder) }

    /// Whether an item's folder contains a file.
    ///
    /// - Parameters:
    ///   - path: relative to the item's folder.
    ///   - row: the item.
    /// - Throws: `ItemError`.
    public func hasFile(_ path: String, in row: Row) throws -> Bool {
        try store.root.statusIfPresent(of: row.folder + "/" + path) != nil
    }

    /// Copies an item's document into a folder outside the library.
    ///
    /// - Throws: `ItemError.refused` if the item has no document, or it is missing on this device.
    public func copyDocument(of stored: StoredItem, to folder: String) throws {
        guard let document = stored.document else {
            throw ItemError.refused(.noDocumentHere(stored.id))
        }
        let source = try store.root.file(stored.folder + "/" + document.path)
        _ = try CopiedDocument.copy(
            source, named: FileName(document.name), into: Directory(path: folder), limit: .max, isSynced: true)
    }

    /// Earlier captures of an item's page, the latest first.
    ///
    /// - Throws: `ItemError.file` if the item's folder cannot be read.
    public func snapshots(of stored: StoredItem) throws(ItemError) -> [Snapshot] { try store.snapshots(of: stored) }

    /// Files that the saved page refers to and that do not exist.
    ///
    /// - Throws: `ItemError.file` if the item's folder cannot be read.
    public func missingAssets(of stored: StoredItem) throws(ItemError) -> [String] {
        try store.assetReferences(of: stored).missing
    }

    /// The files of collections/, tags/ or smart/, and the errors of unreadable ones.
    ///
    /// - Throws: `ItemError.file` if the folder cannot be read. An absent one is empty.
    public func namedFiles(in folder: NamedFolder) throws(ItemError) -> (files: [NamedFile], faults: [ItemError]) {
        try store.namedFiles(in: folder)
    }

    /// The file of a name; `nil` if there is none.
    ///
    /// - Throws: `ItemError` if the file cannot be read or parsed.
    public func namedFile(_ folder: NamedFolder, _ name: String) throws(ItemError) -> NamedFile? {
        try store.namedFile(folder, name)
    }

    /// The contents of an item's folder, for `Step.purge`.
    ///
    /// - Throws: `ItemError.file` if the item's folder cannot be read.
    public func tree(of stored: StoredItem) throws(ItemError) -> ItemTree { try store.tree(of: stored) }

    /// Why the clock of this device is not trusted, so that nothing is due for purging; `nil` if it is.
    public func clockDoubt() -> ClockDoubt? { session.clockDoubt() }

    /// Prepares a check of the library; `Check.run` does it.
    ///
    /// - Parameter options: what is looked at beside structure, JSON, names and promised files.
    public func check(_ options: Check.Options = []) -> Check {
        var check = Check(store, readsData: options.contains(.data), isPortable: options.contains(.portability))
        check.wrongWhenRead = (try? verificationStatus().faulty) ?? []
        let store = store
        check.isHeld = { id in
            let exchanges = (try? SyncFolder.all(store)) ?? []
            return exchanges.contains { $0.states(id.shard)[id] != nil }
        }
        return check
    }

    /// What the library did without being asked for since this was last called.
    public func takeNotices() -> [Notice] { store.takeNotices() }
}
