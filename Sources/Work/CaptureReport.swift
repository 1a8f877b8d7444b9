package import JSONFormat

/// How saving a page ended, as the worker tells it.
package struct CaptureReport: Sendable, Equatable {
    /// The archive's status as it is stored, or that there is nothing new.
    package enum Status: String, Sendable {
        case full, partial, failed
        /// The server said that the page is still what was saved before; the folder is empty.
        case unchanged
    }

    package var status: Status
    /// `browser`, `fetch` or `user`.
    package var capturedBy: String?
    /// Why it is partial or failed, as the item keeps it.
    package var kind: CaptureReason?
    /// The same for a person who looks on now, as a sentence without a full stop. It may name files and hosts of this machine,
    /// and is never stored.
    package var reason: String?
    /// Whether the network was at fault, rather than the page.
    package var isNetworkFailure = false
    /// Where redirects led.
    package var finalURL: String?
    package var title: String?
    /// Names joined by ", ".
    package var author: String?
    package var site: String?
    package var language: String?
    package var summary: String?
    /// A calendar date or an instant, as FORMAT.md says of linkPublishedDate.
    package var publishedDate: String?
    /// A path below the folder.
    package var favicon: String?
    /// The answer was not a page but this file, a path below the folder.
    package var document: String?
    /// Words of the article.
    package var wordCount = 0
    /// Files in assets/ that the page needs, and references that could not be had.
    package var assetCount = 0
    package var missingCount = 0
    /// Whether what was saved is a login, a block or an error instead of the page.
    package var isWall: Bool { kind?.isWall ?? false }
    package var entityTag: String?
    package var lastModified: String?

    package init(_ status: Status) { self.status = status }

    package static func failed(
        _ kind: CaptureReason, _ reason: String, isNetworkFailure: Bool = false
    ) -> CaptureReport {
        var report = CaptureReport(.failed)
        report.kind = kind
        report.reason = reason
        report.isNetworkFailure = isNetworkFailure
        return report
    }

    package var json: JSON {
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

    /// - Returns: `nil` if the message is no report.
    package init?(_ message: Message) {
        guard let status = message.string("status").flatMap(Status.init) else { return nil }
        self.init(status)
        capturedBy = message.string("capturedBy")
        kind = message.string("kind").flatMap(CaptureReason.init(rawValue:))
        reason = message.string("reason")
        isNetworkFailure = message.bool("network")
        finalURL = message.string("finalURL")
        title = message.string("title")
        author = message.string("author")
        site = message.string("site")
        language = message.string("language")
        summary = message.string("summary")
        publishedDate = message.string("published")
        favicon = message.string("favicon")
        document = message.string("document")
        wordCount = message.integer("words") ?? 0
        assetCount = message.integer("assets") ?? 0
        missingCount = message.integer("missing") ?? 0
        entityTag = message.string("entityTag")
        lastModified = message.string("lastModified")
    }
}
