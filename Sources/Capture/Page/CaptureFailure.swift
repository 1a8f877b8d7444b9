internal import Characters
internal import HTML
internal import WorkerProtocol

/// Why there is no page at all.
struct CaptureFailure: Error {
    let kind: CaptureReason
    /// The reason as a sentence without a full stop, for a person who watches.
    let reason: String
    var isOfNetwork = false

    init(_ kind: CaptureReason, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    init(_ failure: FetchFailure) {
        self.init(CaptureReason(failure), failure.description)
        switch failure {
        case .local, .badScheme, .tooLarge: isOfNetwork = false
        default: isOfNetwork = true
        }
    }

    init(_ failure: BrowserFailure) {
        switch failure {
        case .refused: self.init(.privateAddress, failure.description)
        case .unreachable(_, let error): self.init(Self.kind(ofNetworkError: error), failure.description)
        case .system: self.init(.machine, failure.description)
        default: self.init(.browser, failure.description)
        }
        if case .unreachable = failure { isOfNetwork = true }
        if case .refused = failure { isOfNetwork = true }
    }

    /// - Parameter error: Chromium's name, such as `net::ERR_NAME_NOT_RESOLVED`.
    private static func kind(ofNetworkError error: String) -> CaptureReason {
        let parts: [(String, CaptureReason)] = [
            ("NAME_NOT_RESOLVED", .noSuchHost), ("CERT", .certificate), ("SSL", .insecureConnection),
            ("TIMED_OUT", .timeout), ("REDIRECT", .redirects), ("PROXY", .proxy), ("TUNNEL", .proxy),
            ("EMPTY_RESPONSE", .brokenAnswer), ("INVALID", .brokenAnswer),
        ]
        return parts.first { error.contains(text: $0.0) }?.1 ?? .noConnection
    }

    /// - Returns: `nil` for answers with a page: successes, and refusals whose page gives the reason (a login, a
    ///   wall).
    init?(status: Int) {
        switch status {
        case 0..<400, 401, 402, 403, 407, 429, 451, 503: return nil
        case 404: reason = "the server has no such page (404)"
        case 410: reason = "the server says that the page is gone for good (410)"
        default: reason = "the server answered with an error (\(status))"
        }
        kind = .http(status)
        isOfNetwork = true
    }
}

extension CaptureFailure: CustomStringConvertible {
    var description: String { reason }
}

extension CaptureReason {
    package init(_ failure: FetchFailure) {
        self =
            switch failure {
            case .refusedAddress: .privateAddress
            case .badScheme: .brokenAnswer
            case .noSuchHost: .noSuchHost
            case .nameLookup: .nameLookup
            case .connect, .timeout(.connecting, _): .noConnection
            case .tls(_, .certificate, _): .certificate
            case .tls(_, .handshake, _): .insecureConnection
            case .tls(_, .authorities, _), .local: .machine
            case .timeout: .timeout
            case .tooLarge: .tooLarge
            case .tooManyRedirects, .redirectLoop: .redirects
            case .incomplete, .malformedAnswer: .brokenAnswer
            case .proxy: .proxy
            }
    }
}
