public import Time

/// The fields of one item.json.
///
/// Text, page and document are files beside item.json and are not part of this value.
public struct Item: Sendable {
    /// How an item started. It does not limit what the item may hold later.
    public enum Kind: String, Sendable, CaseIterable {
        case snippet, link, document
    }

    /// How completely a link's page was saved; absent (`nil`) is "Live only".
    public enum ArchiveStatus: String, Sendable {
        case pending, full, partial, failed
    }

    /// What the last check of a link found.
    public enum LinkStatus: String, Sendable {
        case valid, dead, unknown
    }

    /// The name of the item's folder.
    public let id: ItemID
    /// As stored; `nil` if item.json has no known type.
    public var type: Kind?
    /// The person's own title.
    public var title: String?
    /// A short description.
    public var description: String?
    /// Plain tags, `collection:` tags and `trashcan`; trimmed, without duplicates.
    public var tags: [String] = []
    /// Whether the item is pinned. Pinned items come first in lists.
    public var isPinned = false
    /// Whether the item is a favourite.
    public var isFavorite = false
    /// Rank in manual order.
    public var sortOrder: Double?
    /// Text stored in item.json; text.md takes precedence.
    public var textContent: String?
    /// Notes and quoted passages, as text.
    public var annotations: [String] = []
    /// The link as the person gave it.
    public var linkURL: String?
    /// The page's own title.
    public var linkTitle: String?
    /// The page's author.
    public var linkAuthor: String?
    /// The name of the page's site.
    public var linkSite: String?
    /// The page's language, as a BCP 47 tag.
    public var linkLanguage: String?
    /// The address that the page declares as its own. Anybody may declare any address, so it decides nothing.
    public var linkCanonicalURL: String?
    /// How completely the page was saved.
    public var archiveStatus: ArchiveStatus?
    /// Why the archive is partial or failed: a word of FORMAT.md § 8.6, or a sentence from an earlier version.
    public var archiveReason: String?
    /// Whether the link still answers.
    public var linkStatus: LinkStatus?
    /// The document's path, a hint that is checked before use.
    public var documentRelativePath: String?
    /// The document's original name if it cannot be a file name here.
    public var documentName: String?
    /// SHA-256 of the document as stored, lower-case hexadecimal.
    public var documentSHA256: String?
    /// The path of the saved page, a hint that is checked before use.
    public var htmlRelativePath: String?
    /// The path of the site's icon, a hint that is checked before use.
    public var favicon: String?
    /// Where the item comes from, such as `cli` or `import`.
    public var source: String?
    /// The item's id at its source.
    public var sourceExternalID: String?
    /// A summary that the person requested.
    public var aiSummary: String?
    /// When the item was created; taken from the id if item.json does not say.
    public var createdAt: Timestamp?
    /// When a command last changed the item.
    public var updatedAt: Timestamp?
    /// When the item was put into the trash.
    public var trashedAt: Timestamp?

    /// - Parameter id: the name of the item's folder.
    package init(id: ItemID) { self.id = id }

    /// Whether at least one mark puts the item into the trash: the tag `trashcan` or `trashedAt`.
    public var isTrashed: Bool { trashedAt != nil || hasTrashTag }

    /// Whether both marks are set. Only such an item may be purged.
    public var hasBothTrashMarks: Bool { trashedAt != nil && hasTrashTag }

    private var hasTrashTag: Bool { tags.contains { TagList.areSame($0, TagList.trashcan) } }

    /// Whether a person or a command made the item, and not an import, the inbox or another program's bundle. The
    /// person then typed its link.
    public var isTyped: Bool {
        guard let source else { return true }
        return source.utf8.elementsEqual("cli".utf8) || source.utf8.elementsEqual("manual".utf8)
    }

    /// Names of the collections that hold the item, with `/` between levels.
    public var collections: [String] { Self.collections(among: tags) }

    /// Tags that are neither collections nor the trash mark.
    public var plainTags: [String] { Self.plainTags(among: tags) }

    /// The names of the collections among these tags.
    package static func collections(among tags: some Sequence<String>) -> [String] {
        tags.compactMap(CollectionName.init(tag:)).map(\.name)
    }

    /// Tags that are neither collections nor the trash mark.
    package static func plainTags(among tags: some Sequence<String>) -> [String] {
        tags.filter { CollectionName(tag: $0) == nil && !TagList.areSame($0, TagList.trashcan) }
    }
}
