internal import URLs

/// One URL of a fetcher: fetched once, for all requests that lead to it.
final class Resource {
    enum State {
        /// In its origin's queue, or between two attempts.
        case waiting
        case active
        case done(Outcome)
    }

    enum Outcome {
        case answer(Answer)
        case failure(FetchFailure)
    }

    /// An answer before redirects are evaluated.
    struct Answer {
        let status: Int
        let fields: HeaderFields
        let body: [UInt8]
        let wasTruncated: Bool
        let remoteAddress: String
    }

    let key: String
    /// Without fragment.
    let url: WebURL
    /// The first request for the URL, whose purpose, limits and referrer count.
    let request: FetchRequest
    var state = State.waiting
    var tries = 0
    /// Whether the server names an encoding that does not exist (`Content-Encoding: utf-8`). The body is then taken
    /// as sent.
    var takesBodyAsSent = false
    /// The chains that wait for the outcome.
    var waiting: [Chain] = []
    /// The cookies' count of changes when it was last requested.
    var cookieChanges = 0

    init(key: String, url: WebURL, request: FetchRequest) {
        self.key = key
        self.url = url
        self.request = request
    }
}

/// A submitted request with its redirects.
final class Chain {
    let request: FetchRequest
    let completion: (Result<FetchResponse, FetchFailure>) -> Void
    /// The URL with the fragment that counts.
    var url: WebURL
    var redirects: [FetchResponse.Redirect] = []
    /// Keys of the resources of the chain, each with the cookies' count of changes at its request.
    var visited: [String: Int] = [:]
    /// Whether to request the next URL again although there is an answer.
    var mustRefetch = false

    init(_ request: FetchRequest, _ completion: @escaping (Result<FetchResponse, FetchFailure>) -> Void) {
        self.request = request
        self.completion = completion
        url = request.url
    }
}
