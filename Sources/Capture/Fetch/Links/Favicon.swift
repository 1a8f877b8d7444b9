internal import HTML
package import URLs

/// The fetched icon of a page: its bytes are an image.
package struct Favicon: Sendable, Equatable {
    package let url: WebURL
    package let bytes: [UInt8]
    /// The type of the bytes, such as `image/png`.
    package let type: String

    static let byteLimit = 1 << 20

    /// The answer as an icon; `nil` if it is no image.
    init?(_ response: FetchResponse) {
        guard response.isSuccess, !response.wasTruncated, !response.body.isEmpty else { return nil }
        // The server's type is ignored: error pages are sent as image/x-icon too.
        let type = ContentSniffing.type(of: response.body, said: nil, for: .image)
        guard type.hasPrefix("image/") else { return nil }
        url = response.finalURL
        bytes = response.body
        self.type = type
    }

    /// Requests the icons one after the other until one is an image. The completion is called once, with `nil` if
    /// none is.
    ///
    /// - Parameter candidates: in the order of `FaviconChoice.order`.
    package static func fetch(
        _ candidates: [WebURL], page: WebURL, with fetcher: any Fetching, _ completion: @escaping (Favicon?) -> Void
    ) {
        guard let url = candidates.first else { return completion(nil) }
        var request = FetchRequest(url, for: .image, referrer: page)
        request.byteLimit = byteLimit
        fetcher.submit(request) { [unowned fetcher] result in
            if let response = try? result.get(), let icon = Favicon(response) { return completion(icon) }
            fetch(Array(candidates.dropFirst()), page: page, with: fetcher, completion)
        }
    }
}
