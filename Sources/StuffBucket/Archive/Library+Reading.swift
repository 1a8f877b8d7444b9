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
    /// Whether an item has that part of a saved page.
    ///
    /// - Throws: `ItemError`.
    public func has(_ part: SavedPart, _ stored: StoredItem) throws -> Bool {
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
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer.
    public func text(
        of part: SavedPart, of stored: StoredItem, width: Int, _ worker: CaptureWorker
    ) throws -> String {
        var order = ReadOrder(file: file(part, stored), url: stored.item.linkURL ?? "about:blank")
        order.width = width
        order.isArticle = part == .article
        return try worker.run(order, within: 30).text
    }

    /// The links of a part of an item's saved page, in order, without duplicates.
    ///
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer.
    public func links(in part: SavedPart, of stored: StoredItem, _ worker: CaptureWorker) throws -> [PageLink] {
        let order = LinksOrder(file: file(part, stored), url: stored.item.linkURL ?? "about:blank")
        return try worker.run(order, within: 30).links
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
