public import Items

/// The part of an item that opens for a person.
public struct OpeningChoice: Sendable {
    /// A part of an item that can be opened.
    public enum Part: Sendable {
        case page, reader
        case snapshot(Snapshot)
        case document, link, text
    }

    /// The part that opens.
    public let part: Part
    /// A path below the item's folder; the URL of a link.
    public let target: String
    /// The part that would open if it existed: a path that item.json names; `nil` if nothing is missing.
    public var unavailable: String?
}

extension Library {
    /// The part that opening an item shows: its page, else its document, its link, its text.
    ///
    /// If item.json names a page that is missing, the nearest substitute opens: the article, the latest earlier
    /// capture, and then the parts above. A page or a document that is away opens as one that is here; `resolve` fetches it.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - isAwayMissing: whether what is away counts as missing, because no exchange can be read.
    /// - Throws: `ItemError.file` if the item's folder cannot be read.
    public func openingChoice(
        of stored: StoredItem, isAwayMissing: Bool = false
    ) throws(ItemError) -> OpeningChoice? {
        if let path = stored.pagePath { return OpeningChoice(part: .page, target: path) }
        if stored.isPageAway, !isAwayMissing {
            return OpeningChoice(part: .page, target: stored.item.htmlRelativePath ?? Layout.pageFile)
        }
        var missing = stored.unavailablePaths.first
        if missing == nil, isAwayMissing {
            missing = stored.isPageAway ? stored.item.htmlRelativePath ?? Layout.pageFile : stored.away?.documentPath
        }
        if let missing, missing != stored.item.documentRelativePath, missing != stored.away?.documentPath {
            if stored.parts.contains(.reader) {
                return OpeningChoice(part: .reader, target: Layout.readerFile, unavailable: missing)
            }
            if let snapshot = try store.snapshots(of: stored).first(where: \.files.hasPage) {
                let file = snapshot.files.page != nil ? Layout.pageFile : Layout.readerFile
                return OpeningChoice(
                    part: .snapshot(snapshot), target: snapshot.path + "/" + file, unavailable: missing)
            }
        }
        if let document = stored.document {
            return OpeningChoice(part: .document, target: document.path, unavailable: missing)
        }
        if stored.isDocumentAway, !isAwayMissing, let path = stored.away?.documentPath {
            return OpeningChoice(part: .document, target: path, unavailable: missing)
        }
        if let link = stored.item.linkURL { return OpeningChoice(part: .link, target: link, unavailable: missing) }
        if stored.text != nil { return OpeningChoice(part: .text, target: Layout.textFile, unavailable: missing) }
        return nil
    }
}
