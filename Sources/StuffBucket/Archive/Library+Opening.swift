public import Items

/// What of an item is opened for a person.
public struct OpeningChoice: Sendable {
    /// What of an item is opened.
    public enum Part: Sendable {
        case page, reader
        case snapshot(Snapshot)
        case document, link, text
    }

    /// What of the item it is.
    public let part: Part
    /// A path below the item's folder; the URL of a link.
    public let target: String
    /// What would have been opened if it were there: a path that item.json promises.
    public var unavailable: String?
}

extension Library {
    /// What opening an item means: its page, else its document, its link, its text.
    ///
    /// A page that item.json promises and that is not there is replaced by what is nearest to it: the article, the latest
    /// earlier capture, and then the rest.
    public func openingChoice(of stored: StoredItem) throws(ItemError) -> OpeningChoice? {
        if let path = stored.pagePath { return OpeningChoice(part: .page, target: path) }
        let missing = stored.unavailablePaths.first
        if let missing, missing != stored.item.documentRelativePath {
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
        if let link = stored.item.linkURL { return OpeningChoice(part: .link, target: link, unavailable: missing) }
        if stored.text != nil { return OpeningChoice(part: .text, target: Layout.textFile, unavailable: missing) }
        return nil
    }
}
