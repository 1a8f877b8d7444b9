package import URLs

/// Sends bodies to one address that a person configured, and to no other.
package enum Asking {
    /// How bodies are sent.
    package struct Options: Sendable {
        /// Requests at once.
        package var atOnce = 4
        /// The time for one attempt.
        package var timeout = Duration.seconds(300)
        /// Attempts for one body, including the first.
        package var attempts = 4
        /// A server that asks for a longer wait is not asked again.
        package var longestWait = Duration.seconds(60)

        package init() {}
    }

    /// The largest answer in bytes.
    private static let answerByteLimit = 4 << 20

    /// Sends the bodies and calls `answered` for each, in the order of the answers.
    ///
    /// Plain http is for this machine alone, whatever its name resolves to, and uses no proxy.
    ///
    /// - Throws: `FetchFailure` if nothing can be sent.
    package static func run(
        _ url: WebURL, fields: [String], bodies: [[UInt8]], _ options: Options,
        answered: @escaping (Int, Result<FetchResponse, FetchFailure>) -> Void
    ) throws(FetchFailure) {
        guard fields.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) else {
            throw .local("a header field has a character that HTTP does not allow")
        }
        let isPlain = url.scheme == "http"
        var limits = FetchLimits()
        limits.assetByteCount = answerByteLimit
        limits.concurrency = options.atOnce
        limits.hostConcurrency = options.atOnce
        limits.requestTimeout = options.timeout
        // A model may think for long before its first byte.
        limits.stallTime = min(options.timeout, .seconds(300))
        limits.stallBytesPerSecond = 1
        limits.attempts = options.attempts
        limits.longestRetryWait = options.longestWait
        let fetcher = try Fetcher(
            rule: AddressRule(allowed: [url.hostPort], onlyLoopback: isPlain), limits: limits, keepsAnswers: false,
            proxies: isPlain ? ProxySettings() : .ofProcess())
        for (number, body) in bodies.enumerated() {
            let content = FetchRequest.Content(body, fields: fields, number: number)
            fetcher.submit(FetchRequest(url, posting: content)) { answered(number, $0) }
        }
        fetcher.run(until: .now + options.timeout * (options.attempts * (bodies.count / max(1, options.atOnce) + 1)))
    }
}
