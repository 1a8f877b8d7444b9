public import Items
public import Search
internal import Synchronization

/// A person's library: a folder of plain files, and the operations on it.
///
/// The files are the truth. `find` answers every question, from the index or by reading the files. `change` makes
/// changes, in a step that is undone as one; `begin` returns a step that the caller ends.
public final class Library: Sendable {
    package let store: ItemStore
    /// Makes changes.
    package let session: WriteSession
    /// Notes and joins versions.
    let replicas: Replicas
    /// `nil` if no index can be written.
    let index: LibraryIndex?
    /// Answers requests without an index.
    let scan: ItemScan
    /// Whether a step is open.
    let isStepOpen = Mutex(false)
    /// The `source` of items that this program adds: its name, or the word that the caller gave. Imports write their own.
    public let source: String
    private let ownsWatch: Bool
    /// Starts a process that looks for changes by other programs after a change; `nil` if the caller cannot start one.
    private let startTakingIn: (@Sendable () -> Void)?
    /// When a look-up last waited for a comparison of all files.
    let lastLookUpWait = Mutex<ContinuousClock.Instant?>(nil)
    /// Files of the inbox with times that have not come yet.
    let inboxMemory = Mutex(InboxMemory())

    /// Whether a folder is a library, and its library.json not another program's file of the same name.
    ///
    /// A library.json that is damaged or too new counts if items/ is beside it: opening the library then throws the
    /// error.
    public static func exists(at path: String) -> Bool {
        guard let folder = try? Directory(path: path),
            (try? folder.statusIfPresent(of: Layout.libraryFile))?.kind == .regular
        else { return false }
        return (try? LibraryFile.read(in: folder)) != nil
            || (try? folder.statusIfPresent(of: Layout.items))?.kind == .directory
    }

    /// Opens the library in a folder.
    ///
    /// - Throws: `ItemError` if there is no library or it cannot be read.
    public convenience init(path: String) throws(ItemError) { try self.init(path: path, LibraryOptions()) }

    /// Opens the library in a folder.
    ///
    /// - Parameters:
    ///   - path: the library's folder.
    ///   - options: how this program uses the library.
    /// - Throws: `ItemError` if there is no library or it cannot be read.
    public convenience init(path: String, _ options: LibraryOptions) throws(ItemError) {
        let store = try ItemStore(path: path)
        self.init(store, LibraryIndex(store, startSweep: options.startSweep), options)
    }

    init(_ store: ItemStore, _ index: LibraryIndex?, _ options: LibraryOptions = LibraryOptions()) {
        self.store = store
        self.index = index
        source = options.source ?? LibraryOptions.programName
        scan = ItemScan(store)
        session = WriteSession(
            store, changes: index?.changes ?? ChangeList(), lockPatience: Int(options.changePatience.components.seconds)
        )
        replicas = Replicas(session)
        ownsWatch = true
        startTakingIn = options.startTakingIn
    }

    /// Another value for the same library, whose step may be open at the same time as one of `other`. They share the
    /// index; its watch belongs to `other`.
    init(beside other: Library) {
        store = other.store
        index = other.index
        source = other.source
        scan = other.scan
        session = WriteSession(beside: other.session)
        replicas = Replicas(session)
        ownsWatch = false
        startTakingIn = other.startTakingIn
    }

    deinit {
        if ownsWatch { index?.watch.withLock { $0 }?.stop() }
        settle()
    }

    /// Adds this process's changes to the index. A later sweep finds any that could not be added now.
    public func settle() { index?.settle() }

    /// Looks for changes by other programs, or has another process look. What cannot be seen now is seen by the next question.
    func lookAfterChange() { try? index?.lookAfterChange(startTakingIn) }

    /// Which folders become a library.
    public enum NewFolder: Sendable {
        /// One that is empty or missing.
        case empty
        /// One that may hold other files.
        case any
    }

    /// Makes a folder a library.
    ///
    /// - Parameters:
    ///   - folder: whether the folder may hold other files.
    ///   - path: the folder; made if missing.
    ///   - name: the library's name.
    /// - Returns: false if it already was a library.
    /// - Throws: `ItemError`: the folder holds other files, cannot be written, or is a library that cannot be read.
    public static func create(at path: String, name: String, in folder: NewFolder = .empty) throws -> Bool {
        try ItemStore.create(at: path, name: name, isForced: folder == .any)
    }

    /// Whether `create` would make a library. Writes nothing and throws the errors of `create`.
    ///
    /// - Throws: As `create`.
    public static func canCreate(at path: String, in folder: NewFolder = .empty) throws -> Bool {
        try ItemStore.canCreate(at: path, isForced: folder == .any)
    }

    /// The library's folder, as given.
    public var path: String { store.root.path }

    /// Parses a query with this library's settings: the first day of the week, and its smart folders for `smart:`.
    public func parse(_ query: String) -> QueryParser {
        QueryParser(query, weekStart: weekStart, smartQuery: smartQuery)
    }

    /// Parses a query given as arguments of a command line.
    public func parse(arguments: [String]) -> QueryParser {
        QueryParser(
            arguments: arguments, weekStart: weekStart, smartQuery: smartQuery)
    }

    private var weekStart: WeekStart { store.settings.weekStartsOnSunday ? .sunday : .monday }

    private var smartQuery: @Sendable (String) -> String? {
        { [store] name in (try? store.namedFile(.smart, name))?.query }
    }

    /// Reads an item that a look-up or list returned. `forEachItem` reads all items of an answer.
    ///
    /// - Throws: `ItemError`: `noItem` if it is gone, and `malformed`, `unsuitable` or `file` if it cannot be read, since the
    ///   index keeps the last good version of such an item.
    public func item(_ row: Row) throws -> StoredItem {
        guard let item = try store.item(row.id, in: row.folder) else { throw ItemError.noItem(row.id) }
        return item
    }
}
