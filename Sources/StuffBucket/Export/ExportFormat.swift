/// The formats in which items are exported.
public enum ExportFormat: String, CaseIterable, Sendable {
    case html, csv, json, ndjson, markdown

    /// The format's name for a person; JSON and NDJSON share one.
    public var name: String {
        switch self {
        case .html: "bookmark HTML"
        case .csv: "bookmark CSV"
        case .json, .ndjson: "JSON"
        case .markdown: "Markdown"
        }
    }

    /// The format that a file name's extension means; `nil` if it means none.
    public static func named(_ path: String) -> ExportFormat? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "html", "htm": return .html
        case "csv": return .csv
        case "json": return .json
        case "ndjson", "jsonl": return .ndjson
        case "md", "markdown": return .markdown
        default: return nil
        }
    }

    /// A part of an item or a library that a format may not be able to hold, named for a person.
    public enum Part: String, CaseIterable, Sendable {
        case item = "items without a link"
        case document = "documents"
        case page = "saved pages"
        case snapshot = "earlier captures"
        case text = "texts"
        case tags = "tags"
        case pin = "pins"
        case favorite = "favourites"
        case description = "descriptions"
        case annotations = "annotations"
        case order = "places in manual order"
        case pageTitle = "titles of pages beside your own"
        case pageDetails = "authors, sites, languages and dates of pages"
        case check = "checks of links"
        case summary = "summaries"
        case source = "the source's own fields"
        case former = "former links"
        case own = "fields of your own"
        case files = "further files of items"
        // Of the library.
        case smart = "smart folders"
        case tagLooks = "colours and icons of tags"
        case colour = "colours of collections"
        case icon = "icons of collections"
        case collectionOrder = "the order of collections"
        case emptyCollection = "empty collections"
        case namedOwn = "further keys of collections, tags and smart folders"
    }

    /// The parts that the format cannot hold.
    public var lost: Set<Part> {
        let everywhere: Set<Part> = [.document, .page, .snapshot, .files, .smart, .tagLooks, .namedOwn]
        let fields: Set<Part> = [
            .annotations, .pageTitle, .pageDetails, .check, .summary, .source, .former, .own,
        ]
        switch self {
        case .html:
            return everywhere.union(fields).union([.item, .pin, .favorite, .order, .colour, .icon, .collectionOrder])
        case .csv: return everywhere.union(fields).union([.item, .text, .tags, .pin])
        case .json, .ndjson: return everywhere.union([.colour, .icon, .collectionOrder, .emptyCollection])
        case .markdown:
            return everywhere.union(fields).union([.colour, .icon, .collectionOrder, .emptyCollection])
        }
    }
}
