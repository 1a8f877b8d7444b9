/// A folder through which devices sync one library: Documentation/Exchange.md.
///
/// Any program may replicate the folder, at any time and in any order: a cloud folder, a network share, a stick.
public struct ExchangeFolder: Sendable {
    /// The folder. Symbolic links in the path are followed.
    public var path: String
    /// Whether only what other devices wrote is taken, and nothing is written into the folder.
    public var isReadOnly = false
    /// Whether pages and documents that come stay in the exchange until they are opened: `Library.drop`.
    public var isThin = false
    /// If set, only items of this collection, and of those in it, are written. Items that the exchange has already are
    /// synced in any case, and everything in it is taken.
    public var collection: String?

    /// Makes a value; nothing is opened.
    ///
    /// - Parameter path: the folder.
    public init(path: String) { self.path = path }
}
