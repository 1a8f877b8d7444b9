internal import Capture
internal import Time
internal import URLs
internal import WorkerProtocol

extension AskOrder {
    func run() {
        guard let url = WebURL(url), url.isHTTP else {
            return Answer<Self>.error(CaptureDetail(.linkNotHTTP))
        }
        var options = Asking.Options()
        options.atOnce = max(1, min(atOnce, 16))
        options.timeout = .seconds(max(1, min(seconds, 3600)))
        options.attempts = max(1, min(attempts, 10))
        options.longestWait = .seconds(Self.longestWait)
        do throws(FetchFailure) {
            try Asking.run(url, fields: fields, bodies: bodies.map { Array($0.utf8) }, options) { index, result in
                Answer<Self>.progress(Answered(index: index, result))
            }
            Answer<Self>.result(Reply(count: bodies.count))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

extension AskOrder.Answered {
    fileprivate init(index: Int, _ result: Result<FetchResponse, FetchFailure>) {
        self.init(index: index)
        switch result {
        case .success(let response):
            status = response.status
            body = String(decoding: response.body, as: UTF8.self)
            retryAfter = response.fields["retry-after"].flatMap { RetryAfter.wait($0, now: .now) }
                .map { Int($0.components.seconds) }
        case .failure(let failure):
            kind = CaptureReason(failure)
            diagnostic = CaptureDetail(failure)
        }
    }
}
