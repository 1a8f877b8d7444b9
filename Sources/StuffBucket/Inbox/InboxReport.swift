public import Time

/// What one call of `takeInbox` did.
public struct InboxReport: Sendable {
    /// A file that is no longer in the inbox, or could not be taken in.
    public struct Entry: Sendable {
        /// Its path below inbox/. Bytes that are not UTF-8 are U+FFFD.
        public let path: String
        /// What became of it.
        public let outcome: Outcome
    }

    /// What became of a file.
    public enum Outcome: Sendable {
        /// It became a new item.
        case added(Row)
        /// The library has its link: the item now has the file's page or document, tags, collections and comment.
        case joined(Row)
        /// The item that the file makes is in the library already, unchanged.
        case known(Row)
        /// It is in inbox/rejected/, under this name.
        case rejected(InboxRejection, name: String)
        /// It stays in the inbox.
        case failed(any Error)
    }

    /// The outcome for each file, in the order of their paths.
    public internal(set) var entries: [Entry] = []
    /// The files that wait, and why.
    public internal(set) var waiting: [InboxFile] = []
    /// When something can have changed without an event of the file system; `nil` for no such time.
    public internal(set) var nextLook: Timestamp?
    /// Whether another process takes in the inbox; nothing was done.
    public internal(set) var isBusy = false

    init() {}
}
