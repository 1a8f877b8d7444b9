package import URLs

/// A request by GET or HEAD, or by POST with a content.
package struct FetchRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        /// Its answer is never that of another request, and no redirect is followed.
        case post = "POST"
    }

    /// The purpose of the answer, which decides the field Accept.
    package enum Purpose: String, Sendable {
        case document, styleSheet, image, font, media, track, other
    }

    /// Validators from an earlier capture for a conditional request, whose answer may then be 304.
    package struct Validators: Sendable, Equatable {
        package var entityTag: String?
        package var lastModified: String?

        package init(entityTag: String?, lastModified: String?) {
            self.entityTag = entityTag
            self.lastModified = lastModified
        }
    }

    /// What a POST sends.
    package struct Content: Sendable {
        package let bytes: [UInt8]
        /// All header fields beside those that HTTP needs, each `Name: value`.
        package let fields: [String]
        /// Tells requests with the same URL apart.
        package let number: Int

        package init(_ bytes: [UInt8], fields: [String], number: Int) {
            self.bytes = bytes
            self.fields = fields
            self.number = number
        }
    }

    package var url: WebURL
    package var purpose: Purpose
    package var method = Method.get
    /// Of a POST.
    package private(set) var content: Content?
    /// The document or style sheet that refers to it.
    package var referrer: WebURL?
    package var referrerPolicy = ReferrerPolicy.strictOriginWhenCrossOrigin
    package var validators: Validators?
    /// The most bytes of the body after decompression, besides the fetcher's own limit.
    package var byteLimit: Int?
    /// Whether a body that exceeds the limit or is cut off is an answer (`wasTruncated`) and no failure.
    package var acceptsTruncated = false
    /// The field Range, such as `bytes=0-1023`.
    package var range: String?
    /// The time for one attempt; `nil` for the fetcher's own limit.
    package var timeout: Duration?

    package init(_ url: WebURL, for purpose: Purpose, referrer: WebURL? = nil) {
        self.url = url
        self.purpose = purpose
        self.referrer = referrer
    }

    /// A POST.
    package init(_ url: WebURL, posting content: Content) {
        self.init(url, for: .other)
        method = .post
        self.content = content
    }
}
