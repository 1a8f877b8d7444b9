internal import Files
internal import Items
internal import JSONFormat
internal import URLs

/// The part of an item that is sent to a model: title, link, tags, text and article. Nothing else of an item is sent.
struct ItemExcerpt {
    /// The largest number of bytes of text and article together, unless the person says otherwise: 24 KiB.
    static let byteLimit = 24 << 10

    let title: String
    let url: String?
    let tags: [String]
    /// Its own text, as Markdown.
    private(set) var text: String
    /// The text of the saved page.
    private(set) var article: String
    /// Bytes of text and article before they were cut.
    let byteCount: Int

    /// - Parameter limit: the largest number of bytes of text and article together. A third of it is the text's own; what
    ///   one does not need, the other may have.
    init(_ stored: StoredItem, _ store: ItemStore, limit: Int) throws(ItemError) {
        title = Self.cut(Array(store.displayTitle(of: stored).utf8), to: 500)
        // A name and password in a link are nobody's business.
        url = stored.item.linkURL.map { link in
            guard let url = WebURL(link), url.hasCredentials else { return Self.cut(Array(link.utf8), to: 2000) }
            return Self.cut(Array((url.origin + url.path + (url.query.map { "?" + $0 } ?? "")).utf8), to: 2000)
        }
        tags = Array(stored.item.plainTags.prefix(50)).map { Self.cut(Array($0.utf8), to: 100) }
        let own = try store.text(of: stored) ?? []
        let page = SavedPage.text(of: stored, in: store) ?? []
        byteCount = own.count + page.count
        let share = max(limit / 3, limit - page.count)
        text = Self.cut(own, to: min(share, own.count))
        article = Self.cut(page, to: max(0, limit - text.utf8.count))
    }

    /// Whether anything of it was cut off.
    var isCut: Bool { text.utf8.count + article.utf8.count < byteCount }

    /// As the model sees it.
    var json: JSON {
        .members([
            ("title", .string(title)), ("url", url.map(JSON.string)), ("tags", tags.isEmpty ? nil : .strings(tags)),
            ("text", text.isEmpty ? nil : .string(text)), ("article", article.isEmpty ? nil : .string(article)),
        ])
    }

    /// A hash of all that is sent of the item.
    var fingerprint: String {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        return SHA256.hex(writer.bytes)
    }

    /// The text in parts of at most `limit` bytes, cut at the last line end of each where there is one.
    func parts(limit: Int) -> [String] {
        var rest = Array((text + (text.isEmpty || article.isEmpty ? "" : "\n\n") + article).utf8)[...]
        var parts: [String] = []
        while !rest.isEmpty {
            var end = Self.boundary(rest, limit)
            if end < rest.endIndex, let line = rest[..<end].lastIndex(of: 0x0A), line > rest.startIndex + limit / 2 {
                end = line + 1
            }
            parts.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return parts
    }

    static func cut(_ bytes: [UInt8], to limit: Int) -> String {
        String(decoding: bytes[..<boundary(bytes[...], limit)], as: UTF8.self)
    }

    /// The last place at or before a number of bytes that is not within a character.
    private static func boundary(_ bytes: ArraySlice<UInt8>, _ limit: Int) -> Int {
        if bytes.count <= limit { return bytes.endIndex }
        var end = bytes.startIndex + max(0, limit)
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        // Bytes that are no UTF-8 have no boundary.
        return end > bytes.startIndex || limit <= 0 ? end : bytes.startIndex + limit
    }
}
