internal import HTML
internal import URLs

/// A resource as it was had, wherever it came from: the network, a browser's memory, or a saved file.
struct LoadedResource {
    /// After redirects.
    let url: WebURL
    /// As it was sent, or `nil`.
    let contentType: String?
    let body: [UInt8]
    /// Whether it is text that a browser has decoded: UTF-8 whatever it says of itself.
    var isDecoded = false
}

/// Why a resource is missing from an archive.
enum LoadFailure: Error, Equatable {
    /// Nobody could have it: not found, an error page in its place, a host that is gone, an address that is refused.
    case unobtainable(String)
    /// It is there, but not within the bounds of one capture: too large, too many, out of time.
    case beyondLimits(String)

    var reason: String {
        switch self {
        case .unobtainable(let reason), .beyondLimits(let reason): reason
        }
    }
}

/// Gets the resources of one page; each URL is asked of it once.
protocol ResourceLoader: AnyObject {
    /// Whether a URL is one that it can get at all, by its scheme.
    func canLoad(_ url: WebURL) -> Bool

    /// Begins to get a resource; `done` is called once, at once or within `finish`.
    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void)

    /// Returns when everything that was begun is done, what was begun meanwhile included.
    func finish()
}

extension ResourceLoader {
    func canLoad(_ url: WebURL) -> Bool { url.isHTTP }
}
