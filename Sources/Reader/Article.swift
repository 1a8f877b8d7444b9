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
    package let canonical: String?
    package let image: String?
    /// The base of the page's links, or `nil` if the address of the page is unknown.
    package let base: WebURL?
    /// `ltr`, `rtl` or `auto`, if the page declares it.
    package let direction: String?
    let content: Content

    /// 32 MiB. The rest of a longer page is not read. Parsing takes about three times as much memory at most.
    package static let byteLimit = 32 << 20

    /// - Parameters:
    ///   - page: the bytes of the page, in any encoding.
    ///   - contentType: the header of the response, for the encoding.
    ///   - url: the address of the page. May be empty or invalid.
    ///   - today: later dates are ignored.
    package init(page: [UInt8], contentType: String? = nil, url: String, today: CalendarDate) {
        let page = page.count > Self.byteLimit ? Array(page.prefix(Self.byteLimit)) : page
        let decoded = CharacterEncoding.ofPage(page, contentType: contentType).encoding.decode(page).utf8
        var tree = PageParser.parse(decoded)
        Permalinks.hide(in: &tree)
        let url = Self.withoutArchive(url)
        let hints = PageHints(tree).values
        let tags = MetaTags(tree)
        let data = StructuredData(tree)
        let address = WebURL(url)
        base = tags.base.flatMap { WebURL($0, base: address) } ?? address
        direction = tags.direction
        siteName =
            tags.first("og:site_name", "application-name", "al:android:app_name") ?? data.publisher ?? data.siteName
        language = tags.language ?? tags.first("og:locale", "content-language", "dc.language") ?? data.language
        title = TitleChoice(tree: tree, hints: hints, tags: tags, data: data, siteName: siteName).title()
        authors = AuthorChoice(
            tree: tree, hints: hints, tags: tags, data: data, siteName: siteName, host: Self.host(url)
        ).authors()
        let reading = DateReading(latest: today, monthFirst: Self.isMonthFirst(language, url))
        published =
            DateChoice(
                tree: tree, hints: hints, tags: tags, data: data, url: url, reading: reading, language: language,
                page: decoded
            ).published()?.text
        modified =
            (data.modified ?? tags.first("article:modified_time", "og:updated_time", "datemodified"))
            .flatMap { reading.first(in: $0.utf8) }?.text
        description =
            tags.first("og:description", "description", "dc.description", "twitter:description") ?? data.description
        canonical = tags.canonical ?? tags.first("og:url")
        image = tags.first("og:image", "og:image:url", "twitter:image", "twitter:image:src") ?? data.image
        content = ContentExtraction.content(of: tree, hints: hints, title: title)
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

    /// The archived address in the address of a web archive (`…/web/20110106023242/http://…`). Date and host come from
    /// it.
    private static func withoutArchive(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[3] == "web", parts[4].utf8.count >= 14,
            parts[4].utf8.prefix(14).allSatisfy(\.isDigit)
        else {
            return url
        }
        return String(parts[5])
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
