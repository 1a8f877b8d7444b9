package import URLs

/// A page to render.
package struct RenderRequest: Sendable {
    /// http or https.
    package var url: WebURL
    /// The person's cookies; each is sent only where its domain, path and `Secure` allow.
    package var cookies: [Cookie] = []
    /// The width in CSS pixels.
    package var viewportWidth = 1280
    package var viewportHeight = 800
    /// Whether dialogs that cover the page stay, with the scroll lock that comes with them.
    package var keepsCovers = false
    /// Whether the page is printed, and whether a picture of it is taken.
    package var wantsPrint = false
    package var wantsPicture = false
    /// Asked about every connection that the browser makes while it renders.
    package var addressRule: AddressRule
    package var limits = RenderLimits()
    /// When rendering must be complete. The page is taken shortly before; after the deadline the browser counts as
    /// hung.
    package var deadline: ContinuousClock.Instant
    /// `nil` for the browser's own, without the word that reveals that it is headless.
    package var userAgent: String?

    package init(url: WebURL, addressRule: AddressRule, deadline: ContinuousClock.Instant) {
        self.url = url
        self.addressRule = addressRule
        self.deadline = deadline
    }
}

/// Limits for rendering one page.
package struct RenderLimits: Sendable {
    /// Bytes of one response after decompression, and of one blob or canvas.
    package var bodyBytes = 32 << 20
    /// Bytes of all kept bodies.
    package var totalBytes = 128 << 20
    /// Bytes of all rendered documents together.
    package var documentBytes = 64 << 20
    package var requests = 3000
    package var frames = 64
    /// Requests of more workers than this are not observed.
    package var workers = 64
    /// A step is as high as the viewport.
    package var scrollSteps = 60
    /// The longest wait for the load event; a page with an endless image never has one.
    package var loadPatience = Duration.seconds(15)
    /// How long a page may stay busy after its load event.
    package var quietPatience = Duration.seconds(5)
    /// How long a quiet page is waited for that only says that it is loading.
    package var textPatience = Duration.seconds(6)
    /// How long a quiet page with scripts is waited for that has next to no text.
    package var scantPatience = Duration.seconds(3)
    package var scrollPatience = Duration.seconds(8)
    /// The height of a picture in CSS pixels; a longer page is cut there.
    package var pictureHeight = 16_384

    package init() {}
}
