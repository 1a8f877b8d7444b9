/// A file of an item, or a folder whose time changes when names in it come or go.
enum ItemPart: Int, CaseIterable {
    case folder, itemFile, text, reader, page, documentFolder, document, conflicts, history

    /// Relative to the item's folder; empty for the folder itself; `nil` for the document, whose name varies.
    var path: StaticString? {
        switch self {
        case .folder: ""
        case .itemFile: "item.json"
        case .text: "text.md"
        case .reader: "reader.html"
        case .page: "page.html"
        case .documentFolder: "document"
        case .document: nil
        case .conflicts: "conflicts"
        case .history: "history"
        }
    }
}
