internal import Characters
import Characters
internal import HTML
internal import URLs

/// A page as it was parsed: its tree, and what its head says.
struct PageReading {
    /// The page in UTF-8.
    let decoded: [UInt8]
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    /// The address of the page, without that of a web archive around it.
    let url: String
    /// The base of the page's links, or `nil` if the address of the page is unknown.
    let base: WebURL?
    let siteName: String?

    init(page: [UInt8], contentType: String?, url: String) {
        let page = page.count > Article.byteLimit ? Array(page.prefix(Article.byteLimit)) : page
        decoded = CharacterEncoding.ofPage(page, contentType: contentType).encoding.decode(page).utf8
        var tree = PageParser.parse(decoded)
        SlottedContent.place(in: &tree)
        Permalinks.hide(in: &tree)
        Drawings.choose(in: &tree)
        self.tree = tree
        self.url = Self.withoutArchive(url)
        hints = PageHints(tree).values
        tags = MetaTags(tree)
        data = StructuredData(tree)
        let address = WebURL(self.url)
        base = tags.base.flatMap { WebURL($0, base: address) } ?? address
        siteName =
            tags.first("og:site_name", "application-name", "al:android:app_name") ?? data.publisher ?? data.siteName
    }

    /// The archived address in the address of a web archive (`…/web/20110106023242/http://…`). Date and host come from
    /// it.
    static func withoutArchive(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[3] == "web", parts[4].utf8.count >= 14,
            parts[4].utf8.prefix(14).allSatisfy(\.isDigit)
        else {
            return url
        }
        return String(parts[5])
    }
}
