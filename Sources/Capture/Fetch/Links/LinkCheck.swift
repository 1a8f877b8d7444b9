internal import Time
package import URLs

/// Checks whether many links still lead somewhere: by HEAD, and by GET if the server does not support HEAD.
///
/// One request at a time to each origin, with a pause between; at most 16 in total. A GET ends after its header.
/// Links that differ only in their fragment share a request if they are checked at the same time.
package final class LinkCheck {
    package struct Options: Sendable {
        /// The time for one request, without redirects.
        package var timeout = Duration.seconds(10)
        package var concurrency = 16
        /// The pause between two requests to one origin.
        package var pause = Duration.milliseconds(500)

        package init() {}
    }

    private let fetcher: Fetcher

    /// - Parameters:
    ///   - rule: none of the links is typed now, so usually only public addresses are allowed.
    ///   - proxies: usually those of the process's environment.
    package init(
        rule: AddressRule, options: Options = Options(), proxies: ProxySettings = .ofProcess()
    ) throws(FetchFailure) {
        var limits = FetchLimits()
        limits.concurrency = options.concurrency
        limits.hostConcurrency = 1
        limits.hostPause = options.pause
        limits.connectTimeout = options.timeout
        limits.requestTimeout = options.timeout
        // A busy server gives no verdict; the next check asks again.
        limits.attempts = 2
        limits.longestRetryWait = .seconds(5)
        fetcher = try Fetcher(rule: rule, limits: limits, keepsAnswers: false, proxies: proxies)
    }

    /// Queues a link. `run` calls the completion once; it may submit more.
    package func submit(_ url: WebURL, _ completion: @escaping (LinkVerdict) -> Void) {
        var head = FetchRequest(url, for: .document)
        head.method = .head
        let fetcher = fetcher
        fetcher.submit(head) { [unowned fetcher] result in
            guard LinkVerdict.needsGet(result) else { return completion(LinkVerdict(result, at: .now)) }
            var get = FetchRequest(url, for: .document)
            // If the server ignores the range, the answer is cut off at its first byte.
            get.range = "bytes=0-1023"
            get.byteLimit = 0
            get.acceptsTruncated = true
            fetcher.submit(get) { second in
                completion(LinkVerdict(Self.better(second, than: result), at: .now))
            }
        }
    }

    /// Checks until every link has a verdict or the deadline passes; the remaining links are then unknown.
    package func run(until deadline: ContinuousClock.Instant) { fetcher.run(until: deadline) }

    /// The GET counts, unless only HEAD got an answer.
    private static func better(
        _ get: Result<FetchResponse, FetchFailure>, than head: Result<FetchResponse, FetchFailure>
    ) -> Result<FetchResponse, FetchFailure> {
        if case .failure(.timeout) = get { return head }
        return get
    }
}
