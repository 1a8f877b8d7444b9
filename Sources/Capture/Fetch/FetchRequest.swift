package import URLs

/// One thing to be fetched by GET or HEAD.
package struct FetchRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    /// What the answer is wanted for: decides the field Accept.
    package enum Purpose: String, Sendable {
        case document, styleSheet, image, font, media, track, other
    }

    /// What a former capture knows of the resource, for a conditional request; its answer may then be 304.
    package struct Validators: Sendable, Equatable {
        package var entityTag: String?
        package var lastModified: String?

        package init(entityTag: String?, lastModified: String?) {
            self.entityTag = entityTag
            self.lastModified = lastModified
        }
    }

    package var url: WebURL
    package var purpose: Purpose
    package var method = Method.get
    /// The document or style sheet that refers to it.
    package var referrer: WebURL?
    package var referrerPolicy = ReferrerPolicy.strictOriginWhenCrossOrigin
    package var validators: Validators?
    /// The most bytes of the body, after decompression; the fetcher's own limit holds besides.
    package var byteLimit: Int?
    /// Whether the beginning of a body that is above the limit or breaks off is an answer (`wasTruncated`), not a failure.
    package var acceptsTruncated = false
    /// The field Range, such as `bytes=0-1023`.
    package var range: String?
    /// How long one try may take; the fetcher's own limit if `nil`.
    package var timeout: Duration?

    package init(_ url: WebURL, for purpose: Purpose, referrer: WebURL? = nil) {
        self.url = url
        self.purpose = purpose
        self.referrer = referrer
    }
}
