public import Files
public import Items

/// Something in a view that is not as the library made it. It is never changed or removed.
public struct ViewChange: Sendable {
    /// What a file is to the library.
    public enum Kind: Sendable {
        /// A copy of an item's file was edited.
        case edited(ItemID, ViewPart)
        /// Something else has the name of an item's file.
        case inTheWay(ItemID)
        /// A file of an item was deleted; the next refresh of the whole view writes it again.
        case missing(ItemID)
        /// A file or folder that the view did not make.
        case own
    }

    /// Relative to the view's folder.
    public let path: String
    /// What it is to the library.
    public let kind: Kind
    /// Whether the library's file changed, too, since the copy was made.
    public var isOutdated = false

    /// Whether `Step.adopt` can take it into the library: an edited copy of a document or a text.
    public var isAdoptable: Bool {
        if case .edited(_, let part) = kind { part == .document || part == .text } else { false }
    }
}

/// What a file of a view shows of its item.
public enum ViewPart: String, CaseIterable, Sendable {
    case document, text, page, reader, asset
    /// A file that opens the item's URL.
    case link
    /// A symbolic link to the item in All.
    case reference
}

/// The outcome of bringing a view up to date.
public struct ViewReport: Sendable {
    /// A file that could not be written or removed.
    public struct Failure: Sendable {
        /// The item; `nil` if nothing at all could be written.
        public let id: ItemID?
        /// The cause.
        public let error: FileError
    }

    /// Whether the folder is there; nothing was done otherwise.
    public var state = ViewState.present
    /// Files and links that were written.
    public var writtenCount = 0
    /// Files and links that were removed.
    public var removedCount = 0
    /// Files that got another name.
    public var movedCount = 0
    /// Bytes that were copied.
    public var byteCount = 0
    /// Files whose bytes were copied.
    public var copiedCount = 0
    /// Files that share their blocks with the library's.
    package var sharedCount = 0
    /// The items that were compared.
    public var itemCount = 0
    /// What was left as it is, since somebody else wrote it.
    public var changes: [ViewChange] = []
    /// Items that could not be read; what the view shows of them stays.
    public var faults: [ItemFault] = []
    /// What could not be written. The view is behind for these items, until the next refresh.
    public var failures: [Failure] = []
    /// Items that are gone from the library without a tombstone, and whose files stay in the view: more than a fifth of all.
    public var withheldCount = 0
    /// Whether the file system has symbolic links.
    public var hasLinks = true
    /// Whether the file system has extended attributes.
    package var hasAttributes = true

    /// Whether the view shows the library as it is.
    public var isCurrent: Bool { state == .present && failures.isEmpty && withheldCount == 0 }
}
