package import Time
package import WorkerProtocol

/// When a page that could not be saved is tried again.
///
/// All that it needs is in the item (`archiveAttempts`, `archivedAt`, `archiveReason`), so all devices agree, and a
/// restart forgets nothing. After the first attempt an hour passes, then four times as long after each, at most 30
/// days. After ten attempts only a person tries again.
package enum ArchiveBackOff {
    /// In seconds.
    package static let firstDelay: Int64 = 3600
    /// In seconds: 30 days.
    package static let longestDelay: Int64 = 30 * 86_400
    /// Attempts that are made without a person.
    package static let attemptLimit = 10

    /// Seconds between a number of failed attempts and the next one; it never falls as attempts rise.
    package static func delay(after attempts: Int) -> Int64 {
        // 4⁵ hours are above the longest delay.
        min(longestDelay, firstDelay << (2 * Int64(max(1, min(attempts, 6)) - 1)))
    }

    /// When the next attempt is due.
    ///
    /// - Parameters:
    ///   - attempts: the number of failed attempts so far.
    ///   - reason: why the last one failed; `nil` if unknown.
    ///   - last: when the last one was made. A time more than a day in the future comes from a wrong clock and counts
    ///     as long ago.
    ///   - now: the current time.
    /// - Returns: `nil` if it is up to a person.
    package static func nextAttempt(
        after attempts: Int, _ reason: CaptureReason?, at last: Timestamp?, now: Timestamp
    ) -> Timestamp? {
        if attempts >= attemptLimit || !(reason?.mayPass ?? true) { return nil }
        guard let last, last <= now.adding(seconds: 86_400) else { return now }
        return last.adding(seconds: delay(after: attempts))
    }
}

extension CaptureReason {
    /// Whether a later attempt may succeed although nobody changes anything here.
    package var mayPass: Bool {
        switch self {
        case .noSuchHost, .nameLookup, .noConnection, .certificate, .insecureConnection, .timeout, .brokenAnswer,
            .proxy,
            .browser, .worker:
            true
        case .http(let status): status >= 500 || [408, 425, 429].contains(status)
        default: false
        }
    }

    /// Whether this machine's connection to the network may be the cause.
    var mayBeConnection: Bool {
        switch self {
        case .noSuchHost, .nameLookup, .noConnection, .proxy: true
        default: false
        }
    }

    /// Whether the server asks for fewer requests.
    var asksForPatience: Bool { self == .http(429) || self == .http(503) }
}
