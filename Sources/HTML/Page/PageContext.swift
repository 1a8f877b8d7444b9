package import URLs

/// What reading the references of a document and rewriting it needs to know.
package struct PageContext: Sendable {
    package enum Syntax: Sendable {
        case html
        /// `application/xhtml+xml` and other XML that is shown as a page. It is rewritten to HTML.
        case xhtml
    }

    /// The URL that the bytes came from, after redirects.
    package var url: WebURL
    package var syntax: Syntax
    /// Whether the markup comes from a browser after the scripts of the page ran. Then `noscript` is dropped. Otherwise
    /// its content becomes part of the page, as for a reader without scripts.
    package var hasRunScripts: Bool
    /// Whether `data-src`, `data-srcset` and similar attributes replace an absent `src` or a placeholder: for pages
    /// whose scripts never ran.
    package var resolvesLazyImages: Bool

    /// The attributes whose spelling is kept, because sheets of the page select by it.
    package var spellings: KeptSpellings = []

    /// What the rewritten page says about its own capture, as `meta` elements in its head.
    package var marks: [Mark] = []

    /// `<meta name="NAME" content="CONTENT">`.
    package struct Mark: Sendable, Equatable {
        package var name: String
        package var content: String

        package init(_ name: String, _ content: String) {
            self.name = name
            self.content = content
        }
    }

    package init(
        url: WebURL, syntax: Syntax = .html, hasRunScripts: Bool = false, resolvesLazyImages: Bool? = nil
    ) {
        self.url = url
        self.syntax = syntax
        self.hasRunScripts = hasRunScripts
        self.resolvesLazyImages = resolvesLazyImages ?? !hasRunScripts
    }
}
