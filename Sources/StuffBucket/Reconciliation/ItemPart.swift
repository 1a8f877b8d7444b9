/// A file of an item, or a folder whose time tells that names in it came or went.
enum ItemPart: Int, CaseIterable {
    case folder, itemFile, text, reader, page, documentFolder, document, conflicts

    /// Below the item's folder; empty for the folder itself, `nil` for the document, whose name is its own.
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
        }
    }
}
