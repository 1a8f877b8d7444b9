/// Why a watch ended by itself.
public enum WatchEnd: Error, Sendable {
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
    /// A file or folder of the library that everything depends on cannot be read: an `ItemError` or a
    /// `FileError` says why.
    case unreadable(path: String, cause: any Error)
}

extension WatchEnd: CustomStringConvertible {
    /// What happened, as a clause for a person.
    public var description: String {
        switch self {
        case .libraryGone(let path): "the library at \(path) was moved, removed or unmounted"
        case .deviceFolderGone(let path): "\(path) was moved or removed"
        case .manyItemsGone(let count, let total):
            "\(count) or more of \(total) items are gone at once, so nothing is forgotten"
        case .unreadable(let path, let cause): "the library at \(path) cannot be followed: \(cause)"
        case .noIndex(let path): "no search index can be written for \(path)"
        }
    }
}

extension WatchEnd: Equatable {
    /// Whether the descriptions are equal.
    public static func == (a: WatchEnd, b: WatchEnd) -> Bool { a.description == b.description }
}
