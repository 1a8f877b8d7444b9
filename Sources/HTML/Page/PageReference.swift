package import URLs

/// One place in a page, a style sheet or an SVG document from which a browser would fetch something to show it.
///
/// Links that are only followed by hand (`a`, `area`, forms, citations) are no references: rewriting makes them
/// absolute by itself.
package struct PageReference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `img`, `srcset`, `picture`, `input type=image`, SVG `image` and `feImage`, `background`, CSS images.
        case image
        case poster
        /// `link rel=icon`, `apple-touch-icon`, `mask-icon` and the like; `icon` tells which.
        case icon
        /// `og:image`, `twitter:image`, `msapplication-TileImage`: nothing that a reader sees.
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
        /// `object data`, `embed src`: only what is an image, a PDF or a frame document that was itself rewritten may
        /// be given for it.
        case object
        /// SVG `use` of a fragment of another file, which browsers refuse in `file:` pages: give `.inlineSVG`.
        case sprite
        /// An image that browsers refuse from another `file:` (CSS masks, `shape-outside`, and custom properties,
        /// which are mostly used for masks): give `.data`.
        case mask
    }

    /// What a `link` says of its icon.
    package struct Icon: Hashable, Sendable {
        /// The `rel` in lower case, white space joined: `shortcut icon`, `apple-touch-icon`.
        package var relation: String
        /// As spelled, for example `32x32 64x64`; empty if absent.
        package var sizes: String
        package var type: String
        package var media: String
    }

    package var kind: Kind
    /// Absolute, resolved against the first `base` or the document's URL, or the sheet's own URL; with its fragment.
    /// It may have any scheme: `data:`, `blob:` and unknown ones are references too, scripts are not.
    package var url: WebURL
    /// Where in the source's bytes the tag, or in a sheet the URL, begins. In an inner document (`srcdoc`) and in a
    /// sheet inside of a page: where its element begins.
    package var offset: Int
    /// The number in `data-sbfs-frame`, under which the browser's rendering of this frame was handed over. Its `url`
    /// may be `about:blank` or `about:srcdoc` then.
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
