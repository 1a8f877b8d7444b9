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
}
