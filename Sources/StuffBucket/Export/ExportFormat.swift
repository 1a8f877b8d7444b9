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

    /// What an item or a library may have that the format cannot hold.
    public enum Part: CaseIterable, Sendable {
        case item
        case document
        case page
        case snapshot
        case text
        case tags
        case pin
        case favorite
        case description
        case annotations
        case order
        case pageTitle
        case pageDetails
        case check
        case summary
        case source
        case former
        case own
        case files
        // Of the library.
        case smart
        case tagLooks
        case colour
        case icon
        case collectionOrder
        case emptyCollection
        case namedOwn
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
