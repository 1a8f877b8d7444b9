public import JSONFormat

/// What differs between two versions of an item, or between a version and the item as it is now.
public struct VersionChanges: Sendable {
    /// A text on both sides.
    public struct Texts: Sendable {
        /// The bytes before and after; `nil` for no text, and for a text that is not here.
        public let old: [UInt8]?, new: [UInt8]?
    }

    /// How a file of the page or the document differs.
    public enum FileChange: String, Sendable {
        case new, changed, removed
    }

    /// The members of item.json that differ, as they were before and after; never `id` and `updatedAt`.
    public let fields: (old: JSONDocument, new: JSONDocument)?
    /// The texts, if they differ.
    public let texts: Texts?
    /// The files of the page and the document that differ: paths relative to the item's folder, sorted.
    public let files: [(path: String, change: FileChange)]

    /// Whether nothing differs.
    public var isEmpty: Bool { fields == nil && texts == nil && files.isEmpty }
}
