package import URLs

/// How much of a page's URL its requests may reveal: Referrer Policy, W3C, section 8.3.
package enum ReferrerPolicy: String, Sendable, CaseIterable {
    case noReferrer = "no-referrer"
    case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
    case sameOrigin = "same-origin"
    case origin
    case strictOrigin = "strict-origin"
    case originWhenCrossOrigin = "origin-when-cross-origin"
    case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
    case unsafeURL = "unsafe-url"

    /// Reads the field Referrer-Policy or the content of a meta element: the last known word counts.
    package init?(_ value: String) {
        let words = value.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        guard let known = words.last(where: { Self(rawValue: $0) != nil }), let policy = Self(rawValue: known)
        else { return nil }
        self = policy
    }

    /// The field Referer for a request; `nil` to omit it.
    package func referer(from referrer: WebURL, to target: WebURL) -> String? {
        guard referrer.isHTTP else { return nil }
        let isSame = referrer.origin == target.origin
        let isDowngrade = referrer.scheme == "https" && target.scheme != "https"
        let origin = referrer.origin + "/"
        let whole = referrer.spellingWithoutCredentials
        // A URL longer than 4,096 bytes is cut to its origin.
        let full = whole.utf8.count > 4096 ? origin : whole
        return switch self {
        case .noReferrer: nil
        case .noReferrerWhenDowngrade: isDowngrade ? nil : full
        case .sameOrigin: isSame ? full : nil
        case .origin: origin
        case .strictOrigin: isDowngrade ? nil : origin
        case .originWhenCrossOrigin: isSame ? full : origin
        case .strictOriginWhenCrossOrigin: isSame ? full : isDowngrade ? nil : origin
        case .unsafeURL: full
        }
    }
}
