internal import Time
package import URLs

/// Asks many links whether they still lead somewhere: by HEAD, and by GET where HEAD is not understood (B10).
///
/// One request at a time to each origin, with a rest between; at most 16 altogether. A GET ends with its header. Links
/// with the same URL but for the fragment are asked for once, as far as they are asked for at the same time.
package final class LinkCheck {
    package struct Options: Sendable {
        /// For one request, redirects not included.
        package var timeout = Duration.seconds(10)
        package var concurrency = 16
        /// Between two requests to one origin.
        package var pause = Duration.milliseconds(500)

        package init() {}
    }

    private let fetcher: Fetcher

    /// - Parameters:
    ///   - rule: none of the links is typed now, so as a rule only public addresses are allowed.
    ///   - proxies: those of the process's environment, as a rule.
    package init(
        rule: AddressRule, options: Options = Options(), proxies: ProxySettings = .ofProcess()
    ) throws(FetchFailure) {
        var limits = FetchLimits()
        limits.concurrency = options.concurrency
        limits.hostConcurrency = 1
        limits.hostPause = options.pause
        limits.connectTimeout = options.timeout
        limits.requestTimeout = options.timeout
        // A server that is busy is unknown: the next check asks again.
        limits.attempts = 2
        limits.longestRetryWait = .seconds(5)
        fetcher = try Fetcher(rule: rule, limits: limits, keepsAnswers: false, proxies: proxies)
    }

    /// Queues a link; the completion is called once, by `run`, and may submit more.
    package func submit(_ url: WebURL, _ completion: @escaping (LinkVerdict) -> Void) {
        var head = FetchRequest(url, for: .document)
        head.method = .head
        let fetcher = fetcher
        fetcher.submit(head) { [unowned fetcher] result in
            guard LinkVerdict.needsGet(result) else { return completion(LinkVerdict(result, at: .now)) }
            var get = FetchRequest(url, for: .document)
            // Where the range is not kept to, the answer is cut off at its first byte.
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

    /// The GET counts, but where it brought no answer and HEAD did.
    private static func better(
        _ get: Result<FetchResponse, FetchFailure>, than head: Result<FetchResponse, FetchFailure>
    ) -> Result<FetchResponse, FetchFailure> {
        if case .failure(.timeout) = get { return head }
        return get
    }
}
