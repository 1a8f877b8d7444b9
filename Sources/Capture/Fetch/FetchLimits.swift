/// Bounds of one fetcher: sizes in bytes after decompression.
package struct FetchLimits: Sendable {
    /// One answer.
    package var assetByteCount = 32 << 20
    /// All bodies that are kept, together. What is fetched and thrown away may be four times that.
    package var pageByteCount = 128 << 20
    /// All header fields of one answer.
    package var headerByteCount = 256 << 10
    package var redirects = 20
    /// Requests at once, altogether and to one origin.
    package var concurrency = 16
    package var hostConcurrency = 6
    /// Rest between the end of a request and the start of the next to the same origin.
    package var hostPause = Duration.zero
    package var connectTimeout = Duration.seconds(10)
    /// One try, from its start to the last byte.
    package var requestTimeout = Duration.seconds(60)
    /// For so long fewer than `stallBytesPerSecond` may come; whole seconds.
    package var stallTime = Duration.seconds(10)
    package var stallBytesPerSecond = 100
    /// Tries of one request, the first included.
    package var attempts = 3
    /// Before the second try; doubled for each further one.
    package var backOff = Duration.milliseconds(500)
    /// A server that asks for a longer rest (Retry-After) is not asked again.
    package var longestRetryWait = Duration.seconds(20)

    package init() {}
}
