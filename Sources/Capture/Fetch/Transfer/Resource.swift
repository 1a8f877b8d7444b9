internal import URLs

/// One URL of a fetcher: fetched once, however many requests lead to it.
final class Resource {
    enum State {
        /// In its origin's queue, or between two tries.
        case waiting
        case active
        case done(Outcome)
    }

    enum Outcome {
        case answer(Answer)
        case failure(FetchFailure)
    }

    /// An answer as it came, before redirects are looked at.
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
    /// The first request that led here: its purpose, limits and referrer count.
    let request: FetchRequest
    var state = State.waiting
    var tries = 0
    /// The server names an encoding that does not exist (`Content-Encoding: utf-8`): the body is taken as it is sent.
    var takesBodyAsSent = false
    /// Who waits for the outcome.
    var waiting: [Chain] = []
    /// The jar's count of changes when it was last sent.
    var cookieChanges = 0

    init(key: String, url: WebURL, request: FetchRequest) {
        self.key = key
        self.url = url
        self.request = request
    }
}

/// A request that was submitted, and the redirects that it was led through.
final class Chain {
    let request: FetchRequest
    let completion: (Result<FetchResponse, FetchFailure>) -> Void
    /// With the fragment that counts.
    var url: WebURL
    var redirects: [FetchResponse.Redirect] = []
    /// Keys of the resources it came by, each with the jar's count of changes when that was sent.
    var visited: [String: Int] = [:]
    /// Whether to request the next URL again, although there is an answer.
    var mustRefetch = false

    init(_ request: FetchRequest, _ completion: @escaping (Result<FetchResponse, FetchFailure>) -> Void) {
        self.request = request
        self.completion = completion
        url = request.url
    }
}
