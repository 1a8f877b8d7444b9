import StuffBucket

extension ExportFormat.Part {
    /// The name for a person, in the plural.
    var wording: String {
        switch self {
        case .item: "items without a link"
        case .document: "documents"
        case .page: "saved pages"
        case .snapshot: "earlier captures"
        case .text: "texts"
        case .tags: "tags"
        case .pin: "pins"
        case .favorite: "favourites"
        case .description: "descriptions"
        case .annotations: "annotations"
        case .order: "places in manual order"
        case .pageTitle: "titles of pages beside your own"
        case .pageDetails: "authors, sites, languages and dates of pages"
        case .check: "checks of links"
        case .summary: "summaries"
        case .source: "the source's own fields"
        case .former: "former links"
        case .own: "fields of your own"
        case .files: "further files of items"
        case .smart: "smart folders"
        case .tagLooks: "colours and icons of tags"
        case .colour: "colours of collections"
        case .icon: "icons of collections"
        case .collectionOrder: "the order of collections"
        case .emptyCollection: "empty collections"
        case .namedOwn: "further keys of collections, tags and smart folders"
        }
    }
}

extension FullExportFault {
    /// The path and the fault.
    func wording(_ exchange: ExchangeFiles) -> String {
        switch kind {
        case .nameNotUTF8: "\(path): its name is not UTF-8; it was left out"
        case .notFile(let kind): "\(path): \(kind.phrase); it was left out"
        case .changed: "\(path): it changed while it was read"
        case .damaged:
            "\(path): it is damaged, and was written as it is; \"sbfs repair --from\" with another copy or a remote may bring it back"
        case .vanished: "\(path): it vanished meanwhile"
        case .away(let exchanges): "\(path): \(exchange.lack(exchanges))"
        case .notHere:
            "\(path): it was deleted, or has not arrived; \"sbfs sync\" or \"sbfs repair --from\" may bring it"
        case .noItem(let reason): "\(path): \(reason.wording); \"sbfs import\" leaves it out until it is repaired"
        }
    }
}
