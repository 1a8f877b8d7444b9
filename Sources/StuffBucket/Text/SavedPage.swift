internal import Files
internal import HTML
internal import Items

/// The saved page of an item, as text.
struct SavedPage {
    /// The text of the article, else of the whole page.
    ///
    /// Of a reader.html without its frame: author and site are fields of the item, and its last line is every page's. The
    /// heading stays, since an item that came with a title of its own says it nowhere else.
    let text: [UInt8]
    /// What the page shows besides its article, in passages.
    let rest: [[UInt8]]

    /// - Returns: `nil` if neither the article nor the page was saved or can be read.
    init?(of stored: StoredItem, in store: ItemStore) {
        guard let text = Self.text(of: stored, in: store) else { return nil }
        self.text = text
        let isBoth =
            (stored.parts.contains(.page) || stored.away?.hasPage == true)
            && (stored.hasReader || stored.away?.hasReader == true)
        if !isBoth {
            rest = []
        } else if stored.parts.contains(.page) {
            rest = Self.wholeText(of: stored, in: store).map { RestOfPage.passages(of: $0, without: text) } ?? []
        } else {
            rest = (store.awayText(.rest, of: stored.id) ?? []).split(separator: 0).map(Array.init)
        }
    }

    /// The texts of a page that is about to be away, so that it is found as before.
    static func awayTexts(of stored: StoredItem, in store: ItemStore) -> [AwayText: [UInt8]] {
        guard let article = articleText(of: stored, in: store) else {
            return wholeText(of: stored, in: store).map { [.page: $0] } ?? [:]
        }
        let rest = SavedPage(of: stored, in: store)?.rest ?? []
        return rest.isEmpty ? [.article: article] : [.article: article, .rest: Array(rest.map { $0 + [0] }.joined())]
    }

    /// The text of the article, else of the whole page; `nil` if neither was saved or can be read.
    static func text(of stored: StoredItem, in store: ItemStore) -> [UInt8]? {
        articleText(of: stored, in: store) ?? wholeText(of: stored, in: store)
    }

    /// The text of the article; `nil` if it was not saved or cannot be read.
    static func articleText(of stored: StoredItem, in store: ItemStore) -> [UInt8]? {
        if let article = bytes(stored.folder + "/" + Layout.readerFile, in: store) {
            return VisibleText.of(ReaderFrame.removed(from: article))
        }
        return stored.away?.hasReader == true ? store.awayText(.article, of: stored.id) : nil
    }

    /// The text of the whole page; `nil` if it was not saved or cannot be read.
    static func wholeText(of stored: StoredItem, in store: ItemStore) -> [UInt8]? {
        if let page = bytes(stored.folder + "/" + Layout.pageFile, in: store) {
            return PageFrames.text(of: page, readingAssets: { bytes(stored.folder + "/assets/" + $0, in: store) })
        }
        guard stored.away?.hasPage == true else { return nil }
        if let page = store.awayText(.page, of: stored.id) { return page }
        // The passages are not in the page's order any more.
        return store.awayText(.article, of: stored.id).map { article in
            article + [0x0A] + (store.awayText(.rest, of: stored.id) ?? []).map { $0 == 0 ? 0x0A : $0 }
        }
    }

    private static func bytes(_ path: String, in store: ItemStore) -> [UInt8]? {
        guard let status = (try? store.root.statusOfKnownPath(path)) ?? nil, status.kind == .regular else { return nil }
        // The beginning of a page that is too long is better than nothing.
        do {
            let file = try store.root.file(path)
            return try file.read(at: 0, count: min(status.byteCount, VisibleText.byteLimit))
        } catch {
            return nil
        }
    }
}
