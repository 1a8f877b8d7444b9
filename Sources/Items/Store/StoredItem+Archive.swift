/// How much of an item's link is saved in the library: the claim of item.json, checked against the files.
public enum ArchiveState: String, Sendable, CaseIterable {
    case full, partial, pending, failed
    /// item.json says that the page was saved, but it is missing: deleted, or not yet on this device.
    case unavailable
    /// A link whose page nobody asked to save.
    case live
}

extension StoredItem {
    /// Whether page.html, or the saved page that item.json names, exists.
    public var hasPage: Bool { parts.contains(.page) || hasPromisedPage }

    /// Whether reader.html, the readable form of the page, exists.
    public var hasReader: Bool { parts.contains(.reader) }

    /// The saved page, relative to the item's folder; `nil` if it does not exist.
    public var pagePath: String? {
        parts.contains(.page) ? Layout.pageFile : hasPromisedPage ? item.htmlRelativePath : nil
    }

    /// The state by FORMAT.md § What is there; `nil` for an item without a link and without a saved page.
    public var archiveState: ArchiveState? {
        switch item.archiveStatus {
        case .pending: return .pending
        case .failed: return .failed
        case .full: return isArchiveThere ? .full : .unavailable
        case .partial: return isArchiveThere ? .partial : .unavailable
        case nil:
            if hasPage || isPageAway { return .partial }
            if item.htmlRelativePath != nil { return .unavailable }
            return item.linkURL == nil ? nil : .live
        }
    }

    /// Whether the link leads to a file, stored as the item's document, and not to a page.
    public var isArchivedAsDocument: Bool {
        guard item.archiveStatus == .full || item.archiveStatus == .partial else { return false }
        return !hasPage && !isPageAway && item.htmlRelativePath == nil && documentName != nil
    }

    /// Whether the saved page, page.html or the one that item.json names, is away.
    public var isPageAway: Bool {
        guard !hasPage, let away else { return false }
        return away.hasPage || away.hasReader && item.htmlRelativePath == Layout.readerFile
    }

    /// Whether the document is away.
    public var isDocumentAway: Bool { document == nil && away?.document != nil }

    private var isArchiveThere: Bool { hasPage || isPageAway || isArchivedAsDocument }

    /// Whether something is away, and no exchange had it when this device synced last.
    public var isAwayLost: Bool { away.map { $0.isLost && !$0.isEmpty } ?? false }

    /// Paths below the item's folder that item.json names and that do not exist and are not away: the saved page and the
    /// document.
    public var unavailablePaths: [String] {
        var paths: [String] = []
        let isDocumentMissing = item.documentRelativePath != nil && document == nil && !isDocumentAway
        if !hasPage, !isPageAway {
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
