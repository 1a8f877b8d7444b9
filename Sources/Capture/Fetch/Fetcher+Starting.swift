internal import CCurl
internal import URLs

/// From a URL to a running request.
extension Fetcher {
    /// Requests with the same key are the same: method, URL without fragment, range and conditions.
    static func key(_ request: FetchRequest, _ url: WebURL) -> String {
        var key = request.method == .head ? "HEAD " : ""
        if let content = request.content { key = "POST \(content.number) " }
        if let range = request.range { key += range + " " }
        if request.validators != nil { key += "if " }
        return key + url.href
    }

    /// Makes a chain wait for the resource of its URL, and queues the resource if it is new.
    func enter(_ chain: Chain) {
        let url = chain.url.withoutFragment
        guard url.isHTTP else {
            finished.append((chain, .failure(.badScheme(url.scheme))))
            return
        }
        let key = Self.key(chain.request, url)
        if let resource = resources[key], !chain.mustRefetch {
            if case .done = resource.state {
                advancing.append((chain, resource))
            } else {
                resource.waiting.append(chain)
            }
            return
        }
        chain.mustRefetch = false
        var request = chain.request
        // After a redirect from http to https, or to another host, the conditions belong to another resource.
        if !chain.redirects.isEmpty { request.validators = nil }
        let resource = Resource(key: key, url: url, request: request)
        resource.waiting.append(chain)
        resources[key] = resource
        let queue = origin(of: resource)
        queue.append(resource)
        schedule.list(queue, limit: limits.hostConcurrency, now: .now)
    }

    func origin(of resource: Resource) -> OriginQueue {
        let name = resource.url.origin
        if let queue = origins[name] { return queue }
        let queue = OriginQueue(earliestStart: .now)
        origins[name] = queue
        return queue
    }

    /// Starts as many requests as may run at once.
    func startWaiting() {
        let now = ContinuousClock.now
        while activeCount < limits.concurrency, let queue = schedule.next(now: now) {
            if let failure = queue.isDead {
                while let resource = queue.next() { finish(resource, .failure(failure)) }
                continue
            }
            guard let resource = queue.next() else { continue }
            begin(resource, in: queue)
            schedule.list(queue, limit: limits.hostConcurrency, now: now)
        }
    }

    private func begin(_ resource: Resource, in queue: OriginQueue) {
        let target = resource.url.hostPort
        if let why = rule.refusal(of: target) {
            return finish(resource, .failure(.refusedAddress(target, address: "", why)))
        }
        resource.state = .active
        activeCount += 1
        queue.activeCount += 1
        guard proxies.proxy(for: resource.url) != nil, NetworkAddress(target.host) == nil else {
            return start(resource)
        }
        if let answer = nameAnswers[target.host] {
            startBehindProxy(resource, answer)
        } else {
            awaitName(of: resource, isAfter: false)
        }
    }

    /// Asks the resolver for the host's name; the resource stays active.
    func awaitName(of resource: Resource, isAfter: Bool) {
        let host = resource.url.hostPort.host
        if waitingForName[host] == nil { lookup.ask(host) }
        waitingForName[host, default: []].append((resource, isAfter))
    }

    func takeNameAnswers() {
        for (host, answer) in lookup.takeAnswers() {
            nameAnswers[host] = answer
            for (resource, isAfter) in waitingForName.removeValue(forKey: host) ?? [] {
                if isAfter {
                    let failure = answer == .noSuchHost ? FetchFailure.noSuchHost(host) : .nameLookup(host)
                    leave(resource)
                    settle(resource, failure, mayRetry: answer != .noSuchHost)
                } else {
                    startBehindProxy(resource, answer)
                }
            }
        }
    }

    private func startBehindProxy(_ resource: Resource, _ answer: NameLookup.Answer) {
        let target = resource.url.hostPort
        if case .addresses(let addresses) = answer {
            for address in addresses {
                guard let why = rule.refusal(of: target, at: address) else { continue }
                leave(resource)
                return finish(resource, .failure(.refusedAddress(target, address: address.description, why)))
            }
        }
        start(resource)
    }

    private func start(_ resource: Resource) {
        guard let handle = idleHandles.popLast() ?? curl_easy_init().map({ UnsafeMutableRawPointer($0) }) else {
            leave(resource)
            return finish(resource, .failure(.local("libcurl could not start a transfer")))
        }
        resource.tries += 1
        resource.cookieChanges = cookies.changes
        requestCount += 1
        let time = min(resource.request.timeout ?? limits.requestTimeout, deadline - .now)
        let transfer = Transfer(
            resource, handle: handle, rule: rule, budget: budget, limits: limits,
            proxy: proxies.proxy(for: resource.url), cookies: cookies, timeout: time)
        transfers[handle] = transfer
        let code = curl_multi_add_handle(multi, handle)
        guard code == CURLM_OK else {
            transfers[handle] = nil
            curl_easy_cleanup(handle)
            leave(resource)
            return finish(resource, .failure(.local(String(cString: curl_multi_strerror(code)))))
        }
    }

    /// Makes room for another active resource.
    func leave(_ resource: Resource) {
        let queue = origin(of: resource)
        let now = ContinuousClock.now
        resource.state = .waiting
        activeCount -= 1
        queue.activeCount -= 1
        if limits.hostPause > .zero { queue.earliestStart = max(queue.earliestStart, now + limits.hostPause) }
        schedule.list(queue, limit: limits.hostConcurrency, now: now)
    }
}
