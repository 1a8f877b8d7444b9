internal import URLs
internal import WorkerProtocol

/// Loads resources from the network.
final class FetchLoader: ResourceLoader {
    private let fetcher: any Fetching
    private let deadline: ContinuousClock.Instant

    init(_ fetcher: any Fetching, deadline: ContinuousClock.Instant) {
        self.fetcher = fetcher
        self.deadline = deadline
    }

    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void
    ) {
        fetcher.submit(FetchRequest(url, for: purpose, referrer: referrer)) { result in
            switch result {
            case .success(let response): done(Self.resource(response))
            case .failure(let failure): done(.failure(Self.failure(failure)))
            }
        }
    }

    func finish() { fetcher.run(until: deadline) }

    private static func resource(_ response: FetchResponse) -> Result<LoadedResource, LoadFailure> {
        guard response.isSuccess else {
            // An overloaded server may have it tomorrow.
            let isPassing = response.status == 429 || response.status >= 500
            return .failure(
                isPassing ? .beyondLimits(CaptureDetail(.assetStatus, String(response.status))) : .unobtainable)
        }
        return .success(
            LoadedResource(url: response.finalURL, contentType: response.contentType, body: response.body))
    }

    private static func failure(_ failure: FetchFailure) -> LoadFailure {
        switch failure {
        case .tooLarge, .timeout, .nameLookup, .incomplete, .local: .beyondLimits(CaptureDetail(failure))
        default: .unobtainable
        }
    }
}
