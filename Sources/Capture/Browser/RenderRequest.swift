/// Whether a connection may be made: the host as the page spells it (a name, or a literal address without brackets), the
/// port, and the `sockaddr` that the host was resolved to.
///
/// Asked at connect time, on other threads than the caller's, for everything that the browser opens.
package typealias ConnectionRule = @Sendable (_ host: String, _ port: Int, _ address: UnsafeRawBufferPointer) -> Bool

/// A page that is to be rendered.
package struct RenderRequest: Sendable {
    /// http or https.
    package var url: String
    package var cookies: [BrowserCookie] = []
    /// CSS pixels.
    package var viewportWidth = 1280
    package var viewportHeight = 800
    package var mayConnect: ConnectionRule
    package var limits = RenderLimits()
    /// When the page must be done. What is there shortly before is taken; after it the browser counts as hung.
    package var deadline: ContinuousClock.Instant
    /// The browser's own, without the word that gives away that it has no window, if `nil`.
    package var userAgent: String?

    package init(url: String, deadline: ContinuousClock.Instant, mayConnect: @escaping ConnectionRule) {
        self.url = url
        self.deadline = deadline
        self.mayConnect = mayConnect
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

/// A cookie that the person gave for this page.
package struct BrowserCookie: Sendable {
    package var name: String
    package var value: String
    /// Without a leading dot.
    package var domain: String
    /// Whether it goes to that host alone, not to those below it.
    package var isHostOnly: Bool
    package var path: String
    package var isSecure: Bool
    package var isHTTPOnly: Bool
    /// Seconds since 1970; `nil` for a session's.
    package var expires: Int?

    package init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        isSecure: Bool = false, isHTTPOnly: Bool = false, expires: Int? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires
    }
}
