/// The keys of item.json that this version knows, in the order of a new file.
///
/// This one table serves decoding, `set FIELD=VALUE`, the JSON Schema in every library, and the field table of
/// FORMAT.md, which a test compares with it.
public enum ItemField: String, CaseIterable, Sendable {
    case id, type, title, description, tags, isPinned, isFavorite, sortOrder, textContent, annotations
    case linkURL, linkFormerURLs, linkTitle, linkAuthor, linkSite, linkLanguage, linkPublishedDate, linkCanonicalURL
    case favicon, archiveStatus, capturedBy, archiveReason, archiveAttempts, archivedAt, htmlRelativePath
    case linkStatus, linkStatusEvidence, lastCheckedDate
    case documentRelativePath, documentName, documentSHA256
    case source, sourceExternalID, sourceExternalIDs, sourceFolderPath, sourceFileName, sourceFields, sourceValues
    case aiSummary, aiArtifacts, aiModelID, aiUpdatedAt
    case createdAt, updatedAt, trashedAt

    /// The type of a field's value.
    public enum Kind: Equatable, Sendable {
        case uuid
        case string
        /// One of these words; any other word stays in the file and reads as absent.
        case word([String])
        case strings
        case bool
        case number
        /// A whole number, 0 or more.
        case count
        /// RFC 3339 with any offset, or a date alone.
        case time
        /// An http or https URL.
        case url
        /// A path relative to the item's folder that does not leave it.
        case path
        /// 64 hexadecimal digits.
        case sha256
        case object
        /// Strings, or objects with `quote`, `note` and `createdAt`.
        case annotations
        case any
    }

    /// The field's name in item.json.
    public var key: String { rawValue }

    /// The values that the field may hold.
    public var kind: Kind {
        switch self {
        case .id: .uuid
        case .type: .word(["snippet", "link", "document"])
        case .title, .description, .textContent, .linkTitle, .linkAuthor, .linkSite, .linkLanguage, .archiveReason,
            .documentName, .sourceExternalID, .sourceFolderPath, .sourceFileName,
            .aiSummary, .aiModelID:
            .string
        case .tags, .linkFormerURLs, .sourceExternalIDs: .strings
        case .isPinned, .isFavorite: .bool
        case .sortOrder: .number
        case .annotations: .annotations
        case .linkURL, .linkCanonicalURL: .url
        case .linkPublishedDate, .archivedAt, .lastCheckedDate, .aiUpdatedAt, .createdAt, .updatedAt, .trashedAt: .time
        case .favicon, .htmlRelativePath, .documentRelativePath: .path
        case .archiveStatus: .word(["pending", "full", "partial", "failed"])
        case .capturedBy: .word(["browser", "fetch", "user"])
        case .archiveAttempts: .count
        case .linkStatus: .word(["valid", "dead", "unknown"])
        case .linkStatusEvidence, .sourceFields, .sourceValues: .object
        case .documentSHA256: .sha256
        case .source: .word(Self.sources)
        case .aiArtifacts: .any
        }
    }

    /// The known values of `source`.
    public static let sources = [
        "manual", "share_sheet", "safari_bookmarks", "import", "inbox", "cli", "browser", "bundle",
    ]

    /// The field's meaning in one sentence, for the schema that editors show.
    public var summary: String {
        switch self {
        case .id: "The item's UUID; the same as its folder's name."
        case .type: "How the item started. Any item may hold text, a link and a document."
        case .title: "The person's own title. Without it, lists show the first line of the text, then linkTitle."
        case .description: "A short description."
        case .tags: "Tags, compared without case. \"collection:Name\" puts the item into a collection."
        case .isPinned: "Whether the item is pinned. Lists show pinned items first."
        case .isFavorite: "Whether the item is a favourite."
        case .sortOrder: "Rank in manual order; smaller comes first."
        case .textContent: "The item's text if there is no text.md. sbfs moves it to text.md."
        case .annotations: "Notes on the item or on passages of it."
        case .linkURL: "The link, byte for byte as it was given; http or https."
        case .linkFormerURLs: "Earlier links of the item, from before its source changed them; the latest last."
        case .linkTitle: "The page's own title."
        case .linkAuthor: "The page's author or authors."
        case .linkSite: "The name of the page's site."
        case .linkLanguage: "The page's language, as a BCP 47 tag."
        case .linkPublishedDate: "When the page was published: a date or an instant, never converted."
        case .linkCanonicalURL: "The address that the page declares as its own; it says nothing about identity."
        case .favicon: "The site's icon, a file in the item's folder."
        case .archiveStatus: "How completely the page was saved; absent if nobody asked to save it."
        case .capturedBy: "What saved the page: a browser, a plain fetch, or the user's own file."
        case .archiveReason: "Why the archive is partial or failed: a word such as login or http_404."
        case .archiveAttempts: "The number of attempts to save the page."
        case .archivedAt: "When the last attempt to save the page was made."
        case .htmlRelativePath: "The saved page, a file in the item's folder."
        case .linkStatus: "The result of the last check of the link."
        case .linkStatusEvidence: "The evidence of the last check of the link: status, moved to, blocked."
        case .lastCheckedDate: "When the link was last checked."
        case .documentRelativePath: "The document, a file in the item's folder."
        case .documentName: "The document's original name, if it cannot be a file name."
        case .documentSHA256: "The SHA-256 of the document when sbfs stored it."
        case .source: "Where the item comes from."
        case .sourceExternalID: "The item's id at its source."
        case .sourceExternalIDs: "The item's ids at its sources, if there are several."
        case .sourceFolderPath: "The item's folder at its source."
        case .sourceFileName: "The name of the item's file at its source."
        case .sourceFields: "Fields of the source that have no key here, under the source's names."
        case .sourceValues: "For each id at a source, the values from the last import."
        case .aiSummary: "A summary that the person requested."
        case .aiArtifacts: "Key points, entities and tags that the person requested."
        case .aiModelID: "The model that made aiSummary and aiArtifacts."
        case .aiUpdatedAt: "When aiSummary and aiArtifacts were made."
        case .createdAt: "When the item was created, RFC 3339."
        case .updatedAt: "When an sbfs command last changed the item, RFC 3339."
        case .trashedAt: "When the item was moved to the trash, RFC 3339."
        }
    }

    /// Fields about the link's page and its saved copy.
    public static let ofLinkedPage: [ItemField] = [
        .linkTitle, .linkAuthor, .linkSite, .linkLanguage, .linkPublishedDate, .linkCanonicalURL, .archiveStatus,
        .capturedBy, .archiveReason, .archiveAttempts, .archivedAt, .linkStatus, .linkStatusEvidence, .lastCheckedDate,
    ]

    /// Place in the canonical order.
    public var rank: Int { Self.ranks[self] ?? 0 }

    /// Whether only sbfs sets the field, by a command for the purpose.
    public var isManaged: Bool {
        switch self {
        case .id, .tags, .textContent, .documentRelativePath, .documentName, .documentSHA256, .updatedAt, .trashedAt,
            .htmlRelativePath, .favicon, .annotations, .linkStatusEvidence, .aiArtifacts, .sourceExternalIDs,
            .sourceFields, .sourceValues, .linkFormerURLs:
            true
        default: false
        }
    }

    private static let ranks = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

    /// The fields with the bytes of their keys, grouped by key length.
    private static let byLength: [[(key: [UInt8], field: ItemField)]] = {
        var table: [[(key: [UInt8], field: ItemField)]] = []
        for field in allCases {
            let key = Array(field.key.utf8)
            while table.count <= key.count { table.append([]) }
            table[key.count].append((key, field))
        }
        return table
    }()

    /// The field of a key given as bytes of a file. Makes no string.
    public init?(key bytes: ArraySlice<UInt8>) {
        guard bytes.count < Self.byLength.count,
            let found = Self.byLength[bytes.count].first(where: { bytes.elementsEqual($0.key) })
        else { return nil }
        self = found.field
    }
}
