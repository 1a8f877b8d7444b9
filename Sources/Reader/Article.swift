internal import Characters
import Characters
internal import HTML
package import Time
package import URLs

/// The article of a page, without everything around it.
package struct Article {
    package let title: String?
    package let authors: [String]
    /// The day of publication (`2024-03-01`), or the instant with its offset as in the page (RFC 3339).
    package let published: String?
    package let modified: String?
    package let siteName: String?
    package let language: String?
    package let description: String?
    /// The address that the page declares as its own, http or https.
    package let canonicalURL: WebURL?
    package let image: String?
    /// The base of the page's links, or `nil` if the address of the page is unknown.
    package let base: WebURL?
    /// `ltr`, `rtl` or `auto`, if the page declares it.
    package let direction: String?
    let content: Content

    /// 32 MiB. The rest of a longer page is not read. Parsing takes about three times as much memory at most.
    package static let byteLimit = 32 << 20
    /// Bytes of an address that the page declares.
    private static let addressByteLimit = 4096

    /// - Parameters:
    ///   - page: the bytes of the page, in any encoding.
    ///   - contentType: the header of the response, for the encoding.
    ///   - url: the address of the page. May be empty or invalid.
    ///   - today: later dates are ignored.
    ///   - model: decides which text is the article; by default the one of the program.
    package init(
        page: [UInt8], contentType: String? = nil, url: String, today: CalendarDate, model: BlockModel? = nil
    ) {
        let reading = PageReading(page: page, contentType: contentType, url: url)
        let (tree, hints, tags, data) = (reading.tree, reading.hints, reading.tags, reading.data)
        let url = reading.url
        base = reading.base
        direction = tags.direction
        siteName = reading.siteName
        language = tags.language ?? tags.first("og:locale", "content-language", "dc.language") ?? data.language
        title = Self.title(of: reading)
        authors = AuthorChoice(
            tree: tree, hints: hints, tags: tags, data: data, siteName: siteName, host: Self.host(url)
        ).authors()
        let dates = DateReading(latest: today, monthFirst: Self.isMonthFirst(language, url))
        published =
            DateChoice(
                tree: tree, hints: hints, tags: tags, data: data, url: url, reading: dates, language: language,
                hasAuthor: !authors.isEmpty, page: reading.decoded
            ).published()?.text
        modified =
            (data.modified ?? tags.first("article:modified_time", "og:updated_time", "datemodified"))
            .flatMap { dates.first(in: $0.utf8) }?.text
        description =
            tags.first("og:description", "description", "dc.description", "twitter:description") ?? data.description
        canonicalURL = tags.canonical.flatMap { WebURL($0, base: reading.base) }
            .flatMap { $0.isHTTP && $0.href.utf8.count <= Self.addressByteLimit ? $0 : nil }
        image = tags.first("og:image", "og:image:url", "twitter:image", "twitter:image:src") ?? data.image
        content = MainText(reading, title: title, model: model ?? .shared).content(title: title)
    }

    static func title(of reading: PageReading) -> String? {
        TitleChoice(
            tree: reading.tree, hints: reading.hints, tags: reading.tags, data: reading.data,
            siteName: reading.siteName, url: reading.url
        ).title()
    }

    /// Numeric dates begin with the month only in the English of the United States.
    private static func isMonthFirst(_ language: String?, _ url: String) -> Bool {
        let language = (language ?? "en").lowercased()
        guard language.hasPrefix("en") else { return false }
        if ["gb", "au", "nz", "ie", "in", "za"].contains(where: {
            language.hasSuffix("-" + $0) || language.hasSuffix("_" + $0)
        }) {
            return false
        }
        let host = Self.host(url)
        return ![".uk", ".au", ".nz", ".ie", ".in", ".za"].contains { host.hasSuffix($0) }
    }

    private static func host(_ url: String) -> String {
        WebURL(url)?.hostText ?? ""
    }

    /// - Parameter status: the HTTP status of the response, or `nil` if unknown.
    package func quality(status: Int? = nil) -> PageQuality {
        PageQuality(content.tree, title: title, text: content.plainText(), status: status)
    }

    /// The text in Unicode's composed form (NFC), so that it matches typed text.
    package var text: String { CanonicalComposition.nfc(String(decoding: content.plainText(), as: UTF8.self)) }
}
