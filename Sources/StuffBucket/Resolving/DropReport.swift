public import Items

/// What `Library.drop` or `Library.keep` did.
public struct DropReport: Sendable {
    /// Items of which files were dropped, or came back.
    public internal(set) var done: [ItemID] = []
    /// The sum of these files' sizes in bytes.
    public internal(set) var byteCount = 0
    /// Items of which nothing had to be done.
    public internal(set) var unchanged: [ItemID] = []
    /// What could not be done; the files are as they were.
    public internal(set) var left: [Left] = []
    /// Exchanges that could not be read.
    public internal(set) var unreachable: [UnreachableExchange] = []

    init() {}

    /// A page or a document of which nothing was done.
    public struct Left: Sendable {
        /// The item.
        public let item: ItemID
        /// The document, or page.html for the whole saved page, relative to the item's folder.
        public let path: String
        /// Why.
        public let reason: Reason
    }

    /// Why files were not dropped, or did not come back.
    public enum Reason: Sendable {
        /// No exchange has the files as they are here: a sync has to write them first.
        case notInExchange
        /// It was deleted, or never came, and nothing that this device knows of an exchange brings it.
        case unavailable
        /// It replaced the document that is here, and has not arrived.
        case notArrived
        /// They are above the limit for documents and bundles, so no exchange holds them.
        case tooLarge
        /// The exchange lacks an object, or it is damaged; its path in the exchange.
        case object(String, SyncReport.Reason)
        /// An earlier document of the item is away, at this path: it has to come back first.
        case otherIsAway(String)
        /// A program put the file in the place of one that only an exchange has which was removed here.
        case inRemovedExchange
        /// A program changed a file meanwhile.
        case changed
        /// The item could not be read or written.
        case fault(ItemError)
    }
}

/// An exchange that could not be read.
public struct UnreachableExchange: Sendable {
    /// The exchange.
    public let folder: ExchangeFolder
    /// Why.
    public let reason: any Error
}
