/// How far that what an item's link leads to is in the library: what item.json claims, as far as the files are there.
public enum ArchiveState: String, Sendable, CaseIterable {
    case full, partial, pending, failed
    /// Saved by what item.json says, and not there: deleted, or not here yet.
    case unavailable
    /// A link whose page was not asked for.
    case live
}

extension StoredItem {
    /// Whether page.html, or the file that item.json calls the saved page, is there.
    public var hasPage: Bool { parts.contains(.page) || hasPromisedPage }

    /// The saved page, relative to the item's folder; `nil` if it is not there.
    public var pagePath: String? {
        parts.contains(.page) ? Layout.pageFile : hasPromisedPage ? item.htmlRelativePath : nil
    }

    /// FORMAT.md § What is there; `nil` for an item without a link of which nothing was saved.
    public var archiveState: ArchiveState? {
        switch item.archiveStatus {
        case .pending: return .pending
        case .failed: return .failed
        case .full: return isArchiveThere ? .full : .unavailable
        case .partial: return isArchiveThere ? .partial : .unavailable
        case nil:
            if hasPage { return .partial }
            if item.htmlRelativePath != nil { return .unavailable }
            return item.linkURL == nil ? nil : .live
        }
    }

    /// Whether the link leads to a file, which is the item's document, and not to a page.
    public var isArchivedAsDocument: Bool {
        guard item.archiveStatus == .full || item.archiveStatus == .partial else { return false }
        return !hasPage && item.htmlRelativePath == nil && document != nil
    }

    private var isArchiveThere: Bool { hasPage || isArchivedAsDocument }

    /// Paths below the item's folder that item.json promises and that are not there: the saved page and the document.
    public var unavailablePaths: [String] {
        var paths: [String] = []
        let isDocumentMissing = item.documentRelativePath != nil && document == nil
        if !hasPage {
            if let path = item.htmlRelativePath {
                paths.append(path)
            } else if archiveState == .unavailable, !isDocumentMissing {
                paths.append(Layout.pageFile)
            }
        }
        if isDocumentMissing, let path = item.documentRelativePath { paths.append(path) }
        return paths
    }
}
