internal import HTML
internal import URLs
internal import WorkerProtocol

/// A page from any source, before it is written.
struct PageSource {
    /// UTF-8.
    var html: [UInt8]
    var context: PageContext
    /// Its original encoding, for style sheets that declare none.
    var encoding: CharacterEncoding
    var status: Int
    var frames: [RenderedFrame]
    /// `browser`, `fetch` or `user`.
    var capturedBy: String
    var finalURL: WebURL
    var entityTag: String?
    var lastModified: String?
    /// The number of dialogs that covered the page and are hidden in it.
    var coverCount = 0
    /// The wanted print and picture by their names; `nil` if they could not be made.
    var prints: [(name: String, bytes: [UInt8]?)] = []
    /// What broke off before the page ended: the answer, or the file that holds the page.
    var cut: CaptureDetail?
    /// Whether the document goes on after what is here.
    var isUnfinished = false

    /// The page without user name and password of a typed URL, which must not be written, not even in absolute links.
    var withoutCredentials: PageSource {
        var source = self
        source.finalURL = finalURL.withoutCredentials
        source.context.url = context.url.withoutCredentials
        return source
    }
}
