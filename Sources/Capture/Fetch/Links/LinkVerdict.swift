package import Time
internal import URLs
package import WorkerProtocol

/// Whether a link still leads somewhere, with the evidence.
package struct LinkVerdict: Sendable, Equatable {
    package typealias State = LinkCheckOrder.Finding.State

    package let state: State
    /// The status of the last answer; `nil` without any.
    package let status: Int?
    /// The target of the permanent redirects at the start of the chain; `nil` without any.
    package let movedTo: String?
    /// The server answers but refuses (401, 403, 405, 407, 429, 451, 503 and the like, or a bot wall).
    package let isBlocked: Bool
    /// Why there was no answer; `nil` if there was one.
    package let kind: CaptureReason?
    /// What is known about the reason.
    package let error: CaptureDetail?
    package let checkedAt: Timestamp

    package init(_ result: Result<FetchResponse, FetchFailure>, at time: Timestamp) {
        switch result {
        case .success(let response):
            self.init(status: response.status, redirects: response.redirects, at: time)
        case .failure(let failure):
            self.init(
                state: Self.state(of: failure), status: nil, movedTo: nil, isBlocked: false,
                kind: CaptureReason(failure), error: CaptureDetail(failure), checkedAt: time)
        }
    }

    init(status: Int, redirects: [FetchResponse.Redirect], at time: Timestamp) {
        let state = Self.state(ofStatus: status)
        self.init(
            state: state, status: status,
            // A link should not follow a move to an error page.
            movedTo: state == .valid ? Self.permanentTarget(redirects) : nil,
            isBlocked: Self.blockingStatuses.contains(status), kind: nil, error: nil, checkedAt: time)
    }

    private init(
        state: State, status: Int?, movedTo: String?, isBlocked: Bool, kind: CaptureReason?, error: CaptureDetail?,
        checkedAt: Timestamp
    ) {
        self.state = state
        self.status = status
        self.movedTo = movedTo
        self.isBlocked = isBlocked
        self.kind = kind
        self.error = error
        self.checkedAt = checkedAt
    }

    /// 200–399 are valid; 404 and 410 are gone; any other status may be a refusal or a temporary error.
    static func state(ofStatus status: Int) -> State {
        switch status {
        case 200...399: .valid
        case 404, 410: .dead
        default: .unknown
        }
    }

    /// Only a host that does not exist and an impossible link are gone; other failures may be temporary.
    static func state(of failure: FetchFailure) -> State {
        switch failure {
        case .noSuchHost: .dead
        default: .unknown
        }
    }

    private static let blockingStatuses: Set<Int> = [401, 402, 403, 405, 406, 407, 429, 451, 503, 999]

    private static func permanentTarget(_ redirects: [FetchResponse.Redirect]) -> String? {
        redirects.prefix(while: \.isPermanent).last?.to.href
    }

    /// Whether to repeat a HEAD request as GET: servers that do not support HEAD, or refuse it, answer with almost
    /// any error, or just close the connection.
    static func needsGet(_ result: Result<FetchResponse, FetchFailure>) -> Bool {
        switch result {
        case .success(let response):
            // A busy server is not asked again at once.
            response.status >= 400 && ![410, 429, 503].contains(response.status)
        case .failure(let failure):
            switch failure {
            case .incomplete, .malformedAnswer, .timeout(.answer, _), .timeout(.stalled, _), .tooManyRedirects,
                .redirectLoop:
                true
            default: false
            }
        }
    }
}
