internal import Files
internal import HTML
internal import URLs
package import WorkerProtocol

/// Saves only a site's icon, as `capture` does for a page.
package enum FaviconCapture {
    /// - Returns: the icon's path relative to the order's folder; `nil` if the site has none.
    package static func run(_ order: FaviconOrder, _ means: some CaptureMeans) throws -> String? {
        guard let url = WebURL(order.url), url.isHTTP else {
            throw CaptureFailure(.brokenAnswer, CaptureDetail(.iconNotHTTP, order.url))
        }
        let folder = try AssetFolder(in: order.folder)
        let fetcher = try means.fetcher(FetchTarget(order))
        let deadline = ContinuousClock.now + .seconds(max(1, min(order.seconds, 3600)))
        var page: Result<FetchResponse, FetchFailure>?
        fetcher.submit(FetchRequest(url, for: .document)) { page = $0 }
        fetcher.run(until: deadline)
        var candidates: [FaviconChoice.Candidate] = []
        var final = url
        switch page {
        case .success(let response):
            final = response.finalURL
            let (encoding, _) = CharacterEncoding.ofPage(response.body, contentType: response.contentType)
            let html = encoding.decode(response.body).utf8
            candidates = PageRewriting.references(of: html, PageContext(url: final)).references
                .compactMap(FaviconChoice.Candidate.init)
        case .failure(let failure):
            // The site of a page that is too large may still have an icon.
            if case .tooLarge = failure {} else { throw CaptureFailure(failure) }
        case nil: break
        }
        var found: Favicon?
        Favicon.fetch(FaviconChoice.order(candidates, page: final), page: final, with: fetcher) { found = $0 }
        fetcher.run(until: deadline)
        return try found.map { icon in
            "assets/" + (try folder.add(icon.bytes, fileExtension: FileExtension.of(type: icon.type)))
        }
    }
}

extension FaviconChoice.Candidate {
    /// - Returns: `nil` for a reference that is no icon.
    init?(_ reference: PageReference) {
        guard reference.kind == .icon, let icon = reference.icon else { return nil }
        self.init(
            url: reference.url, relation: icon.relation, type: icon.type.isEmpty ? nil : icon.type,
            sizes: icon.sizes.isEmpty ? nil : icon.sizes, media: icon.media.isEmpty ? nil : icon.media)
    }
}
