internal import HTML
internal import URLs
internal import WorkerProtocol

/// A loaded resource from any source: the network, a browser's memory, or a saved file.
struct LoadedResource {
    /// The URL after redirects.
    let url: WebURL
    /// The declared type, unchanged; `nil` if there is none.
    let contentType: String?
    let body: [UInt8]
    /// Whether it is text that a browser has decoded: UTF-8, whatever it declares.
    var isDecoded = false
}

/// Why a resource is missing from an archive.
enum LoadFailure: Error, Equatable {
    /// Nobody can load it: not found, replaced by an error page, on a host that is gone, or at a refused address.
    case unobtainable
    /// It exists, but exceeds a limit of one capture: too large, too many, out of time.
    case beyondLimits(CaptureDetail)
}

/// Loads the resources of one page; each URL is requested once.
protocol ResourceLoader: AnyObject {
    /// Whether its scheme allows loading the URL.
    func canLoad(_ url: WebURL) -> Bool

    /// Begins to load a resource; `done` is called once, immediately or within `finish`.
    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void)

    /// Returns when all loading is done, including loads begun meanwhile.
    func finish()
}

extension ResourceLoader {
    func canLoad(_ url: WebURL) -> Bool { url.isHTTP }
}
