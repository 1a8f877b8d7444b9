internal import Files
public import Items

extension Library {
    /// The settings of the library, as they were when it was opened.
    public var settings: LibraryFile { store.settings }

    /// An item by its id, or `nil`.
    ///
    /// - Throws: `ItemError` if its item.json cannot be used.
    public func stored(_ id: ItemID) throws(ItemError) -> StoredItem? { try store.item(id) }

    /// The ids of all items, also of those in the trash, by their folders' names alone.
    public func ids() throws -> [ItemID] {
        try store.shards().names.flatMap { try store.shard($0).ids }
    }

    /// What lists call an item: its title, or else the beginning of its text, its document's name, its link.
    public func displayTitle(of stored: StoredItem) -> String { store.displayTitle(of: stored) }

    /// The bytes of an item's text, which need not be valid UTF-8; `nil` if it has none.
    public func text(of stored: StoredItem) throws(ItemError) -> [UInt8]? { try store.text(of: stored) }

    /// The bytes of an item.json, also of one that does not parse; empty if there is none.
    public func itemBytes(of row: Row) throws(ItemError) -> [UInt8] { try store.itemBytes(in: row.folder) }

    /// Whether an item's folder has a file.
    ///
    /// - Parameters:
    ///   - path: below the item's folder.
    ///   - row: the item.
    public func hasFile(_ path: String, in row: Row) throws -> Bool {
        try store.root.statusIfPresent(of: row.folder + "/" + path) != nil
    }

    /// Copies an item's document into a folder outside the library.
    ///
    /// - Throws: `ItemError.refused` where the item has no document, or it is not here.
    public func copyDocument(of stored: StoredItem, to folder: String) throws {
        guard let document = stored.document else {
            throw ItemError.refused("\(stored.id.short) has no document here that could be copied")
        }
        let source = try store.root.file(stored.folder + "/" + document.path)
        _ = try CopiedDocument.copy(
            source, named: FileName(document.name), into: Directory(path: folder), limit: .max, isSynced: true)
    }

    /// Earlier captures of an item's page, the latest first.
    public func snapshots(of stored: StoredItem) throws(ItemError) -> [Snapshot] { try store.snapshots(of: stored) }

    /// Files that the saved page refers to and that are not there.
    public func missingAssets(of stored: StoredItem) throws(ItemError) -> [String] {
        try store.assetReferences(of: stored).missing
    }

    /// The files of collections/, tags/ or smart/, and why others cannot be read.
    public func namedFiles(in folder: NamedFolder) throws(ItemError) -> (files: [NamedFile], faults: [ItemError]) {
        try store.namedFiles(in: folder)
    }

    /// The file of a name, or `nil`.
    public func namedFile(_ folder: NamedFolder, _ name: String) throws(ItemError) -> NamedFile? {
        try store.namedFile(folder, name)
    }

    /// What an item's folder holds, for `Step.purge`.
    public func tree(of stored: StoredItem) throws(ItemError) -> ItemTree { try store.tree(of: stored) }

    /// Why the clock of this device is not believed, so that nothing is due by it; `nil` if it is.
    public func clockDoubt() -> ClockDoubt? { session.clockDoubt() }

    /// Looks whether the library is sound.
    ///
    /// - Parameters:
    ///   - readsData: whether every document and version is read and compared with its hash.
    ///   - isPortable: whether names are tested against other systems.
    public func check(readsData: Bool = false, isPortable: Bool = false) -> Check {
        Check(store, readsData: readsData, isPortable: isPortable)
    }

    /// What was done without being asked for since this was last called, as sentences.
    public func takeNotices() -> [String] { store.takeTold() }
}
