/// What replaces a reference in a rewritten page.
package enum Replacement: Equatable, Sendable {
    /// A file, by its path relative to the rewritten document, percent-encoded where a URL needs it. The fragment of
    /// the reference is kept.
    case file(String)
    /// The bytes as a base64 `data:` URL. Types that a browser would run or render as a page (HTML, XML other than SVG,
    /// scripts) count as `missing`. SVG must be rewritten by `SVGDocument` first.
    case data(mimeType: String, [UInt8])
    /// For `sprite`: the SVG file as fetched. The element that the fragment names, and the elements that it refers to,
    /// are cleaned and written into the page.
    case inlineSVG([UInt8])
    /// Nothing is fetched, and the alternative text shows.
    case missing
    /// The absolute URL stays, and is fetched when the page is opened. For `data:` URLs this keeps them as they are.
    case absolute
}
