package import URLs

/// A page to render.
package struct RenderRequest: Sendable {
    /// http or https.
    package var url: WebURL
    /// Those that the person gave; each goes only where its domain, path and `Secure` let it.
    package var cookies: [Cookie] = []
    /// CSS pixels.
    package var viewportWidth = 1280
    package var viewportHeight = 800
    /// Asked for every connection that the browser makes while it renders.
    package var addressRule: AddressRule
    package var limits = RenderLimits()
    /// When the page must be done. What is there shortly before is taken; after it the browser counts as hung.
    package var deadline: ContinuousClock.Instant
    /// The browser's own, without the word that gives away that it has no window, if `nil`.
    package var userAgent: String?

    package init(url: WebURL, addressRule: AddressRule, deadline: ContinuousClock.Instant) {
        self.url = url
        self.addressRule = addressRule
        self.deadline = deadline
    }
}

/// What one page may cost.
package struct RenderLimits: Sendable {
    /// Of one response after decompression, and of one blob or canvas.
    package var bodyBytes = 32 << 20
    /// Of all bodies that are kept.
    package var totalBytes = 128 << 20
    /// Of the rendered documents together.
    package var documentBytes = 64 << 20
    package var requests = 3000
    package var frames = 64
    /// A step is as high as the viewport.
    package var scrollSteps = 60
    /// How long the load event is waited for; a page with an endless image never has one.
    package var loadPatience = Duration.seconds(15)
    /// How long a page may stay busy after its load event.
    package var quietPatience = Duration.seconds(5)
    package var scrollPatience = Duration.seconds(8)

    package init() {}
}
