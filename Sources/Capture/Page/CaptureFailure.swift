internal import HTML

/// Why there is no page at all.
struct CaptureFailure: Error {
    /// A sentence without a full stop.
    let reason: String
    var isOfNetwork = false

    init(_ reason: String) { self.reason = reason }

    init(_ failure: FetchFailure) {
        reason = failure.description
        switch failure {
        case .local, .badScheme, .tooLarge: isOfNetwork = false
        default: isOfNetwork = true
        }
    }

    init(_ failure: BrowserFailure) {
        reason = failure.description
        if case .unreachable = failure { isOfNetwork = true }
    }

    /// - Returns: `nil` for answers that hold a page: successes, and refusals, whose page says why (a login, a wall).
    init?(status: Int) {
        switch status {
        case 0..<400, 401, 402, 403, 407, 429, 451, 503: return nil
        case 404: reason = "the server has no such page (404)"
        case 410: reason = "the server says that the page is gone for good (410)"
        default: reason = "the server answered with an error (\(status))"
        }
        isOfNetwork = true
    }
}

extension CaptureFailure: CustomStringConvertible {
    var description: String { reason }
}
