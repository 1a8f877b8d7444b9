internal import URLs
internal import WorkerProtocol

/// Returns the resources that a browser loaded while rendering, and fetches only others from the network.
final class RenderedLoader: ResourceLoader {
    private let resources: [String: RenderedResource]
    private let rest: any ResourceLoader

    init(_ resources: [String: RenderedResource], rest: any ResourceLoader) {
        self.resources = resources
        self.rest = rest
    }

    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void
    ) {
        guard let resource = resources[url.withoutFragment.href] else {
            // Sheets made by scripts have no address. If the browser did not return them, they are lost.
            if url.hostText.hasSuffix(".sbfs.invalid") {
                return done(.failure(.unobtainable))
            }
            return rest.load(url, for: purpose, from: referrer, done)
        }
        let final = WebURL(resource.finalURL) ?? url
        func loaded(_ body: [UInt8], isDecoded: Bool) {
            guard resource.status == 0 || (200..<300).contains(resource.status) else {
                return done(.failure(.unobtainable))
            }
            done(
                .success(
                    LoadedResource(url: final, contentType: resource.contentType, body: body, isDecoded: isDecoded)))
        }
        switch resource.body {
        case .bytes(let bytes): loaded(bytes, isDecoded: false)
        case .text(let bytes): loaded(bytes, isDecoded: true)
        case .missing(.refused), .missing(.failed): done(.failure(.unobtainable))
        case .missing(.tooLarge): done(.failure(.beyondLimits(CaptureDetail(.aboveByteLimit))))
        // Incomplete or dropped: only another request can load it.
        case .missing(.unfinished): done(.failure(.beyondLimits(CaptureDetail(.stillLoading))))
        case .missing(.dropped): rest.load(url, for: purpose, from: referrer, done)
        }
    }

    func finish() { rest.finish() }
}
