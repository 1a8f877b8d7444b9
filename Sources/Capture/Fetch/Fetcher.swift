internal import CCurl
internal import Glibc
package import URLs

/// Fetches many URLs by http and https at once, on the caller's thread.
///
/// Requests are submitted with a completion. `run` fetches until nothing is left and calls the completions, which may
/// submit more. Each URL is fetched once: a second request for it, even through a redirect, gets the same answer. It
/// is fetched again only if a redirect leads back to it and the cookies have changed meanwhile.
///
/// Bounds: `FetchLimits`; the `AddressRule` checks every address at connect time. With the standard limits a fetcher
/// holds at most 128 MiB of bodies, 16 times 256 KiB of header fields, and libcurl's buffers (about 100 KiB a
/// transfer).
///
/// Not `Sendable`: one thread owns it.
package final class Fetcher {
    package typealias Completion = (Result<FetchResponse, FetchFailure>) -> Void

    package let rule: AddressRule
    package let limits: FetchLimits
    let cookies: SharedCookies
    let proxies: ProxySettings
    let keepsAnswers: Bool

    let multi: UnsafeMutableRawPointer
    let lookup: NameLookup
    /// Free easy handles, which are reset before reuse.
    var idleHandles: [UnsafeMutableRawPointer] = []
    var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// Resources that wait for a name, by name: before the request if there is a proxy, otherwise after libcurl
    /// failed to resolve it.
    var waitingForName: [String: [(resource: Resource, isAfter: Bool)]] = [:]
    var nameAnswers: [String: NameLookup.Answer] = [:]
    var resources: [String: Resource] = [:]
    var origins: [String: OriginQueue] = [:]
    var schedule = Schedule()
    let budget: ByteBudget
    /// Supplies more requests while `run` runs, which then ends only when no more can come.
    weak var source: (any FetchSource)?
    /// Outcomes whose completions have not been called yet.
    var finished: [(chain: Chain, result: Result<FetchResponse, FetchFailure>)] = []
    /// Chains that reached a resource that was already done.
    var advancing: [(chain: Chain, resource: Resource)] = []
    var outstanding = 0
    var activeCount = 0
    var deadline = ContinuousClock.now
    var began = ContinuousClock.now

    /// The number of requests sent, including repeated ones; for benchmarks and tests.
    package internal(set) var requestCount = 0
    /// The number of connections made.
    package internal(set) var connectionCount = 0
    /// Bytes of bodies, decompressed, including discarded ones.
    package var readByteCount: Int { budget.read }

    /// - Parameters:
    ///   - keepsAnswers: whether an answer is kept for later requests of the same URL; false for many URLs
    ///     that are requested once.
    ///   - proxies: usually those of the process's environment.
    package convenience init(
        rule: AddressRule, limits: FetchLimits = FetchLimits(), cookies: [Cookie] = [],
        keepsAnswers: Bool = true, proxies: ProxySettings = .ofProcess()
    ) throws(FetchFailure) {
        guard Self.isLibraryReady else { throw .local("libcurl could not be started") }
        try self.init(rule, limits, try SharedCookies(cookies), keepsAnswers: keepsAnswers, proxies)
    }

    init(
        _ rule: AddressRule, _ limits: FetchLimits, _ cookies: SharedCookies, keepsAnswers: Bool,
        _ proxies: ProxySettings
    ) throws(FetchFailure) {
        self.cookies = cookies
        guard let multi = curl_multi_init() else { throw .local("libcurl could not be started") }
        self.multi = UnsafeMutableRawPointer(multi)
        self.rule = rule
        self.limits = limits
        self.keepsAnswers = keepsAnswers
        self.proxies = proxies
        budget = ByteBudget(limit: limits.pageByteCount)
        lookup = NameLookup(waking: self.multi)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.concurrency * 2)
    }

    deinit {
        lookup.close()
        for handle in transfers.keys {
            curl_multi_remove_handle(multi, handle)
            curl_easy_cleanup(handle)
        }
        for handle in idleHandles { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK

    // MARK: Submitting

    /// Queues a request. `run` calls the completion once, never within this call.
    package func submit(_ request: FetchRequest, _ completion: @escaping Completion) {
        outstanding += 1
        enter(Chain(request, completion))
    }

    /// Fetches until every request is answered or the deadline has come; the other requests then fail with a
    /// `.timeout` of the capture. May be called again.
    package func run(until deadline: ContinuousClock.Instant) {
        self.deadline = deadline
        began = .now
        let signals = BlockedPipeSignal()
        defer { signals.restore() }
        var mayCome = source != nil
        while outstanding > 0 || mayCome {
            if mayCome, let source { mayCome = source.takeRequests() }
            deliver()
            if outstanding == 0, !mayCome { return }
            if ContinuousClock.now >= deadline {
                if outstanding == 0 {
                    awaitRequest()
                } else {
                    abandon()
                }
                continue
            }
            startWaiting()
            takeNameAnswers()
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            if code != CURLM_OK { return failAll(.local(String(cString: curl_multi_strerror(code)))) }
            let some = takeMessages()
            if some || !finished.isEmpty || !advancing.isEmpty { continue }
            wait()
        }
    }

    /// Fetches one URL.
    package func fetch(
        _ request: FetchRequest, until deadline: ContinuousClock.Instant
    ) -> Result<FetchResponse, FetchFailure> {
        var result: Result<FetchResponse, FetchFailure>?
        submit(request) { result = $0 }
        run(until: deadline)
        return result ?? .failure(.local("no outcome"))
    }

    /// Drops the body of an answer kept for its URL; a later request fetches it again.
    package func forget(_ url: WebURL) {
        let key = Self.key(FetchRequest(url, for: .other), url.withoutFragment)
        guard let resource = resources[key], case .done(let outcome) = resource.state else { return }
        if case .answer(let answer) = outcome { budget.release(answer.body.count) }
        resources[key] = nil
    }

    private func wait() {
        var limit = min(deadline - .now, .seconds(1))
        if let start = schedule.nextStart, activeCount < limits.concurrency { limit = min(limit, start - .now) }
        // Rounded up, so that a wait of less than a millisecond is not a busy loop.
        let milliseconds = limit <= .zero ? 0 : limit.wholeMilliseconds + 1
        guard let source else {
            curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil)
            return
        }
        var requests = curl_waitfd(fd: source.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        curl_multi_poll(multi, &requests, 1, Int32(milliseconds), nil)
    }

    /// After the deadline, waits for requests, which fail at once.
    private func awaitRequest() {
        var requests = pollfd(fd: source?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        poll(&requests, 1, 1000)
    }

    /// Calls the completions of all finished requests; requests that they submit are queued.
    private func deliver() {
        while !finished.isEmpty || !advancing.isEmpty {
            let chains = advancing
            advancing = []
            for (chain, resource) in chains { advance(chain, resource) }
            let outcomes = finished
            finished = []
            for (chain, result) in outcomes {
                outstanding -= 1
                chain.completion(result)
            }
        }
    }

    // MARK: Ending

    /// Fails all unfinished requests because the time is over.
    private func abandon() {
        failAll(.timeout(.capture, seconds: (ContinuousClock.now - began).seconds))
    }

    private func failAll(_ failure: FetchFailure) {
        // Chains at a finished resource have their outcome, unless it redirects.
        for resource in resources.values {
            if case .done = resource.state { continue }
            finish(resource, .failure(failure), isKept: false)
        }
        for transfer in transfers.values {
            transfer.dropBody()
            curl_multi_remove_handle(multi, transfer.handle)
            curl_easy_cleanup(transfer.handle)
        }
        transfers = [:]
        waitingForName = [:]
        origins = [:]
        schedule = Schedule()
        activeCount = 0
        deliver()
    }
}

/// Blocks SIGPIPE in this thread: OpenSSL writes to sockets that the other side has closed, and libcurl does not
/// ignore the signal with CURLOPT_NOSIGNAL.
private struct BlockedPipeSignal {
    private var former = sigset_t()
    private var wasBlocked = false

    init() {
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, &former)
        wasBlocked = sigismember(&former, SIGPIPE) == 1
    }

    /// Clears a pending signal and restores the mask.
    func restore() {
        if wasBlocked { return }
        var set = Self.set
        var none = timespec()
        while sigtimedwait(&set, nil, &none) == SIGPIPE {}
        var former = former
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        return set
    }
}
