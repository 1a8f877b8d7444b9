public import JSONFormat

/// The worker's report about saving a page.
public struct CaptureReport: WireValue, Hashable {
    /// The archive's status as stored, or that there is nothing new.
    public enum Status: String, Sendable {
        case full, partial, failed
        /// The server said that the page is unchanged since the last capture; the folder is empty.
        case unchanged
    }

    /// How the capture ended.
    public var status: Status
    /// `browser`, `fetch` or `user`.
    public var capturedBy: String?
    /// Why it is partial or failed, as the item records it.
    public var kind: CaptureReason?
    /// What the worker knows about the reason; `nil` if it is full.
    public var diagnostic: CaptureDetail?
    /// Whether the network failed, and not the page.
    public var isNetworkFailure = false
    /// The URL after redirects; `nil` if there is none.
    public var finalURL: String?
    /// The page's title; `nil` if it has none.
    public var title: String?
    /// The authors' names, joined by ", "; `nil` if there are none.
    public var author: String?
    /// The name of the site; `nil` if the page does not say.
    public var site: String?
    /// The language that the page declares; `nil` if it declares none.
    public var language: String?
    /// The page's own summary; `nil` if it has none.
    public var summary: String?
    /// A calendar date or an instant, as FORMAT.md describes for linkPublishedDate.
    public var publishedDate: String?
    /// The address that the page declares as its own (`rel=canonical`), http or https; `nil` if it declares none.
    public var canonicalURL: String?
    /// The icon's path relative to the folder; `nil` for none.
    public var favicon: String?
    /// The path, relative to the folder, of a file that the server sent instead of a page; `nil` for a page.
    public var document: String?
    /// The names of the print and the picture that were wanted and could not be made.
    public var lostPrints: [String] = []
    /// The number of words in the article.
    public var wordCount = 0
    /// The number of files in assets/ that the page needs.
    public var assetCount = 0
    /// The number of references of the page whose files could not be loaded.
    public var missingCount = 0
    /// The number of dialogs that covered the page and are hidden in it.
    public var coverCount = 0
    /// Whether a login, a block or an error was saved instead of the page.
    package var isWall: Bool { kind?.isWall ?? false }
    /// The server's `ETag`, for the next capture; `nil` if it sent none.
    package var entityTag: String?
    /// The server's `Last-Modified`, for the next capture; `nil` if it sent none.
    package var lastModified: String?

    /// Makes a report with only a status.
    package init(_ status: Status) { self.status = status }

    /// A report of a page that could not be saved.
    package static func failed(
        _ kind: CaptureReason, _ diagnostic: CaptureDetail
    ) -> CaptureReport {
        var report = CaptureReport(.failed)
        report.kind = kind
        report.diagnostic = diagnostic
        return report
    }

    /// The report on the wire, without `nil` values. `reason` is the detail as a sentence, for a person who reads the JSON.
    public var json: JSON {
        .members([
            ("status", .string(status.rawValue)), ("capturedBy", capturedBy.map(JSON.string)),
            ("kind", kind.map { .string($0.rawValue) }), ("detail", (diagnostic?.wire).map(JSON.strings)),
            ("reason", (diagnostic?.description).map(JSON.string)),
            ("network", isNetworkFailure ? .bool(true) : nil),
            ("finalURL", finalURL.map(JSON.string)), ("title", title.map(JSON.string)),
            ("author", author.map(JSON.string)), ("site", site.map(JSON.string)),
            ("language", language.map(JSON.string)), ("summary", summary.map(JSON.string)),
            ("published", publishedDate.map(JSON.string)),
            ("canonicalURL", canonicalURL.map(JSON.string)), ("favicon", favicon.map(JSON.string)),
            ("document", document.map(JSON.string)), ("words", .integer(wordCount)), ("assets", .integer(assetCount)),
            ("missing", .integer(missingCount)), ("covers", coverCount > 0 ? .integer(coverCount) : nil),
            ("wall", isWall ? .bool(true) : nil),
            ("lostPrints", lostPrints.isEmpty ? nil : .strings(lostPrints)),
            ("entityTag", entityTag.map(JSON.string)), ("lastModified", lastModified.map(JSON.string)),
        ])
    }

    package init(_ fields: WireFields) throws(WireFault) {
        status = try fields.word("status")
        capturedBy = try fields.optionalString("capturedBy")
        kind = try fields.reason("kind")
        diagnostic = try fields.detail("detail")
        isNetworkFailure = try fields.flag("network")
        finalURL = try fields.optionalString("finalURL")
        title = try fields.optionalString("title")
        author = try fields.optionalString("author")
        site = try fields.optionalString("site")
        language = try fields.optionalString("language")
        summary = try fields.optionalString("summary")
        publishedDate = try fields.optionalString("published")
        canonicalURL = try fields.optionalString("canonicalURL")
        favicon = try fields.optionalString("favicon")
        document = try fields.optionalString("document")
        wordCount = try fields.optionalInteger("words") ?? 0
        assetCount = try fields.optionalInteger("assets") ?? 0
        missingCount = try fields.optionalInteger("missing") ?? 0
        coverCount = try fields.optionalInteger("covers") ?? 0
        lostPrints = try fields.optionalStrings("lostPrints") ?? []
        entityTag = try fields.optionalString("entityTag")
        lastModified = try fields.optionalString("lastModified")
    }
}
