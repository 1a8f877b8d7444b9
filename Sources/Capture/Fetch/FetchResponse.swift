package import URLs

/// A server's answer with any status: a 404 is an answer too.
package struct FetchResponse: Sendable {
    package struct Redirect: Sendable, Equatable {
        package let from: WebURL
        /// 301, 302, 303, 307 or 308.
        package let status: Int
        package let to: WebURL

        /// Whether the redirect is permanent (301, 308).
        package var isPermanent: Bool { status == 301 || status == 308 }
    }

    package let requestURL: WebURL
    /// The URL of the answer, after all redirects; with the fragment of the last redirect that had one, else of the
    /// request (RFC 9110, 10.2.2).
    package let finalURL: WebURL
    package let redirects: [Redirect]
    package let status: Int
    package let fields: HeaderFields
    /// The body, decompressed; at most the limit.
    package let body: [UInt8]
    /// Whether the body is incomplete.
    package let wasTruncated: Bool
    /// The address of the server, or of the proxy; empty if unknown.
    package let remoteAddress: String

    /// The field Content-Type, unchanged.
    package var contentType: String? { fields["content-type"] }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Validators for a later request, so that an unchanged resource is not sent again.
    package var validators: FetchRequest.Validators? {
        let tag = fields["etag"]
        let date = fields["last-modified"]
        return tag == nil && date == nil ? nil : .init(entityTag: tag, lastModified: date)
    }
}
