internal import Characters
internal import HTML
internal import WorkerProtocol

/// Why there is no page at all.
struct CaptureFailure: Error {
    let kind: CaptureReason
    let detail: CaptureDetail
    var isOfNetwork = false

    init(_ kind: CaptureReason, _ detail: CaptureDetail) {
        self.kind = kind
        self.detail = detail
    }

    init(_ failure: FetchFailure) {
        self.init(CaptureReason(failure), CaptureDetail(failure))
        switch failure {
        case .local, .badScheme, .tooLarge: isOfNetwork = false
        default: isOfNetwork = true
        }
    }

    init(_ failure: BrowserFailure) {
        switch failure {
        case .refused: self.init(.privateAddress, CaptureDetail(failure))
        case .unreachable(_, let error): self.init(Self.kind(ofNetworkError: error), CaptureDetail(failure))
        case .system: self.init(.machine, CaptureDetail(failure))
        default: self.init(.browser, CaptureDetail(failure))
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

    /// - Parameter isPage: whether the answer is HTML. An error in another form (a line of text, JSON) is never what the
    ///   person wants to keep.
    /// - Returns: `nil` for answers with something to keep: successes, and refusals whose page gives the reason (a
    ///   login, a wall).
    init?(status: Int, isPage: Bool = true) {
        switch status {
        case 0..<400: return nil
        case 401, 402, 403, 407, 429, 451, 503: if isPage { return nil }
        default: break
        }
        detail = CaptureDetail(.status, String(status))
        kind = .http(status)
        isOfNetwork = true
    }
}

extension CaptureFailure: CustomStringConvertible {
    var description: String { detail.description }
}

extension CaptureDetail {
    /// Why an order has no answer.
    package init(_ error: any Error) {
        switch error {
        case let failure as CaptureFailure: self = failure.detail
        case let failure as FetchFailure: self.init(failure)
        case let failure as BrowserFailure: self.init(failure)
        default: self.init(.words, "\(error)")
        }
    }
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
