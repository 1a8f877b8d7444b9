public import Time

/// A thing that a person keeps: what its item.json says.
///
/// Text, page and document are files beside item.json and are not part of this value.
public struct Item: Sendable {
    /// How an item started; no limit on what it may hold.
    public enum Kind: String, Sendable, CaseIterable {
        case snippet, link, document
    }

    /// How far a link's page was saved; absent (`nil`) is "Live only".
    public enum ArchiveStatus: String, Sendable {
        case pending, full, partial, failed
    }

    /// What the last check of a link found.
    public enum LinkStatus: String, Sendable {
        case valid, dead, unknown
    }

    /// The name of the item's folder.
    public let id: ItemID
    /// As stored; `nil` where item.json has no known type.
    public var type: Kind?
    /// The person's own title.
    public var title: String?
    /// A short description.
    public var description: String?
    /// Regular tags, `collection:` tags and `trashcan`; trimmed, without doubles.
    public var tags: [String] = []
    /// Pinned items come first.
    public var isPinned = false
    /// Marked as a favourite.
    public var isFavorite = false
    /// Rank in manual order.
    public var sortOrder: Double?
    /// Text kept in item.json; text.md wins over it.
    public var textContent: String?
    /// Notes and quoted passages, as text.
    public var annotations: [String] = []
    /// The link as it was given.
    public var linkURL: String?
    /// The page's own title.
    public var linkTitle: String?
    /// The page's author.
    public var linkAuthor: String?
    /// The name of the page's site.
    public var linkSite: String?
    /// The page's language, as a BCP 47 tag.
    public var linkLanguage: String?
    /// How far the page was saved.
    public var archiveStatus: ArchiveStatus?
    /// Why the archive is partial or failed: a kind of FORMAT.md § 8.6, or a sentence of an earlier version.
    public var archiveReason: String?
    /// Whether the link still answers.
    public var linkStatus: LinkStatus?
    /// Path hint, checked before use.
    public var documentRelativePath: String?
    /// The document's original name where that cannot be a file name.
    public var documentName: String?
    /// SHA-256 of the document as stored, lower-case hexadecimal.
    public var documentSHA256: String?
    /// Path hint to the saved page, checked before use.
    public var htmlRelativePath: String?
    /// Path hint to the site's icon, checked before use.
    public var favicon: String?
    /// Where the item came from.
    public var source: String?
    /// The item's id at its source.
    public var sourceExternalID: String?
    /// A summary that was asked for.
    public var aiSummary: String?
    /// When the item was made; from the id where item.json does not say.
    public var createdAt: Timestamp?
    /// When a command last changed the item.
    public var updatedAt: Timestamp?
    /// When the item was put into the trash.
    public var trashedAt: Timestamp?

    /// - Parameter id: the name of the item's folder.
    public init(id: ItemID) { self.id = id }

    /// Whether either mark hides the item: the tag `trashcan` or `trashedAt`.
    public var isTrashed: Bool { trashedAt != nil || hasTrashTag }

    /// Whether both marks are set, without which an item is never purged.
    public var hasBothTrashMarks: Bool { trashedAt != nil && hasTrashTag }

    private var hasTrashTag: Bool { tags.contains { TagList.areSame($0, TagList.trashcan) } }

    /// Whether the item was made by hand or by a command, not by an import, the inbox or another program's bundle: then its
    /// link is one that the person typed.
    public var isTyped: Bool {
        guard let source else { return true }
        return source.utf8.elementsEqual("cli".utf8) || source.utf8.elementsEqual("manual".utf8)
    }

    /// Names of the collections that hold the item, with `/` between levels.
    public var collections: [String] { Self.collections(among: tags) }

    /// Tags that are neither collections nor the mark of the trash.
    public var plainTags: [String] { Self.plainTags(among: tags) }

    /// The names of collections that stand among tags.
    public static func collections(among tags: some Sequence<String>) -> [String] {
        tags.compactMap(CollectionName.init(tag:)).map(\.name)
    }

    /// Tags that are neither collections nor the mark of the trash.
    public static func plainTags(among tags: some Sequence<String>) -> [String] {
        tags.filter { CollectionName(tag: $0) == nil && !TagList.areSame($0, TagList.trashcan) }
    }
}
