internal import HTML
internal import URLs

/// Loads only the contents of an archive of another program.
final class TableLoader: ResourceLoader {
    private var resources: [String: SavedResource] = [:]

    /// Of several resources with one URL, the first counts.
    init(_ list: [SavedResource]) {
        for resource in list {
            guard let url = WebURL(resource.url) else { continue }
            let key = url.withoutFragment.href
            if resources[key] == nil { resources[key] = resource }
        }
    }

    func canLoad(_ url: WebURL) -> Bool { true }

    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void
    ) {
        guard let resource = resources[url.withoutFragment.href] else {
            return done(.failure(.unobtainable))
        }
        done(.success(LoadedResource(url: url, contentType: resource.contentType, body: resource.body)))
    }

    func finish() {}
}
