internal import HTML
internal import URLs

/// A page that was had, whatever it came from, before it is written.
struct PageSource {
    /// UTF-8.
    var html: [UInt8]
    var context: PageContext
    /// What it was encoded in, for style sheets that do not say.
    var encoding: CharacterEncoding
    var status: Int
    var frames: [RenderedFrame]
    /// `browser`, `fetch` or `user`.
    var capturedBy: String
    var finalURL: WebURL
    var entityTag: String?
    var lastModified: String?

    /// User name and password of a typed URL stay out of what is written: of the links that are made absolute, too.
    var withoutCredentials: PageSource {
        var source = self
        source.finalURL = finalURL.withoutCredentials
        source.context.url = context.url.withoutCredentials
        return source
    }
}
