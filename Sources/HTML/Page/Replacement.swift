/// What stands in a rewritten page in place of a reference.
package enum Replacement: Equatable, Sendable {
    /// A file, by its path relative to the rewritten document, percent-encoded where a URL needs it; a fragment of the
    /// reference is kept.
    case file(String)
    /// The bytes themselves as a base64 `data:` URL. Types that a browser would run or render as a page (HTML, XML
    /// other than SVG, scripts) are taken as `missing`; SVG must have been rewritten by `SVGDocument`.
    case data(mimeType: String, [UInt8])
    /// For `sprite`: the SVG file that the reference names, as fetched. The element that the fragment names, and what it
    /// refers to, is written into the page, cleaned like the rest.
    case inlineSVG([UInt8])
    /// Nothing is fetched, and the alternative text shows.
    case missing
    /// The absolute URL stays, and is fetched when the page is opened. For `data:` URLs this keeps them as they are.
    case absolute
}
