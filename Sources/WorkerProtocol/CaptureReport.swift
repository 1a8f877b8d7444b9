public import JSONFormat

/// How saving a page ended, as the worker tells it.
public struct CaptureReport: WireValue, Hashable {
    /// The archive's status as it is stored, or that there is nothing new.
    public enum Status: String, Sendable {
        case full, partial, failed
        /// The server said that the page is still what was saved before; the folder is empty.
        case unchanged
    }

    /// How the capture ended.
    public var status: Status
    /// `browser`, `fetch` or `user`.
    public var capturedBy: String?
    /// Why it is partial or failed, as the item keeps it.
    public var kind: CaptureReason?
    /// The same for a person who looks on now, as a sentence without a full stop. It may name files and hosts of this machine,
    /// and is never stored.
    public var reason: String?
    /// Whether the network was at fault, rather than the page.
    public var isNetworkFailure = false
    /// Where redirects led.
    public var finalURL: String?
    /// The page's title; `nil` where it says none.
    public var title: String?
    /// Names joined by ", ".
    public var author: String?
    /// The name of the site; `nil` where the page says none.
    public var site: String?
    /// The language that the page says it has; `nil` where it says none.
    public var language: String?
    /// What the page says of itself in a few words; `nil` where it says nothing.
    public var summary: String?
    /// A calendar date or an instant, as FORMAT.md says of linkPublishedDate.
    public var publishedDate: String?
    /// A path below the folder.
    public var favicon: String?
    /// The answer was not a page but this file, a path below the folder.
    public var document: String?
    /// Words of the article.
    public var wordCount = 0
    /// Files in assets/ that the page needs, and references that could not be had.
    public var assetCount = 0
    /// References of the page whose files could not be obtained.
    public var missingCount = 0
    /// Whether what was saved is a login, a block or an error instead of the page.
    public var isWall: Bool { kind?.isWall ?? false }
    /// The server's `ETag`, to be sent with the next capture; `nil` where it sent none.
    public var entityTag: String?
    /// The server's `Last-Modified`, to be sent with the next capture; `nil` where it sent none.
    public var lastModified: String?

    /// Makes a report that says nothing but how the capture ended.
    public init(_ status: Status) { self.status = status }

    /// A report of a page that could not be saved.
    public static func failed(
        _ kind: CaptureReason, _ reason: String, isNetworkFailure: Bool = false
    ) -> CaptureReport {
        var report = CaptureReport(.failed)
        report.kind = kind
        report.reason = reason
        report.isNetworkFailure = isNetworkFailure
        return report
    }

    /// The report on the wire; what is `nil` is left out.
    public var json: JSON {
        .members([
            ("status", .string(status.rawValue)), ("capturedBy", capturedBy.map(JSON.string)),
            ("kind", kind.map { .string($0.rawValue) }), ("reason", reason.map(JSON.string)),
            ("network", isNetworkFailure ? .bool(true) : nil),
            ("finalURL", finalURL.map(JSON.string)), ("title", title.map(JSON.string)),
            ("author", author.map(JSON.string)), ("site", site.map(JSON.string)),
            ("language", language.map(JSON.string)), ("summary", summary.map(JSON.string)),
            ("published", publishedDate.map(JSON.string)), ("favicon", favicon.map(JSON.string)),
            ("document", document.map(JSON.string)), ("words", .integer(wordCount)), ("assets", .integer(assetCount)),
            ("missing", .integer(missingCount)), ("wall", isWall ? .bool(true) : nil),
            ("entityTag", entityTag.map(JSON.string)), ("lastModified", lastModified.map(JSON.string)),
        ])
    }

    package init(_ fields: WireFields) throws(WireFault) {
        status = try fields.word("status")
        capturedBy = try fields.optionalString("capturedBy")
        kind = try fields.reason("kind")
        reason = try fields.optionalString("reason")
        isNetworkFailure = try fields.flag("network")
        finalURL = try fields.optionalString("finalURL")
        title = try fields.optionalString("title")
        author = try fields.optionalString("author")
        site = try fields.optionalString("site")
        language = try fields.optionalString("language")
        summary = try fields.optionalString("summary")
        publishedDate = try fields.optionalString("published")
        favicon = try fields.optionalString("favicon")
        document = try fields.optionalString("document")
        wordCount = try fields.optionalInteger("words") ?? 0
        assetCount = try fields.optionalInteger("assets") ?? 0
        missingCount = try fields.optionalInteger("missing") ?? 0
        entityTag = try fields.optionalString("entityTag")
        lastModified = try fields.optionalString("lastModified")
    }
}
