public import Items
public import Search
internal import Synchronization

/// A person's library: a folder of plain files, and what can be done with it.
///
/// The files are the truth. `find` answers every question, from the index or by reading the files; `session` makes changes.
public final class Library: Sendable {
    package let store: ItemStore
    /// Makes changes.
    package let session: WriteSession
    /// `nil` where nothing can be written.
    let index: LibraryIndex?
    /// Answers where there is no index.
    let scan: ItemScan
    /// Whether a step is open.
    let isStepOpen = Mutex(false)
    /// When a look-up has last waited for all files to be compared.
    let lastLookUpWait = Mutex<ContinuousClock.Instant?>(nil)

    /// Opens the library in a folder.
    ///
    /// - Throws: an error that says what is wrong and what to do, if there is no library or it cannot be read.
    public convenience init(path: String) throws {
        let store = try ItemStore(path: path)
        self.init(store, LibraryIndex(store, startSweep: nil))
    }

    /// - Parameters:
    ///   - startSweep: starts a process that calls `sweepInBackground`; without one, large libraries are compared
    ///     with their index before each answer.
    ///   - path: of the file or folder.
    public convenience init(path: String, startSweep: @escaping @Sendable () -> Void) throws {
        let store = try ItemStore(path: path)
        self.init(store, LibraryIndex(store, startSweep: startSweep))
    }

    init(_ store: ItemStore, _ index: LibraryIndex?) {
        self.store = store
        self.index = index
        scan = ItemScan(store)
        session = WriteSession(store, changes: index?.changes ?? ChangeList())
    }

    deinit { settle() }

    /// Takes into the index what this process has changed; what is not taken in now is found later.
    public func settle() { index?.settle() }

    /// Makes a folder a library.
    ///
    /// - Parameters:
    ///   - isForced: whether the folder may hold other things.
    ///   - path: of the file or folder.
    ///   - name: as a person calls it.
    /// - Returns: false if it was one already.
    public static func create(at path: String, name: String, isForced: Bool = false) throws -> Bool {
        try ItemStore.create(at: path, name: name, isForced: isForced)
    }

    /// Whether `create` would make a library; writes nothing, and throws what `create` would.
    public static func canCreate(at path: String, isForced: Bool) throws -> Bool {
        try ItemStore.canCreate(at: path, isForced: isForced)
    }

    /// The folder, as it was given.
    public var path: String { store.root.path }

    /// Reads a query as this library does: weeks begin as its settings say, `smart:` means its smart folders.
    public func parse(_ query: String) -> QueryParser {
        QueryParser(query, weekStartsOnSunday: store.settings.weekStartsOnSunday, smartQuery: smartQuery)
    }

    /// Reads a query that was typed as arguments of a command line.
    public func parse(arguments: [String]) -> QueryParser {
        QueryParser(
            arguments: arguments, weekStartsOnSunday: store.settings.weekStartsOnSunday, smartQuery: smartQuery)
    }

    private var smartQuery: (String) -> String? {
        { [store] name in (try? store.namedFile(.smart, name))?.query }
    }

    /// Reads an item that was looked up.
    ///
    /// - Throws: `ItemError.noItem` if it is gone.
    public func item(_ row: Row) throws -> StoredItem {
        guard let item = try store.item(row.id, in: row.folder) else { throw ItemError.noItem(row.id) }
        return item
    }
}
