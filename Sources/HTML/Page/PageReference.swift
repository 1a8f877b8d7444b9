package import URLs

/// One place in a page, a style sheet or an SVG document from which a browser would fetch something to show it.
///
/// Links that a person follows (`a`, `area`, forms, citations) are not references. Rewriting makes them absolute.
package struct PageReference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `img`, `srcset`, `picture`, `input type=image`, SVG `image` and `feImage`, `background`, CSS images.
        case image
        case poster
        /// `link rel=icon`, `apple-touch-icon`, `mask-icon` and similar. `icon` has the details.
        case icon
        /// `og:image`, `twitter:image`, `msapplication-TileImage`: pictures that the page does not show.
        case metaImage
        /// `link rel=stylesheet`.
        case styleSheet
        /// `@import` in a sheet.
        case importedStyleSheet
        /// `@font-face src`.
        case font
        /// `video`, `audio` and their `source`.
        case media
        case track
        /// `iframe` and `frame`. `frameNumber` is set where a browser has rendered the frame.
        case frame
        /// `object data`, `embed src`. Its replacement must be an image, a PDF or a rewritten frame document.
        case object
        /// SVG `use` of a fragment of another file, which browsers refuse in `file:` pages: give `.inlineSVG`.
        case sprite
        /// An image that browsers refuse from another `file:` (CSS masks, `shape-outside`, and custom properties,
        /// which are mostly used for masks): give `.data`.
        case mask
    }

    /// What a `link` says about its icon.
    package struct Icon: Hashable, Sendable {
        /// The `rel` in lower case, white space joined: `shortcut icon`, `apple-touch-icon`.
        package var relation: String
        /// As spelled, for example `32x32 64x64`; empty if absent.
        package var sizes: String
        package var type: String
        package var media: String
    }

    package var kind: Kind
    /// Absolute, with its fragment: resolved against the first `base`, the document's URL or the sheet's own URL. It
    /// may have any scheme but that of a script: `data:`, `blob:` and unknown schemes are references too.
    package var url: WebURL
    /// The offset in the source where the tag begins, or in a sheet the URL. In an inner document (`srcdoc`) and in a
    /// sheet inside a page: the offset where its element begins.
    package var offset: Int
    /// The number in `data-sbfs-frame`, which identifies the browser's rendering of this frame. Then `url` may be
    /// `about:blank` or `about:srcdoc`.
    package var frameNumber: Int?
    package var icon: Icon?

    package init(kind: Kind, url: WebURL, offset: Int, frameNumber: Int? = nil, icon: Icon? = nil) {
        self.kind = kind
        self.url = url
        self.offset = offset
        self.frameNumber = frameNumber
        self.icon = icon
    }
}
