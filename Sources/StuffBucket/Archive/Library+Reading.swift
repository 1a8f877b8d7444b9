internal import Files
public import Items
public import WorkerProtocol

/// The part of a saved page that is read.
public enum SavedPart: Sendable {
    /// reader.html: only the article.
    case article
    case page
}

extension Library {
    /// Whether an item has that part of a saved page, here or away.
    ///
    /// - Throws: `ItemError`.
    public func has(_ part: SavedPart, _ stored: StoredItem) throws -> Bool {
        if let away = stored.away, part == .article ? away.hasReader : away.hasPage { return true }
        let files = try store.archiveFiles(of: stored)
        return part == .article ? files.reader != nil : files.page != nil
    }

    /// A part of an item's saved page as text for a terminal.
    ///
    /// - Parameters:
    ///   - width: columns of a line, 20 to 1000.
    ///   - stored: the item as read.
    ///   - worker: fetches and reads pages.
    ///   - part: the part of the saved page.
    ///   - path: the full path of the part, as `resolve` found it; `nil` for that in the item's folder.
    ///   - isWhole: whether all of page.html is wanted; without it, its article. reader.html is always whole.
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer.
    public func text(
        of part: SavedPart, of stored: StoredItem, at path: String? = nil, width: Int, isWhole: Bool = false,
        _ worker: CaptureWorker
    ) throws -> String {
        var order = ReadOrder(file: path ?? file(part, stored), url: stored.item.linkURL ?? "about:blank")
        order.width = width
        order.isWhole = part == .article || isWhole
        return try worker.run(order, within: 30).text
    }

    /// The links of a part of an item's saved page, in order, without duplicates.
    ///
    /// - Parameters:
    ///   - part: the part of the saved page.
    ///   - stored: the item as read.
    ///   - path: as for `text`.
    ///   - worker: reads the page.
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer.
    public func links(
        in part: SavedPart, of stored: StoredItem, at path: String? = nil, _ worker: CaptureWorker
    ) throws -> [PageLink] {
        let order = LinksOrder(file: path ?? file(part, stored), url: stored.item.linkURL ?? "about:blank")
        return try worker.run(order, within: 30).links
    }

    /// The visible text of a part of an item's saved page, as it is searched; it is here also if the page is away. UTF-8,
    /// without layout; `nil` if there is none.
    public func visibleText(of part: SavedPart, of stored: StoredItem) -> [UInt8]? {
        part == .article ? SavedPage.articleText(of: stored, in: store) : SavedPage.wholeText(of: stored, in: store)
    }

    private func file(_ part: SavedPart, _ stored: StoredItem) -> String {
        FilePath.absolute(path) + "/" + stored.folder + "/"
            + (part == .article ? Layout.readerFile : Layout.pageFile)
    }
}

extension CaptureWorker {
    /// The URL of the page that a file claims to be a copy of.
    ///
    /// - Parameter path: the file; it is judged by its content.
    /// - Returns: `nil` if the file is no saved page or names no URL.
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer.
    public func pageURL(ofFile path: String) throws -> String? {
        try run(IdentifyOrder(file: FilePath.absolute(path)), within: 30).url
    }
}
