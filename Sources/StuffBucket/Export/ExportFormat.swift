/// The forms in which items leave the library.
package enum ExportFormat: String, CaseIterable, Sendable {
    case html, csv, json, ndjson, markdown

    package var name: String {
        switch self {
        case .html: "bookmark HTML"
        case .csv: "bookmark CSV"
        case .json, .ndjson: "JSON"
        case .markdown: "Markdown"
        }
    }

    /// What an item may have that the format cannot hold, as a person calls it.
    package enum Part: String, CaseIterable, Sendable {
        case item = "items without a link"
        case document = "documents"
        case page = "saved pages"
        case text = "texts"
        case tags = "tags"
        case pin = "pins"
        case favorite = "favourites"
        case description = "descriptions"
        case annotations = "annotations"
        case order = "places in manual order"
        case other = "other fields (summaries, link checks and the like)"
    }

    package var lost: Set<Part> {
        switch self {
        case .html: [.item, .document, .page, .pin, .favorite, .annotations, .order, .other]
        case .csv: [.item, .document, .page, .text, .tags, .pin, .annotations, .other]
        case .json, .ndjson: [.document, .page]
        case .markdown: [.document, .page, .annotations, .other]
        }
    }
}
