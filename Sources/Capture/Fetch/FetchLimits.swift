/// Limits of one fetcher; sizes in bytes after decompression.
package struct FetchLimits: Sendable {
    /// One answer.
    package var assetByteCount = 32 << 20
    /// All kept bodies together. Fetched and discarded bodies may be four times that.
    package var pageByteCount = 128 << 20
    /// All header fields of one answer.
    package var headerByteCount = 256 << 10
    package var redirects = 20
    /// The number of simultaneous requests, in total and to one origin.
    package var concurrency = 16
    package var hostConcurrency = 6
    /// The pause between the end of a request and the start of the next to the same origin.
    package var hostPause = Duration.zero
    package var connectTimeout = Duration.seconds(10)
    /// One attempt, from its start to the last byte.
    package var requestTimeout = Duration.seconds(60)
    /// How long fewer than `stallBytesPerSecond` may arrive; whole seconds.
    package var stallTime = Duration.seconds(10)
    package var stallBytesPerSecond = 100
    /// Attempts for one request, including the first.
    package var attempts = 3
    /// The wait before the second attempt; doubled for each further one.
    package var backOff = Duration.milliseconds(500)
    /// A server that demands a longer wait (Retry-After) is not asked again.
    package var longestRetryWait = Duration.seconds(20)

    package init() {}
}
