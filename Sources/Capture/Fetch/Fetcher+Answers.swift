internal import CCurl
internal import URLs

/// From the end of a transfer to an outcome: repeated attempts, redirects, completions.
extension Fetcher {
    /// Processes all transfers that have ended.
    ///
    /// - Returns: whether there were any.
    func takeMessages() -> Bool {
        var some = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // The message becomes invalid with the handle.
            let code = ccurl_message_result(message)
            guard let transfer = transfers.removeValue(forKey: UnsafeMutableRawPointer(handle)) else { continue }
            some = true
            curl_multi_remove_handle(multi, handle)
            end(transfer, code)
            curl_easy_reset(handle)
            if idleHandles.count < limits.concurrency {
                idleHandles.append(transfer.handle)
            } else {
                curl_easy_cleanup(handle)
            }
        }
        return some
    }

    private func end(_ transfer: Transfer, _ code: CURLcode) {
        let resource = transfer.resource
        var connections = 0
        if ccurl_get_long(transfer.handle, CURLINFO_NUM_CONNECTS, &connections) == CURLE_OK {
            connectionCount += connections
        }
        if transfer.isRedirect, transfer.fields["set-cookie"] != nil { cookies.noteRedirect() }
        switch transfer.outcome(code, deadline: deadline) {
        case .answer(let answer):
            leave(resource)
            settle(resource, answer)
        case .failure(.nameLookup(let host)):
            // libcurl does not report whether the name exists.
            if nameAnswers[host] == .noSuchHost {
                leave(resource)
                settle(resource, .noSuchHost(host), mayRetry: false)
            } else {
                awaitName(of: resource, isAfter: true)
            }
        case .failure where transfer.hasUnknownEncoding && !resource.takesBodyAsSent:
            // Browsers ignore unknown encodings; libcurl does not.
            transfer.dropBody()
            resource.takesBodyAsSent = true
            origin(of: resource).putBack(resource)
            leave(resource)
        case .failure(let failure):
            transfer.dropBody()
            leave(resource)
            settle(resource, failure, mayRetry: Self.isWorthRetrying(failure, code, resource.request.method))
        }
    }

    private static func isWorthRetrying(_ failure: FetchFailure, _ code: CURLcode, _ method: FetchRequest.Method)
        -> Bool
    {
        switch failure {
        case .connect: true
        // A page shorter than promised would be so again; a cut connection, or answer that is made each time, need not be.
        case .incomplete: code != CURLE_PARTIAL_FILE || method == .post
        default: false
        }
    }

    private func settle(_ resource: Resource, _ answer: Resource.Answer) {
        let queue = origin(of: resource)
        queue.hasAnswered = true
        queue.isDead = nil
        // A model's server is often overloaded for a moment, and says so by any status of its own faults.
        let isBusy = resource.request.method == .post && (500...599).contains(answer.status)
        guard answer.status == 429 || answer.status == 503 || isBusy else {
            queue.retries = 0
            return finish(resource, .answer(answer))
        }
        let asked = answer.fields["retry-after"].flatMap { RetryAfter.wait($0, now: .now) }
        if retry(resource, in: queue, after: asked) {
            budget.release(answer.body.count)
        } else {
            finish(resource, .answer(answer))
        }
    }

    /// Repeats the request, or makes the failure the outcome.
    func settle(_ resource: Resource, _ failure: FetchFailure, mayRetry: Bool) {
        let queue = origin(of: resource)
        if mayRetry, retry(resource, in: queue, after: nil) { return }
        switch failure {
        case .connect, .noSuchHost, .nameLookup, .timeout(.connecting, _), .tls:
            if !queue.hasAnswered { queue.isDead = failure }
        default: break
        }
        // A later run may request again what the deadline cut off.
        if case .timeout(.capture, _) = failure {
            finish(resource, .failure(failure), isKept: false)
        } else {
            finish(resource, .failure(failure))
        }
        schedule.list(queue, limit: limits.hostConcurrency, now: .now)
    }

    /// Puts the resource back into its queue if there is time for another attempt.
    private func retry(_ resource: Resource, in queue: OriginQueue, after asked: Duration?) -> Bool {
        // An origin that keeps failing gets only a few attempts for all its resources together.
        guard resource.tries < limits.attempts, queue.retries < 8 else { return false }
        let wait = max(asked ?? .zero, limits.backOff * (1 << min(10, resource.tries - 1)))
        let now = ContinuousClock.now
        guard wait <= limits.longestRetryWait, now + wait < deadline else { return false }
        queue.retries += 1
        queue.earliestStart = max(queue.earliestStart, now + wait)
        queue.putBack(resource)
        schedule.list(queue, limit: limits.hostConcurrency, now: now)
        return true
    }

    /// Ends a resource and continues the chains that wait for it.
    func finish(_ resource: Resource, _ outcome: Resource.Outcome, isKept: Bool = true) {
        resource.state = .done(outcome)
        if !isKept || !keepsAnswers, resources[resource.key] === resource { resources[resource.key] = nil }
        if !keepsAnswers, case .answer(let answer) = outcome { budget.release(answer.body.count) }
        for chain in resource.waiting { advancing.append((chain, resource)) }
        resource.waiting = []
    }

    /// Ends a chain whose resource is done, or continues it with the target of the redirect.
    func advance(_ chain: Chain, _ resource: Resource) {
        guard case .done(let outcome) = resource.state else {
            resource.waiting.append(chain)
            return
        }
        switch outcome {
        case .failure(let failure):
            finished.append((chain, .failure(failure)))
        case .answer(let answer):
            // What a person sends to one address goes to no other.
            guard chain.request.method != .post, let next = Self.redirect(chain.url, answer) else {
                finished.append((chain, .success(FetchResponse(chain, answer))))
                return
            }
            chain.visited[resource.key] = resource.cookieChanges
            chain.redirects.append(.init(from: chain.url, status: answer.status, to: next))
            chain.url = next
            guard chain.redirects.count <= limits.redirects else {
                finished.append((chain, .failure(.tooManyRedirects(limit: limits.redirects))))
                return
            }
            if let changes = chain.visited[Self.key(chain.request, next.withoutFragment)] {
                if changes == cookies.changes {
                    finished.append((chain, .failure(.redirectLoop(next.withoutFragment.href))))
                    return
                }
                chain.mustRefetch = true
            }
            enter(chain)
        }
    }

    /// The target of a redirect; `nil` if the answer is none, or its Location is no URL.
    private static func redirect(_ url: WebURL, _ answer: Resource.Answer) -> WebURL? {
        guard FetchResponse.Redirect.statuses.contains(answer.status), let location = answer.fields["location"],
            let next = WebURL(location, base: url)
        else { return nil }
        guard next.fragment == nil, let fragment = url.fragment else { return next }
        return WebURL("#" + fragment, base: next) ?? next
    }
}

extension FetchResponse.Redirect {
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]
}

extension FetchResponse {
    fileprivate init(_ chain: Chain, _ answer: Resource.Answer) {
        self.init(
            requestURL: chain.request.url, finalURL: chain.url, redirects: chain.redirects, status: answer.status,
            fields: answer.fields, body: answer.body, wasTruncated: answer.wasTruncated,
            remoteAddress: answer.remoteAddress)
    }
}
