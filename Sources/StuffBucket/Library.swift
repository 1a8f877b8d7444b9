package import Items
package import Search

/// A person's library: a folder of plain files, and what can be done with it.
///
/// The files are the truth. What is asked for goes through `catalog`, what is changed goes through `store`.
public final class Library: Sendable {
    package let store: ItemStore
    /// Answers lists and look-ups.
    package let catalog: any Catalog

    /// Opens the library in a folder.
    ///
    /// - Throws: an error that says what is wrong and what to do, if there is no library or it cannot be read.
    public init(path: String) throws {
        store = try ItemStore(path: path)
        catalog = IndexedCatalog(store)
    }

    /// - Parameter startSweep: starts a process that calls `sweepInBackground`; without one, large libraries are compared
    ///   with their index before each answer.
    package init(path: String, startSweep: @escaping @Sendable () -> Void) throws {
        store = try ItemStore(path: path)
        catalog = IndexedCatalog(store, startSweep: startSweep)
    }

    init(_ store: ItemStore, _ catalog: any Catalog) {
        self.store = store
        self.catalog = catalog
    }

    deinit { settle() }

    /// Takes into the index what this process has changed; what is not taken in now is found later.
    package func settle() { index?.settle() }

    /// `nil` where nothing can be written.
    var index: LibraryIndex? { (catalog as? IndexedCatalog)?.index }

    /// Makes a folder a library.
    ///
    /// - Parameter isForced: whether the folder may hold other things.
    /// - Returns: false if it was one already.
    public static func create(at path: String, name: String, isForced: Bool = false) throws -> Bool {
        try ItemStore.create(at: path, name: name, isForced: isForced)
    }

    /// Whether `create` would make a library; writes nothing, and throws what `create` would.
    package static func canCreate(at path: String, isForced: Bool) throws -> Bool {
        try ItemStore.canCreate(at: path, isForced: isForced)
    }

    /// The folder, as it was given.
    public var path: String { store.root.path }

    /// Reads a query as this library does: weeks begin as its settings say, `smart:` means its smart folders.
    package func parse(_ query: String) -> QueryParser {
        QueryParser(query, weekStartsOnSunday: store.settings.weekStartsOnSunday, smartQuery: smartQuery)
    }

    /// Reads a query that was typed as arguments of a command line.
    package func parse(arguments: [String]) -> QueryParser {
        QueryParser(
            arguments: arguments, weekStartsOnSunday: store.settings.weekStartsOnSunday, smartQuery: smartQuery)
    }

    private var smartQuery: (String) -> String? {
        { [store] name in (try? store.namedFile(.smart, name))?.query }
    }

    /// Reads an item that was looked up.
    ///
    /// - Throws: `ItemError.noItem` if it is gone.
    package func item(_ row: Row) throws -> StoredItem {
        guard let item = try store.item(row.id, in: row.folder) else { throw ItemError.noItem(row.id) }
        return item
    }
}
