internal import Glibc
package import URLs

/// The base of the relative URLs of a page.
package enum BaseElement {
    /// - Parameter page: UTF-8.
    package static func url(in page: [UInt8], isXML: Bool, fallback: WebURL) -> WebURL {
        page.withUnsafeBufferPointer { url(in: $0, isXML: isXML, fallback: fallback) }
    }

    /// The first `base` with an `href` counts (HTML Standard, section 4.2.3), unless it is a `data:` URL or a script.
    static func url(in page: UnsafeBufferPointer<UInt8>, isXML: Bool, fallback: WebURL) -> WebURL {
        guard mayHaveBase(page) else { return fallback }
        var tokens = HTMLTokenizer(page, isXML: isXML)
        while tokens.next() {
            guard tokens.kind == .startTag, tokens.element == .base, !tokens.isInForeignContent else { continue }
            guard let value = tokens.value(of: .href) else { continue }
            guard let url = WebURL(utf8: URLScheme.trimmed(value), base: fallback), url.isHTTP else { return fallback }
            return url
        }
        return fallback
    }

    private static func mayHaveBase(_ page: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = page.baseAddress else { return false }
        var place = 0
        while place < page.count, let found = memchr(base + place, 0x3C, page.count - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
            if page.matches("base", at: place) || page.matches(":base", at: place) { return true }
        }
        return false
    }
}
