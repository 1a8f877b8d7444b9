/// Why a watch ended by itself.
public enum WatchEnd: Error, Sendable, Equatable {
    /// The library's folder was moved, removed or unmounted, or its library.json is gone.
    case libraryGone(path: String)
    /// The folder with this device's own files, with the index and the list of views, was moved or removed. The next
    /// program makes it again.
    case deviceFolderGone(path: String)
    /// More items are gone at once than a person removes by hand: the index keeps them until somebody says that this is right
    /// (`Library.reindex`).
    case manyItemsGone(count: Int, of: Int)
    /// No index can be written, so that nothing can be compared.
    case noIndex(path: String)
    /// A file or folder of the library that everything depends on cannot be read; the system's message.
    case unreadable(path: String, message: String)
}
